import {execFileSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {writeArchives} from '../../scripts/binary/archive.js'
import {writeBinaryBill} from '../../scripts/binary/bill.js'
import {executableName} from '../../scripts/binary/targets.js'
import {pinTarball} from '../../scripts/pack.js'
import {freshFolder, numberedFolder} from '../support/folder.js'
import {packed} from '../support/packed.js'
import {pjson, readText, root} from '../support/repository.js'
import {isLeft, ReleaseRun, releaseJobs} from './releaseRun.js'
import {ReleaseServices} from './releaseServices.js'

const {version} = pjson
const tag = `v${version}`
const folder = freshFolder()
const origin = path.join(folder, 'origin')
const services = new ReleaseServices(tag)
const others: ReleaseServices[] = []
let run: ReleaseRun

const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A tag of this checkout, prepared as CONTRIBUTING says: with the digest of its tarball. */
beforeAll(async () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {cwd: root, encoding: 'utf8'})
  for (const file of files.trimEnd().split('\n')) {
    mkdirSync(path.dirname(path.join(origin, file)), {recursive: true})
    copyFileSync(path.join(root, file), path.join(origin, file))
  }
  pinTarball(origin, packed().tarball)
  const author = '-c user.name=A -c user.email=a@example.com'
  const commit = `git init --quiet && git add --all && git ${author} commit --quiet --message Release && git tag ${tag}`
  execFileSync('sh', ['-c', commit], {cwd: origin})
  await services.start()
  run = new ReleaseRun({folder: path.join(folder, 'run'), origin, services, standIn})
}, 240_000)

afterAll(() => {
  for (const one of [services, ...others]) one.stop()
})

function standIn(target: string, artifact: string): void {
  mkdirSync(artifact, {recursive: true})
  const program = path.join(numberedFolder(path.join(folder, 'other-')), executableName(target))
  writeFileSync(program, `#!/bin/sh\necho roomctl/${version}\n`)
  writeArchives(root, target, program, artifact)
  writeBinaryBill(root, target, artifact)
}

/** The visible result: one release with the files of the last job before it, and the package, published once. */
function expectReleased({releases, versions, published}: ReleaseServices): void {
  const made = run.artifact('release')
  const digests = (files: readonly (readonly [string, Buffer])[]) =>
    Object.fromEntries(files.map(([name, bytes]) => [name, digestOf(bytes)]))
  const wanted = readdirSync(made).map((name) => [name, readFileSync(path.join(made, name))] as const)
  const tarball = createHash('sha512').update(readFileSync(path.join(made, `roomctl-${version}.tgz`)))
  expect(releases.map(({isDraft}) => isDraft)).toEqual([false])
  expect(digests([...(releases[0]?.files ?? [])])).toEqual(digests(wanted))
  expect([...versions]).toEqual([[version, `sha512-${tarball.digest('base64')}`]])
  expect(published).toBe(1)
}

/** The steps of a job that leave something; a run that fails after another one is as one that has not begun. */
const leaving = ({steps}: (typeof releaseJobs)[string]) =>
  [...steps.keys()].filter((at) => steps.slice(at, at + 1).some(isLeft))

test('a tag becomes a release, though a run fails after each step that leaves something', async () => {
  for (const [job, steps] of Object.entries(releaseJobs)) {
    for (const after of leaving(steps)) {
      expect(await run.run({job, after}), `${job} after ${after}: ${run.log.at(-1)}`).toBe(false)
    }
  }
  expect(await run.run(), run.log.slice(-8).join('\n')).toBe(true)
  expectReleased(services)
  expect(new Set(run.attested)).toEqual(new Set(readdirSync(run.artifact('release'))))
}, 1_200_000)

test('running all jobs once more changes nothing', async () => {
  run.forget()
  const before = new Map(services.releases[0]?.files)
  expect(await run.run(), run.log.slice(-8).join('\n')).toBe(true)
  expectReleased(services)
  for (const [name, bytes] of services.releases[0]?.files ?? [])
    expect(before.get(name)?.equals(bytes), name).toBe(true)
}, 1_200_000)

