import {execFileSync} from 'node:child_process'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {parse} from 'yaml'
import {start} from '../stories/place.js'
import {numberedFolder} from '../support/folder.js'
import {packed} from '../support/packed.js'
import {pjson, readText} from '../support/repository.js'
import {Machine} from './machine.js'
import {action, type JobRun, provideNpm, provideRelease, runGithubJob, runGitlabTemplate} from './runner.js'

const {name: packageName, version, repository} = pjson
const releases = `${repository.url.replace(/^git\+|\.git$/gu, '')}/releases/download/v${version}`
const isScript = ({run}: {readonly run?: string}) => run !== undefined

interface Row {
  readonly file: string
  readonly outcome: string
}

/** The workflow of the README. */
const workflow = /```yaml\n(.*?)```/su.exec(readText('README.md'))?.[1] ?? ''
const {upload} = parse(workflow).jobs
const line: string = upload.steps.at(-1).run

let machine: Machine
/** The address and the token of a sandbox that has the containers of all jobs. */
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  const {tarball} = packed()
  machine = Machine.make()
  provideNpm(machine, tarball, version)
  provideRelease(machine, tarball, releases)
  mkdirSync(path.join(machine.work, 'build'))
  writeFileSync(path.join(machine.work, 'build/board.bundle'), 'x'.repeat(300_000))
  writeFileSync(path.join(machine.work, 'build/catalog.json'), '{"bundles": ["board.bundle"]}')
  const containers = ['games/action', 'games/cached', 'games/gitlab', line.split(' ')[3]]
  const created = containers.map((name) => `roomctl asset create ${name} --description Games -p sandbox`)
  expect((await machine.type(['roomctl sandbox seed', ...created].join(' && '))).exit).toBe(0)
  const served = start({dir: machine.work, env: machine.env}, 'exec roomctl sandbox start --port 0')
  const said = await served.prints('ROOMCTL_PUSH_TOKEN=')
  env = Object.fromEntries(
    Array.from(said.matchAll(/^export (ROOMCTL_ASSET_\w+)='?([^'\n]*)'?$/gmu), ([, name, value]) => [name, value]),
  )
}, 60_000)

afterAll(() => {
  machine.remove()
})

function resultOf({outputs}: JobRun): Row[] {
  return JSON.parse(readFileSync(outputs.result ?? '', 'utf8'))
}

