import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {start} from '../stories/place.js'
import {packed} from '../support/packed.js'
import {Machine} from './machine.js'
import {type JobRun, provideNpm, provideRelease, releases, runGithubJob, runGitlabTemplate, upload} from './runner.js'

interface Row {
  readonly file: string
  readonly outcome: string
}

const line: string = upload.steps.at(-1).run

let machine: Machine
/** The address and the token of a sandbox that has the containers of all jobs. */
let env: Readonly<Record<string, string>>

beforeAll(async () => {
  const {tarball} = packed()
  machine = Machine.make()
  provideNpm(machine, tarball)
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

test('the template for GitLab syncs a folder, and leaves the result as an artifact', async () => {
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

test('the workflow of the README uploads a build on a fresh runner, and on another one nothing again', async () => {
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
