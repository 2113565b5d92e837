import {describe, expect, test} from 'vitest'
import {cli} from '../support/cli.js'

describe('the script', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])('of %s is printed alone', async (shell) => {
    const ran = await cli(`completion ${shell}`)
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toContain(`# roomctl completion for ${shell === 'powershell' ? 'PowerShell' : shell}.`)
    expect(ran.stdout).toContain(`complete --shell ${shell} `)
    expect(ran.stdout).not.toMatch(/\beval\b|Invoke-Expression|\biex\b/u)
  })

  test('needs the name of a shell', async () => {
    expect(await cli('completion')).toMatchObject({
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