describe('action.yml', () => {
  test('is composite, and takes nothing into a script but by variables: no expression, and no input', () => {
    expect(action.runs.using).toBe('composite')
    expect(Object.keys(action.inputs)).toEqual(['container', 'path', 'platform', 'description', 'args', 'cache-state'])
    const scripts = action.runs.steps.filter(isScript)
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

  test('syncs a folder, with a log, a summary and a result; names and texts are not part of a script', async () => {
    const description = '$(touch injected) `touch injected`; "touch injected" 가'
    const steps = [{uses: './', with: {container: 'games/action', path: 'build', platform: 'ios', description}}]
    const ran = await runGithubJob(machine, {env, steps}, {})
    expect(ran.log).toMatch(/^board\.bundle .*done/mu)
    expect(ran.log).not.toContain('::error')
    expect(ran).toMatchObject({exit: 0, used: [], summary: '### asset sync to games/action\n\n2 done\n'})
    expect(
      resultOf(ran)
        .map(({file, outcome}) => `${file} ${outcome}`)
        .sort(),
    ).toEqual(['board.bundle done', 'catalog.json done'])
    expect(readdirSync(machine.work)).toEqual(['build'])
    const listed = await machine.type('roomctl asset list games/action -p sandbox -o json')
    expect(listed.stdout).toContain('$(touch injected) `touch injected`')

    const again = await runGithubJob(machine, {env, steps}, {})
    expect(again.exit).toBe(0)
    expect(resultOf(again).map(({outcome}) => outcome)).toEqual(['skipped', 'skipped'])
    expect((await machine.type('roomctl asset list games/action -p sandbox -o json')).stdout).toBe(listed.stdout)
  })

  test('passes args on, split at blanks and line breaks, and takes no pattern in them for files', async () => {
    const given = {container: 'games/action/args', path: 'build', platform: 'ios'}
    const args = '--create --exclude *.json\n--chunk-size\n64KiB\n'
    const ran = await runGithubJob(machine, {env, steps: [{uses: './', with: {...given, args}}]}, {})
    expect(ran.exit).toBe(0)
    expect(resultOf(ran).map(({file, outcome}) => `${file} ${outcome}`)).toEqual(['board.bundle done'])
  })

  test('runs nothing of a tarball whose digest is not the one that it holds', async () => {
    const pin = path.join(machine.folder, 'action/package.sha256')
    const own = readFileSync(pin, 'utf8')
    writeFileSync(pin, own.replace(/^\w{64}/u, '0'.repeat(64)))
    const input = {container: 'games/none', path: 'build', platform: 'ios'}
    const ran = await runGithubJob(machine, {steps: [{uses: './', with: input}]}, {})
    const ranGitlab = await runGitlabTemplate(machine, input, {})
    writeFileSync(pin, own)
    expect(ran).toMatchObject({exit: 1, log: expect.stringMatching(/^::error::roomctl-\S+ does not have the digest/u)})
    expect(ran.log.trimEnd().split('\n')).toHaveLength(1)
    expect(ranGitlab).toMatchObject({exit: 1, log: expect.stringContaining('did NOT match')})
    expect(ranGitlab.log).not.toContain('roomctl-asset')
  })

  test('fails with the job, and has a result', async () => {
    const input = {container: 'games/none', path: 'build', platform: 'ios'}
    const ran = await runGithubJob(machine, {env, steps: [{uses: './', with: input}]}, {})
    expect(ran.exit).toBe(6)
    expect(ran.log).toContain('\n::error::container games/none does not exist; nothing was sent')
    expect(ran.log.match(/^::/gmu)).toHaveLength(1)
    expect(ran.summary).toContain(
      '\n\n2 not-tried\n\n| Failed | Error |\n| --- | --- |\n| board&#46;bundle | container ',
    )
    expect(resultOf(ran).map(({outcome}) => outcome)).toEqual(['not-tried', 'not-tried'])
  })

  test('keeps the ledger in the cache where its input asks for it, also after a failure', async () => {
    const own = {container: 'games/cached', path: 'build', platform: 'ios', 'cache-state': 'true'}
    const caches = ['actions/cache/restore', 'actions/cache/save']
    const ran = await runGithubJob(machine, {env, steps: [{uses: './', with: own}]}, {})
    expect(ran.used.map(({name}) => name.split('@')[0])).toEqual(caches)
    const folders = new Set(ran.used.map((one) => one.with.path))
    expect(folders.size).toBe(1)
    expect(readdirSync([...folders][0] ?? '').length).toBeGreaterThan(0)
    const steps = [{uses: './', with: {...own, path: 'none'}}]
    const failed = await runGithubJob(machine, {env, steps}, {})
    expect(failed.exit).toBe(14)
    expect(failed.log).toContain('\n::error::asset sync ended with exit 14; its log says why\n')
    expect(failed.used.map(({name}) => name.split('@')[0])).toEqual(caches)
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

  test('syncs a folder, and leaves the result as an artifact', async () => {
    const description = '$(touch injected) $HOME'
    const inputs = {container: 'games/gitlab', path: 'build', platform: 'ios', description, args: '--verify\nnone'}
    const ran = await runGitlabTemplate(machine, inputs, env)
    expect(ran.log.match(/^board\.bundle .*done/gmu)).toHaveLength(1)
    expect(ran.exit).toBe(0)
    const result: Row[] = JSON.parse(readFileSync(path.join(machine.work, 'roomctl-result.json'), 'utf8'))
    expect(result.map(({outcome}) => outcome)).toEqual(['done', 'done'])
    const report = readFileSync(path.join(machine.work, 'roomctl-result.xml'), 'utf8')
    expect(report).toContain('<testcase classname="games/gitlab" name="board.bundle"></testcase>\n')
    const listed = await machine.type('roomctl asset list games/gitlab -p sandbox -o json')
    expect(listed.stdout).toContain(description)
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
    const folder = numberedFolder(path.join(machine.folder, 'report-'))
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

describe('the guide', () => {
  const guide = readText('docs/guides/uploads-in-ci.md')

  test('uses the action and the template by their inputs', () => {
    const blocks = [...guide.matchAll(/```yaml\n(.*?)```/gsu)].map(([, text = '']) => parse(text))
    const [step] = blocks.flat().filter(({uses}) => uses?.includes('roomctl'))
    expect(step.uses).toMatch(new RegExp(`^[\\w-]+/${packageName}@v${version}$`, 'u'))
    const [included] = blocks.flatMap(({include = []}) => include)
    expect(included.remote).toMatch(new RegExp(`/v${version}/templates/asset-sync\\.yml$`, 'u'))
    for (const given of [step.with, included.inputs]) {
      expect(given).toEqual({container: expect.anything(), path: 'build', platform: 'ios'})
    }
  })
})

describe('the workflow of the README', () => {
  test('has 12 lines, and takes address and token from variables and secrets of the repository', () => {
    expect(workflow.trimEnd().split('\n')).toHaveLength(12)
    expect(Object.keys(upload.env)).toEqual(['ROOMCTL_ASSET_URL', 'ROOMCTL_ASSET_TOKEN'])
    expect(upload.steps.flatMap(({run}: {run?: string}) => run ?? [])[0]).toBe(
      `npm install --global ${packageName}@${version}`,
    )
  })

  test('uploads a build on a fresh runner, and on another one nothing again', async () => {
    const values = {
      'vars.ASSET_URL': env.ROOMCTL_ASSET_URL ?? '',
      'secrets.ASSET_TOKEN': env.ROOMCTL_ASSET_TOKEN ?? '',
    }
    const own = {npm_config_prefix: path.join(machine.folder, 'global')}
    const ran = await runGithubJob(machine, {...upload, env: {...upload.env, ...own}}, values)
    expect(ran.log).toMatch(/^board\.bundle .* done /mu)
    expect(ran).toMatchObject({exit: 0, used: [{name: 'actions/checkout@v5'}]})
    const again = await runGithubJob(machine, {...upload, env: {...upload.env, ...own}}, values)
    expect(again.exit).toBe(0)
    expect(again.log).toMatch(/\nnothing uploaded in .*2 unchanged/u)
  })
})
