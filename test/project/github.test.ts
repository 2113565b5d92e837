import {execFileSync, spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {freshFolder} from '../support/folder.js'
import {pjson, readText, root} from '../support/repository.js'
import {action, releases, upload, workflow} from './runner.js'

const {name: packageName, version} = pjson

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
    const tasks = readText('scripts/task.ts')
    // Programs of the workflows' machines.
    const installed = ['cd', 'command', 'diff', 'for', 'gh', 'git', 'npm', 'openssl', 'sudo', 'test']
    const known = (line: string) => {
      // Of an assignment, what its value comes from.
      const [program = '', ...words] = line.replace(/^\w+=.*?\$\(/u, '').split(' ')
      if (program.includes('/')) return accessSync(path.join(root, program), constants.X_OK) === undefined
      const [, task] = /^npm run task -- (\S+)/u.exec(line) ?? []
      if (task !== undefined) return new RegExp(`^  \\.command\\('${task}\\b`, 'mu').test(tasks)
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

describe('action.yml', () => {
  test('is composite, and takes nothing into a script but by variables: no expression, and no input', () => {
    expect(action.runs.using).toBe('composite')
    expect(Object.keys(action.inputs)).toEqual(['container', 'path', 'platform', 'description', 'args', 'cache-state'])
    const scripts = action.runs.steps.filter(({run}) => run !== undefined)
    expect(scripts.length).toBeGreaterThan(1)
    for (const {run, shell} of scripts) {
      expect(run).not.toContain('${{')
      expect(shell).toBe('bash')
    }
  })

  test('has no input for a token, and names none in its steps', () => {
    expect(Object.keys(action.inputs).filter((name) => /token|secret|password/iu.test(name))).toEqual([])
    expect(JSON.stringify(action.runs)).not.toMatch(/secrets\.|TOKEN/u)
  })

  test('uses actions by a version of theirs, and the cache only where its input asks for it', () => {
    const used = action.runs.steps.filter(({uses}) => uses !== undefined)
    expect(used.map(({uses = ''}) => uses.split('@')[0])).toEqual(['actions/cache/restore', 'actions/cache/save'])
    for (const step of used) expect(step.if).toMatch(/inputs\.cache-state == 'true' \}\}$/u)
  })
})

describe('the template for GitLab', () => {
  const template = readText('templates/asset-sync.yml')

  test('takes nothing into a script but by variables, which are not expanded', () => {
    const script = template.slice(template.indexOf('  script:'))
    expect(script).not.toContain('$[[')
    const variables = [
      ...template.matchAll(/^ {4}SYNC_\w+: \{ ?value: "\$\[\[ inputs\.[a-z]+ \]\]", expand: false ?\}$/gmu),
    ]
    expect(variables).toHaveLength(5)
    expect(template).not.toMatch(/inputs\.[a-z-]*token/u)
  })

  test('installs the tarball of its version, by the digest that the action holds', () => {
    const [digest, name] = readText('package.sha256').trim().split('  ')
    expect(name).toBe(`${packageName}-${version}.tgz`)
    expect(template).toContain(`- tarball=${releases}/${name}\n    - digest=${digest}\n`)
  })
})

describe('the report of a run that failed', () => {
  const error = {message: 'no\r\n::add-mask::x ##[error]y <b>&', why: null, service: null}
  const rows = [
    {file: '::a,b%c.x', outcome: 'failed', error},
    {file: '[d](e) | f', outcome: 'not-tried', error},
    {file: 'g\u0001.x', outcome: 'done'},
  ]
  const reported = (file: string) => {
    const folder = freshFolder()
    const [result, summary] = [path.join(folder, 'roomctl-result.json'), path.join(folder, 'summary.md')]
    writeFileSync(result, JSON.stringify(rows))
    const script = /<<'REPORT'[^\n]*\n(.*?)\n\s+REPORT\n/su.exec(readText(file))?.[1] ?? ''
    const own = {SYNC_CONTAINER: 'games/chess', SYNC_PATH: folder, CI_PROJECT_DIR: folder, code: '11', result}
    const variables = {...own, GITHUB_STEP_SUMMARY: summary}
    const log = execFileSync(process.execPath, ['-'], {input: script, encoding: 'utf8', env: variables})
    return {log, folder, read: (name: string) => readFileSync(path.join(folder, name), 'utf8')}
  }

  test('is an annotation at each file that failed, and a table in the summary, with no command or markup of a name', () => {
    const {log, folder, read} = reported('action.yml')
    const message = 'no%0D%0A::add-mask::x # #[error]y <b>&'
    expect(log).toBe(`::error file=${folder}/%3A%3Aa%2Cb%25c.x::${message}\n`)
    expect(read('summary.md').split('\n')).toEqual([
      '### asset sync to games/chess',
      '',
      '1 failed, 1 not-tried, 1 done',
      '',
      '| Failed | Error |',
      '| --- | --- |',
      expect.stringMatching(/^\| &#58;&#58;a,b&#37;c&#46;x \| no&#13;&#10;&#58;[^<>[\]]* &#60;b&#62;&#38; \|$/u),
      expect.stringMatching(/^\| &#91;d&#93;&#40;e&#41; &#124; f \| no/u),
      '',
    ])
  })

  test('is a JUnit report for GitLab, with a failure for each file that has an error', () => {
    const {log, read} = reported('templates/asset-sync.yml')
    expect(log).toBe('')
    const message = 'no??::add-mask::x ##[error]y &#60;b&#62;&#38;'
    expect(read('roomctl-result.xml').split('\n')).toEqual([
      '<testsuites><testsuite name="asset sync">',
      `<testcase classname="games/chess" name="::a,b%c.x"><failure message="${message}"/></testcase>`,
      `<testcase classname="games/chess" name="[d](e) | f"><failure message="${message}"/></testcase>`,
      '<testcase classname="games/chess" name="g?.x"></testcase>',
      '</testsuite></testsuites>',
      '',
    ])
  })
})

test('the guide uses the action and the template by their inputs', () => {
  const guide = readText('docs/guides/uploads-in-ci.md')
  const blocks = [...guide.matchAll(/```yaml\n(.*?)```/gsu)].map(([, text = '']) => parse(text))
  const [step] = blocks.flat().filter(({uses}) => uses?.includes('roomctl'))
  expect(step.uses).toMatch(new RegExp(`^[\\w-]+/${packageName}@v${version}$`, 'u'))
  const [included] = blocks.flatMap(({include = []}) => include)
  expect(included.remote).toMatch(new RegExp(`/v${version}/templates/asset-sync\\.yml$`, 'u'))
  for (const given of [step.with, included.inputs]) {
    expect(given).toEqual({container: expect.anything(), path: 'build', platform: 'ios'})
  }
})

test('the workflow of the README has 12 lines, and takes address and token from variables and secrets of the repository', () => {
  expect(workflow.trimEnd().split('\n')).toHaveLength(12)
  expect(Object.keys(upload.env)).toEqual(['ROOMCTL_ASSET_URL', 'ROOMCTL_ASSET_TOKEN'])
  expect(upload.steps.flatMap(({run}: {run?: string}) => run ?? [])[0]).toBe(
    `npm install --global ${packageName}@${version}`,
  )
})
