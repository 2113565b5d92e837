import {execFileSync, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {accessSync, constants, existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {freshFolder} from '../support/folder.js'
import {pjson, readText, root} from '../support/repository.js'

interface Job {
  readonly environment?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly container?: string
  readonly strategy?: {readonly matrix: {readonly include?: readonly {readonly node?: number}[]}}
  readonly steps: readonly {readonly uses?: string; readonly run?: string; readonly with?: object}[]
}

interface Workflow {
  readonly on: object
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows = new Map<string, Workflow>(
  readdirSync(path.join(root, '.github/workflows')).map((file) => [file, parse(readText(`.github/workflows/${file}`))]),
)
const stepsOf = (file: string) => Object.values(workflows.get(file)?.jobs ?? {}).flatMap(({steps}) => steps)
const linesOf = (file: string) => stepsOf(file).flatMap(({run = ''}) => run.split('\n').filter((line) => line !== ''))

describe('the workflows', () => {
  test('are one that checks, and one that releases', () => {
    expect([...workflows.keys()].sort()).toEqual(['check.yml', 'release.yml'])
  })

  test('run .ci/run on Node 20, 22, 24 and 26, as root on Debian, where it can install its programs', () => {
    const {check} = workflows.get('check.yml')?.jobs ?? {}
    expect(check?.strategy?.matrix.include?.map(({node}) => node)).toEqual([20, 22, 24, 26])
    expect(check?.container).toMatch(/^node:\$\{\{ matrix\.node \}\}-bookworm@/u)
    expect(check?.steps.at(-1)?.run).toBe('.ci/run')
    expect(Object.keys(workflows.get('check.yml')?.on ?? {})).toEqual(['push', 'pull_request'])
  })

  test('run the portable tests and the demo on Windows and macOS', () => {
    const {portable} = workflows.get('check.yml')?.jobs ?? {}
    expect(portable?.strategy?.matrix).toEqual({os: ['windows-latest', 'macos-latest']})
    expect(portable?.steps.flatMap(({run = ''}) => run || [])).toEqual([
      ...['npm ci --ignore-scripts', 'npm run portable', 'npm run build', 'npm run demo'],
    ])
  })

  test('list later versions of packages under the newest Node, which is no failure', () => {
    const {steps = []} = workflows.get('check.yml')?.jobs.outdated ?? {}
    const newest = workflows.get('check.yml')?.jobs.check?.strategy?.matrix.include?.at(-1)?.node
    expect(steps[1]?.with).toEqual({'node-version': newest})
    expect(steps.at(-1)?.run).toBe('npm outdated || test $? -eq 1')
  })

  test('name container images by digest, and bring the lists of Debian up to date before they install', () => {
    const images = ['.github/workflows/check.yml', '.github/workflows/release.yml', 'templates/asset-sync.yml'].flatMap(
      (file) => [...readText(file).matchAll(/^ *(?:container|image): (.*)$/gmu)].map(([, image = '']) => image),
    )
    images.push(...[...readText('scripts/release/ways.ts').matchAll(/`FROM (.*)$/gmu)].map(([, image = '']) => image))
    const {include = []} = workflows.get('check.yml')?.jobs.check?.strategy?.matrix ?? {}
    const filled = images.flatMap((image) =>
      include.map((row) =>
        image.replaceAll(/\$\{\{ matrix\.(\w+) \}\}/gu, (_, name) => String(Reflect.get(row, name))),
      ),
    )
    expect(images).toHaveLength(4)
    expect(filled.filter((image) => !/^node:\d+-bookworm(?:-slim)?@sha256:[0-9a-f]{64}$/u.test(image))).toEqual([])
    const installing = [...workflows.keys()].flatMap(linesOf).filter((line) => line.includes('apt-get install'))
    expect(installing.length).toBeGreaterThan(0)
    expect(installing.filter((line) => !/apt-get update .*&& .*apt-get install/u.test(line))).toEqual([])
  })

  test('install and publish no path that npm takes for a repository of others: out/a.tgz without ./', () => {
    const files = ['README.md', 'CONTRIBUTING.md', 'action.yml', 'templates/asset-sync.yml', 'scripts/release/ways.ts']
    const lines = [...files, ...[...workflows.keys()].map((file) => `.github/workflows/${file}`)].flatMap(
      (file) => readText(file).match(/\bnpm (?:install|publish)\b[^`\n]*/gu) ?? [],
    )
    const given = lines.flatMap((line) => {
      const words = line.split(/\s+/u).slice(2)
      return words.filter((word, at) => !word.startsWith('-') && !/^--(?:prefix|access)$/u.test(words[at - 1] ?? ''))
    })
    expect(given.length).toBeGreaterThan(5)
    // A place that begins at the root or here, the version of a package, or a variable that holds a place.
    const known = /^(?:\.?\/\S+|[\w-]+@[\w.$]\S*|"\$(?:tarball|temp\/\S+)")$/u
    expect(given.filter((word) => !known.test(word))).toEqual([])
  })

  test('name only commands that exist', () => {
    const tasks = execFileSync('npm', ['run', '--silent', 'task', '--', '--help'], {cwd: root, encoding: 'utf8'})
    // Programs of the workflows' machines.
    const installed = ['cd', 'command', 'diff', 'for', 'gh', 'git', 'npm', 'openssl', 'sudo', 'test']
    const known = (line: string) => {
      // Of an assignment, what its value comes from.
      const [program = '', ...words] = line.replace(/^\w+=.*?\$\(/u, '').split(' ')
      if (program.includes('/')) return accessSync(path.join(root, program), constants.X_OK) === undefined
      const [, task] = /^npm run task -- (\S+)/u.exec(line) ?? []
      if (task !== undefined) return new RegExp(`^  ${task}\\b`, 'mu').test(tasks)
      if (program === 'npm' && words[0] === 'run') return (words[1] ?? '') in pjson.scripts
      return installed.includes(program)
    }
    const lines = [...workflows.keys()].flatMap(linesOf)
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.filter((line) => !known(line))).toEqual([])
  })

  test('use actions by the digest of a commit, whose version is beside it', () => {
    const files = ['action.yml', ...[...workflows.keys()].map((file) => `.github/workflows/${file}`)]
    const used = files.flatMap((file) => [...readText(file).matchAll(/uses: (.*)$/gmu)].map(([, one = '']) => one))
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((one) => !/^actions\/[a-z/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(one))).toEqual([])
  })

  test('leave no credential in a checkout', () => {
    const steps = [...workflows.keys()].flatMap(stepsOf).filter(({uses}) => uses?.startsWith('actions/checkout@'))
    expect(steps.length).toBeGreaterThan(3)
    expect(steps.filter((step) => !('persist-credentials' in (step.with ?? {})))).toEqual([])
    expect(steps.map((step) => step.with)).toEqual(steps.map(() => ({'persist-credentials': false})))
  })

  test('take nothing into a script but by variables', () => {
    expect([...workflows.keys()].flatMap(linesOf).filter((line) => line.includes('${{'))).toEqual([])
  })

  test('have the permissions that they need and no others: to write in the job alone that publishes', () => {
    expect(workflows.get('check.yml')?.permissions).toEqual({contents: 'read'})
    expect(workflows.get('release.yml')?.permissions).toEqual({})
    const {publish, ...others} = workflows.get('release.yml')?.jobs ?? {}
    for (const job of Object.values(others)) expect(job.permissions).toEqual({contents: 'read'})
    expect(publish?.permissions).toEqual({contents: 'write', 'id-token': 'write', attestations: 'write'})
    expect(publish?.environment).toBe('release')
  })

  test('publish in a job that runs no code of the repository or of its packages', () => {
    const steps = workflows.get('release.yml')?.jobs.publish?.steps ?? []
    const programs = (run = '') => [
      ...new Set(run.match(/(?<=^|\|\| |\$\()(?:gh release \w+|npm \w+|cd|openssl)\b/gmu)),
    ]
    expect(steps.map(({uses, run}) => uses?.split('@')[0] ?? programs(run))).toEqual([
      'actions/download-artifact',
      'actions/setup-node',
      ['cd'],
      'actions/attest-build-provenance',
      ['gh release list', 'gh release create', 'gh release upload'],
      ['openssl', 'npm view', 'npm publish'],
      ['gh release edit'],
    ])
    expect(steps[5]).toMatchObject({
      run: expect.stringContaining('npm publish ./out/roomctl-*.tgz --ignore-scripts --access public\n'),
      env: {NPM_CONFIG_PROVENANCE: 'true'},
    })
  })

  test('release only a tag that is the version, and a tarball that each build made alike', () => {
    const jobs = workflows.get('release.yml')?.jobs ?? {}
    const [tagged = ''] = jobs.check?.steps.flatMap(({run = ''}) => run || []) ?? []
    const tag = (GITHUB_REF_NAME: string) =>
      spawnSync('sh', ['-c', tagged], {cwd: root, env: {...process.env, GITHUB_REF_NAME}}).status
    expect([tag(`v${pjson.version}`), tag('v0.0.1'), tag('main')]).toEqual([0, 1, 1])
    const compared = jobs.release?.steps.find(({run}) => run?.includes('package.sha256'))?.run ?? ''
    const work = freshFolder()
    const folders = ['built/package-first', 'built/package-second', 'out'].map((folder) => path.join(work, folder))
    for (const folder of folders) {
      mkdirSync(folder, {recursive: true})
      writeFileSync(path.join(folder, 'a.tgz'), 'tarball')
    }
    const digest = createHash('sha256').update('tarball').digest('hex')
    writeFileSync(path.join(work, 'package.sha256'), `${digest}  a.tgz\n`)
    const compare = () =>
      spawnSync('sh', ['-c', compared], {cwd: work, env: {...process.env, GITHUB_WORKSPACE: work}}).status
    expect(compare()).toBe(0)
    for (const folder of folders) {
      writeFileSync(path.join(folder, 'a.tgz'), 'another')
      expect(compare()).toBe(1)
      writeFileSync(path.join(folder, 'a.tgz'), 'tarball')
    }
  })
})

describe('a person who opens an issue', () => {
  const forms = readdirSync(path.join(root, '.github/ISSUE_TEMPLATE')).filter((file) => file !== 'config.yml')

  test('finds a form for a bug and one for a wish, whose fields have an id, a label and a known type', () => {
    expect(forms).toEqual(['bug.yml', 'feature.yml'])
    for (const file of forms) {
      const {name, description, body} = parse(readText(`.github/ISSUE_TEMPLATE/${file}`))
      expect(
        [name, description].every((text) => typeof text === 'string'),
        file,
      ).toBe(true)
      const fields: {type: string; id: string; attributes: {label: string}}[] = body
      const asked = fields.filter(({type}) => type !== 'markdown')
      expect(asked.map(({type}) => type).filter((type) => !['input', 'textarea', 'dropdown'].includes(type))).toEqual(
        [],
      )
      expect(new Set(asked.map(({id}) => id)).size, file).toBe(asked.length)
      for (const {attributes} of asked) expect(attributes.label, file).toMatch(/^[A-Z]/u)
    }
  })

  test('finds a code of conduct', () => {
    expect(existsSync(path.join(root, '.github/CODE_OF_CONDUCT.md'))).toBe(true)
    expect(readText('.github/CODE_OF_CONDUCT.md')).toMatch(/Contributor Covenant[\s\S]*## Reporting/u)
  })
})