test('a release installs: by install.sh, and from the registry', () => {
  const made = run.artifact('release')
  const home = numberedFolder(path.join(folder, 'home-'))
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    ROOMCTL_RELEASES: services.url,
    npm_config_registry: services.url,
    npm_config_update_notifier: 'false',
  }
  // In processes of their own: the services answer from this one.
  const typed = (line: string) => run.inShell(line, env)
  return Promise.all([
    typed(`sh '${made}/install.sh' && '${home}/.local/bin/roomctl' --version`),
    typed(`npm install --global --prefix '${home}/npm' roomctl@${version} && '${home}/npm/bin/roomctl' --version`),
  ]).then((ran) => {
    for (const {exit, log} of ran)
      expect({exit, log}).toEqual({exit: 0, log: expect.stringContaining(`roomctl/${version}`)})
  })
}, 120_000)

describe('publishing', {timeout: 600_000}, () => {
  async function publishing(): Promise<{run: ReleaseRun; own: ReleaseServices}> {
    // For a test that is run alone: nothing is left to do after the tests above.
    expect(await run.run()).toBe(true)
    const own = new ReleaseServices(tag)
    others.push(own)
    await own.start()
    return {own, run: run.publishingTo(own, numberedFolder(path.join(folder, 'publish-')))}
  }

  test('ends well where half of the files, and then the answer of the registry, went astray', async () => {
    const {own, run: one} = await publishing()
    for (const fault of ['half of the files', 'the answer of the registry'] as const) {
      own.fault = fault
      expect(await one.run(), one.log.join('\n')).toBe(false)
      expect([own.fault, own.releases.map(({isDraft}) => isDraft)]).toEqual([undefined, [true]])
    }
    expect(await one.run(), one.log.join('\n')).toBe(true)
    expectReleased(own)
  })

  test('leaves the first version to a person, and continues from there', async () => {
    const {own, run: one} = await publishing()
    own.isKnown = false
    expect(await one.run()).toBe(false)
    expect([own.releases[0]?.isDraft, own.published]).toEqual([true, 0])
    const contributing = readText('CONTRIBUTING.md')
    const [line = ''] = /^ *(npm publish .*)$/mu.exec(contributing)?.slice(1) ?? []
    const work = numberedFolder(path.join(folder, 'person-'))
    for (const [name, bytes] of own.releases[0]?.files ?? []) writeFileSync(path.join(work, name), bytes)
    writeFileSync(path.join(work, '.npmrc'), `${own.url.replace('http:', '')}/:_authToken=person\n`)
    const env = {PATH: process.env.PATH ?? '', HOME: work, npm_config_registry: own.url}
    expect(await one.inShell(`cd '${work}' && ${line.replaceAll('VERSION', version)}`, env)).toMatchObject({exit: 0})
    expect(await one.run(), one.log.join('\n')).toBe(true)
    expectReleased(own)
  })

  test('refuses another package of the same version', async () => {
    const {own, run: one} = await publishing()
    own.versions.set(version, 'sha512-of-another')
    expect(await one.run()).toBe(false)
    expect([own.releases[0]?.isDraft, own.published]).toEqual([true, 0])
  })
})

test('a clone elsewhere, whose folders are read in another order, makes the same tarball', () => {
  const clone = path.join(folder, 'another/place')
  execFileSync('git', ['clone', '--quiet', origin, clone], {stdio: 'ignore'})
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(clone, 'node_modules')])
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: clone,
    TZ: 'Asia/Seoul',
    NODE_OPTIONS: `--require=${path.join(root, 'test/support/reversedFolders.cjs')}`,
  }
  execFileSync('sh', ['-c', 'umask 077; npm run build && npm run task -- pack out'], {cwd: clone, env, stdio: 'ignore'})
  const [digest] = readFileSync(path.join(origin, 'package.sha256'), 'utf8').split(' ')
  expect(digestOf(readFileSync(path.join(clone, 'out', `roomctl-${version}.tgz`)))).toBe(digest)
}, 600_000)
