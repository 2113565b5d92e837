import {execFileSync, spawnSync} from 'node:child_process'
import {accessSync, constants, existsSync, readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const pjson = JSON.parse(read('package.json'))

interface Job {
  readonly container?: string
  readonly strategy?: {readonly matrix: {readonly node: readonly number[]}}
  readonly steps: readonly {readonly uses?: string; readonly run?: string}[]
}

interface Workflow {
  readonly on: object
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, Job>>
}

const workflows = new Map<string, Workflow>(
  readdirSync(path.join(root, '.github/workflows')).map((file) => [file, parse(read(`.github/workflows/${file}`))]),
)
const stepsOf = (file: string) => Object.values(workflows.get(file)?.jobs ?? {}).flatMap(({steps}) => steps)
const linesOf = (file: string) => stepsOf(file).flatMap(({run = ''}) => run.split('\n').filter((line) => line !== ''))

describe('the workflows', () => {
  test('are one that checks, and one that releases', () => {
    expect([...workflows.keys()].sort()).toEqual(['check.yml', 'release.yml'])
  })

  test('run .ci/run on Node 20, 22 and 24, as root on Debian, where it can install what it needs', () => {
    const {check} = workflows.get('check.yml')?.jobs ?? {}
    expect(check?.strategy?.matrix.node).toEqual([20, 22, 24])
    expect(check?.container).toMatch(/^node:\$\{\{ matrix\.node \}\}-bookworm$/u)
    expect(linesOf('check.yml').at(-1)).toBe('.ci/run')
    expect(Object.keys(workflows.get('check.yml')?.on ?? {})).toEqual(['push', 'pull_request'])
  })

  test('name only commands that exist', () => {
    const tasks = execFileSync('npm', ['run', '--silent', 'task', '--', '--help'], {cwd: root, encoding: 'utf8'})
    // What the machines of the workflows have.
    const installed = ['gh', 'git', 'npm', 'test']
    const known = (line: string) => {
      const [program = '', ...words] = line.split(' ')
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

  test('use actions by a version of theirs, and have the permissions that they need and no others', () => {
    const used = [...workflows.keys()].flatMap(stepsOf).flatMap(({uses}) => uses ?? [])
    expect(used.filter((name) => !/^actions\/[a-z-]+@v\d+$/u.test(name))).toEqual([])
    expect(workflows.get('check.yml')?.permissions).toEqual({contents: 'read'})
    expect(workflows.get('release.yml')?.permissions).toEqual({contents: 'write', 'id-token': 'write'})
  })

  test('release only a tag that is the version, with provenance, the bill of materials and the checksums', () => {
    const [tagged = '', ...rest] = linesOf('release.yml')
    const tag = (GITHUB_REF_NAME: string) =>
      spawnSync('sh', ['-c', tagged], {cwd: root, env: {...process.env, GITHUB_REF_NAME}}).status
    expect([tag(`v${pjson.version}`), tag('v0.0.1'), tag('main')]).toEqual([0, 1, 1])
    expect(rest.join('\n')).toMatch(
      /npm test\nnpm run task -- release out\nnpm publish out\/roomctl-\*\.tgz --provenance\b/u,
    )
    expect(rest.at(-1)).toMatch(/^gh release create .* out\/\* /u)
  })
})

describe('whoever opens an issue', () => {
  const forms = readdirSync(path.join(root, '.github/ISSUE_TEMPLATE')).filter((file) => file !== 'config.yml')

  test('finds a form for a bug and one for a wish, whose fields have an id, a label and a known type', () => {
    expect(forms).toEqual(['bug.yml', 'feature.yml'])
    for (const file of forms) {
      const {name, description, body} = parse(read(`.github/ISSUE_TEMPLATE/${file}`))
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
    expect(read('.github/CODE_OF_CONDUCT.md')).toMatch(/Contributor Covenant[\s\S]*## Reporting/u)
  })
})
