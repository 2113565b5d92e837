import {lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {type Circumstances, cli, freshHome} from '../support/cli.js'

const places = {
  bash: '.local/share/bash-completion/completions/roomctl',
  zsh: '.local/share/zsh/site-functions/_roomctl',
  fish: '.config/fish/completions/roomctl.fish',
  powershell: '.config/powershell/roomctl-completion.ps1',
} as const
const all = Object.entries(places)

const inHome = (home: string): Circumstances => ({home, env: {ROOMCTL_PROFILE: 'sandbox', HOME: home}})

describe('the script', () => {
  test.each(Object.keys(places))('of %s is printed alone', async (shell) => {
    const ran = await cli(`completion ${shell}`)
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toContain(`# roomctl completion for ${shell === 'powershell' ? 'PowerShell' : shell}.`)
    expect(ran.stdout).toContain(`complete --shell ${shell} `)
    expect(ran.stdout).not.toMatch(/\beval\b|Invoke-Expression|\biex\b/u)
  })

  test('is that of the shell in use where none is named', async () => {
    const ran = await cli('completion', {env: {ROOMCTL_PROFILE: 'sandbox', SHELL: '/usr/bin/fish'}})
    expect(ran.stdout).toContain('completion for fish')
    expect(await cli('completion', {env: {ROOMCTL_PROFILE: 'sandbox', SHELL: '/bin/tcsh'}})).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining('SHELL is missing'),
    })
  })

  test('of no known shell is refused, with the nearest', async () => {
    const ran = await cli('completion bsh')
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('SHELL takes bash, zsh, fish or powershell, not bsh')
    expect(ran.stderr).toContain('did you mean bash?')
  })

  test('of PowerShell registers itself, sends words in hexadecimal and quotes its candidates', async () => {
    const {stdout} = await cli('completion powershell')
    expect(stdout).toContain('Register-ArgumentCompleter -Native -CommandName roomctl')
    expect(stdout).toContain("'x' + [System.BitConverter]::ToString(")
    expect(stdout).toContain(`"'" + ($value -replace "['\\u2018-\\u201b]", '$0$0') + "'"`)
    expect(stdout.match(/[{]/gu)?.length).toBe(stdout.match(/[}]/gu)?.length)
  })
})

describe('--install', () => {
  test.each(all)('puts that of %s into its place, once, and says how it is loaded', async (shell, place) => {
    const home = freshHome()
    const file = path.join(home, place)
    const first = await cli(`completion ${shell} --install`, inHome(home))
    expect(first).toMatchObject({exit: 0, stderr: ''})
    expect(first.stdout).toContain(`wrote ${file}\n`)
    expect(readFileSync(file, 'utf8')).toBe((await cli(`completion ${shell}`)).stdout)
    const again = await cli(`completion ${shell} --install`, inHome(home))
    expect(again.stdout).toBe(first.stdout.replace(`wrote ${file}`, `${file} is up to date`))
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)])
  })

  test('prints the line that is to be added, and touches no start file', async () => {
    const home = freshHome()
    writeFileSync(path.join(home, '.zshrc'), 'mine\n')
    const {stdout} = await cli('completion zsh --install', inHome(home))
    const folder = path.join(home, '.local/share/zsh/site-functions')
    expect(stdout).toContain(`after you add this line to ${home}/.zshrc:\n  fpath=(${folder} $fpath); autoload`)
    expect(readFileSync(path.join(home, '.zshrc'), 'utf8')).toBe('mine\n')
    expect((await cli('completion fish --install', inHome(home))).stdout).toContain(
      'new fish sessions load it automatically',
    )
  })

  test('reports its steps to a program', async () => {
    const home = freshHome()
    const ran = await cli('completion bash --install -o json', inHome(home))
    expect(JSON.parse(ran.stdout)).toEqual({
      shell: 'bash',
      file: path.join(home, places.bash),
      outcome: 'written',
      line: `source ${path.join(home, places.bash)}`,
      add_to: path.join(home, '.bashrc'),
    })
  })

  test('with --dry-run names its steps, and takes none', async () => {
    const home = freshHome()
    const ran = await cli('completion fish --install --dry-run', inHome(home))
    expect(ran.stdout).toContain(`would write ${path.join(home, places.fish)}`)
    expect(readdirSync(home)).toEqual([])
  })

  test('puts a newer script in the place of an older one, also behind a link', async () => {
    const home = freshHome()
    const file = path.join(home, places.fish)
    mkdirSync(path.dirname(file), {recursive: true})
    writeFileSync(path.join(home, 'kept.fish'), '# roomctl completion for fish. An older one.\n')
    symlinkSync(path.join(home, 'kept.fish'), file)
    expect(await cli('completion fish --install', inHome(home))).toMatchObject({exit: 0})
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(readFileSync(path.join(home, 'kept.fish'), 'utf8')).toContain('__roomctl_complete')
  })

  test('keeps a file that is not a script of roomctl', async () => {
    const home = freshHome()
    const file = path.join(home, places.bash)
    mkdirSync(path.dirname(file), {recursive: true})
    writeFileSync(file, 'complete -W mine roomctl\n')
    const ran = await cli('completion bash --install', inHome(home))
    expect(ran).toMatchObject({exit: 14, stdout: ''})
    expect(ran.stderr).toContain(`${file} is not a script of roomctl`)
    expect(readFileSync(file, 'utf8')).toBe('complete -W mine roomctl\n')
  })

  test('says why it cannot be written', async () => {
    const home = freshHome()
    writeFileSync(path.join(home, '.local'), 'a file where a folder is needed')
    const ran = await cli('completion bash --install', inHome(home))
    expect(ran).toMatchObject({exit: 14, stdout: ''})
    expect(ran.stderr).toMatch(/cannot read .*roomctl: a part of this path is not a folder/u)
  })

  test('--dry-run alone is refused', async () => {
    expect(await cli('completion bash --dry-run')).toMatchObject({exit: 2, stdout: ''})
  })
})
