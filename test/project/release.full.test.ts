import {execFileSync, spawn} from 'node:child_process'
import {createHash} from 'node:crypto'
import {once} from 'node:events'
import {copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import path from 'node:path'
import {text} from 'node:stream/consumers'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {writeArchives} from '../../scripts/binary/archive.js'
import {writeBinaryBill} from '../../scripts/binary/bill.js'
import {binaryNode, executableName, ownTarget, targets} from '../../scripts/binary/targets.js'
import {writeRelease} from '../../scripts/release/release.js'
import {freshFolder, numberedFolder} from '../support/folder.js'
import {pjson, root} from '../support/repository.js'

const {version, repository} = pjson
const work = freshFolder()
const release = path.join(work, `v${version}`)
/** The downloads of install.sh. */
const archive = `roomctl-${version}-${ownTarget}.tar.gz`
/** Found before a test leaves it out of the PATH. */
const dash = execFileSync('sh', ['-c', 'command -v dash'], {encoding: 'utf8'}).trim()
const read = (name: string) => readFileSync(path.join(release, name), 'utf8')
const digestOf = (name: string) =>
  createHash('sha256')
    .update(readFileSync(path.join(release, name)))
    .digest('hex')

/** The program that a release of the tests holds in the place of 120 MB: it says its version, or what a test has it say. */
function releaseWith(folder: string, script: string): void {
  mkdirSync(folder, {recursive: true})
  for (const target of Object.keys(targets)) {
    const program = path.join(work, executableName(target))
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    writeArchives(root, target, program, folder)
    writeBinaryBill(root, target, folder)
  }
  writeRelease(root, folder)
}

const server = createServer(({url = ''}, answer) => {
  const file = path.join(work, url)
  answer.statusCode = existsSync(file) ? 200 : 404
  answer.end(existsSync(file) ? readFileSync(file) : 'not found')
})
let releases: string

beforeAll(async () => {
  releaseWith(release, `echo roomctl/${version}`)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  releases = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 120_000)

afterAll(() => {
  server.close()
})

describe('a release', () => {
  test('is refused where the archive of a system is missing, and names the task that makes it', () => {
    expect(() => writeRelease(root, path.join(work, 'empty'))).toThrow(/-linux-x64\.tar\.gz is missing: npm run task/u)
  })

  test('names each of its files in SHA256SUMS', () => {
    const checked = execFileSync('shasum', ['-a', '256', '--check', 'SHA256SUMS'], {cwd: release, encoding: 'utf8'})
    const names = checked
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/: OK$/u, ''))
    expect(names.sort()).toEqual(
      readdirSync(release)
        .filter((name) => name !== 'SHA256SUMS')
        .sort(),
    )
    expect(names).toEqual(
      expect.arrayContaining([
        ...['Dockerfile', 'install.sh', 'roomctl.json', 'roomctl.rb', `roomctl-${version}.tgz`],
        ...[`roomctl-${version}.cdx.json`, `roomctl-${version}-win-x64.zip`, `roomctl-${version}-darwin-arm64.tar.xz`],
      ]),
    )
  })

  test('has archives that tar and zip of the system read', () => {
    const name = `roomctl-${version}-linux-arm64`
    const listed = (ending: string) =>
      execFileSync('tar', ['-tf', `${name}${ending}`], {cwd: release, encoding: 'utf8'})
        .trimEnd()
        .split('\n')
    const files = ['roomctl', 'LICENSE', 'LICENSE-node', 'THIRD-PARTY-NOTICES.txt'].map((one) => `${name}/${one}`)
    expect([listed('.tar.gz'), listed('.tar.xz')]).toEqual([files, files])
    const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist()[0])'
    const zip = path.join(release, `roomctl-${version}-win-x64.zip`)
    expect(execFileSync('python3', ['-c', script, zip], {encoding: 'utf8'})).toBe(
      `None roomctl-${version}-win-x64/roomctl.exe\n`,
    )
  })

  test('has a bill of materials of each single file: that of the package, and Node with its digest and its parts', () => {
    const ofPackage = JSON.parse(read(`roomctl-${version}.cdx.json`))
    for (const [target, {sha256}] of Object.entries(targets)) {
      const bill = JSON.parse(read(`roomctl-${version}-${target}.cdx.json`))
      const node = bill.components.pop()
      expect(bill).toEqual(ofPackage)
      expect(node).toMatchObject({
        purl: `pkg:generic/node@${binaryNode}`,
        hashes: [{alg: 'SHA-256', content: sha256}],
      })
      const parts: {name: string; purl: string}[] = node.components
      expect(parts.map(({name}) => name)).toEqual(expect.arrayContaining(['openssl', 'v8', 'zlib', 'uv', 'undici']))
      expect(parts.filter(({purl}) => !/^pkg:generic\/\w+@[\w.%-]+$/u.test(purl))).toEqual([])
    }
  })

  test('has a formula of Homebrew, a manifest of Scoop and a Dockerfile with the digests of their files', () => {
    const tarball = digestOf(`roomctl-${version}.tgz`)
    const address = `${repository.url.replace(/^git\+|\.git$/gu, '')}/releases/download/v${version}`
    const formula = read('roomctl.rb')
    expect(/^ {2}url "(.*)"\n {2}sha256 "(.*)"$/mu.exec(formula)?.slice(1)).toEqual([
      `${address}/roomctl-${version}.tgz`,
      tarball,
    ])
    const {architecture, ...manifest} = JSON.parse(read('roomctl.json'))
    expect(manifest).toMatchObject({version, license: 'MIT', bin: 'roomctl.exe'})
    expect(architecture['64bit']).toEqual({
      url: `${address}/roomctl-${version}-win-x64.zip`,
      hash: digestOf(`roomctl-${version}-win-x64.zip`),
      extract_dir: `roomctl-${version}-win-x64`,
    })
    const lines = read('Dockerfile').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(10)
    expect(lines[1]).toBe(`ADD --checksum=sha256:${tarball} ${address}/roomctl-${version}.tgz /tmp/roomctl.tgz`)
    expect(lines.filter((line) => !/^(?:FROM|ADD|RUN|USER|WORKDIR|ENTRYPOINT) /u.test(line))).toEqual([])
  })
})

describe('install.sh', () => {
  let home: string

  beforeEach(() => {
    home = numberedFolder(path.join(work, 'home-'))
  })

  /** `programs`: replacements of system programs, first on the PATH; `only`: those that the system has, in place of all. */
  async function install(
    words: readonly string[] = [],
    programs: Readonly<Record<string, string>> = {},
    given: {readonly only?: readonly string[]; readonly HOME?: undefined} = {},
  ) {
    const bin = path.join(home, 'programs')
    mkdirSync(bin)
    for (const [name, script] of Object.entries(programs)) {
      writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`, {mode: 0o755})
    }
    for (const name of given.only ?? []) {
      symlinkSync(execFileSync('sh', ['-c', `command -v ${name}`], {encoding: 'utf8'}).trim(), path.join(bin, name))
    }
    const search = given.only ? bin : `${bin}:${process.env.PATH}`
    const own = 'HOME' in given ? {} : {HOME: home}
    const env = {...own, PATH: search, ROOMCTL_RELEASES: releases, TMPDIR: home}
    const script = path.join(release, 'install.sh')
    const child = spawn(dash, [script, ...words], {env, cwd: home, stdio: ['ignore', 'pipe', 'pipe']})
    const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    const left = readdirSync(home, {recursive: true, encoding: 'utf8'}).filter((name) => !name.startsWith('programs'))
    return {stdout, stderr, exit, left: left.sort()}
  }

  const nothing = {stdout: '', exit: 1, left: []}

  test('is a script that shellcheck finds nothing in', () => {
    execFileSync('shellcheck', [path.join(release, 'install.sh')])
  })

  test('has its effect, its needs and its removal in --help', async () => {
    const ran = await install(['--help'])
    expect(ran).toMatchObject({stderr: '', exit: 0, left: []})
    for (const word of [version, '--prefix DIR', '--version V', 'libatomic.so.1', 'remove', 'docs/updating.md'])
      expect(ran.stdout).toContain(word)
    expect(ran.stdout).not.toMatch(/VERSION|HOMEPAGE/u)
  })

  test('installs the file of this system into ~/.local/bin, and says so, and how to remove it', async () => {
    const file = path.join(home, '.local/bin/roomctl')
    expect(await install()).toEqual({
      stdout: `installed roomctl ${version} (${ownTarget}) as ${file}\nto start it by its name: export PATH="${home}/.local/bin:$PATH"\nto remove it: rm "${file}"\n`,
      stderr: `downloading ${releases}/v${version}/${archive}\n`,
      exit: 0,
      left: ['.local', '.local/bin', '.local/bin/roomctl'],
    })
    expect(execFileSync(file, ['--version'], {encoding: 'utf8'})).toBe(`roomctl/${version}\n`)
  })

  test('installs into another folder, by its relative path and without HOME, and replaces an earlier file', async () => {
    const prefix = path.join(home, 'with blank')
    mkdirSync(path.join(prefix, 'bin'), {recursive: true})
    writeFileSync(path.join(prefix, 'bin/roomctl'), 'an older one')
    const ran = await install(['--prefix', 'with blank'], {}, {HOME: undefined})
    expect(ran).toMatchObject({exit: 0, stdout: expect.stringContaining(`rm "${prefix}/bin/roomctl"`)})
    expect(execFileSync(path.join(prefix, 'bin/roomctl'), {encoding: 'utf8'})).toBe(`roomctl/${version}\n`)
  })

  test('asks for a prefix without HOME', async () => {
    const stderr = 'error: HOME is not set: name a folder with --prefix DIR\n'
    expect(await install([], {}, {HOME: undefined})).toEqual({...nothing, stderr})
  })

  test('refuses a folder in its place, and downloads nothing', async () => {
    const place = path.join(home, '.local/bin/roomctl')
    mkdirSync(place, {recursive: true})
    expect(await install()).toEqual({
      ...nothing,
      stderr: `error: ${place} is a folder: nothing was installed\n`,
      left: ['.local', '.local/bin', '.local/bin/roomctl'],
    })
  })

  test('runs the program beside its place, never in the folder for temporary files', async () => {
    const trial = `case "$*" in *-C\\ ${home}/.local/bin/*) exec /bin/tar "$@";; esac; echo "unpacked elsewhere: $*" >&2; exit 1`
    expect(await install([], {tar: trial})).toMatchObject({exit: 0})
  })

  const system = ['uname', 'grep', 'ldd', 'sed', 'cut', 'mktemp', 'mkdir', 'rm', 'rmdir', 'mv', 'cat', 'sh', 'bash']
  test.each([
    ['neither curl nor wget', ['sha256sum', 'tar', 'gzip'], 'curl or wget is needed to download roomctl'],
    ['no program for digests', ['curl', 'tar', 'gzip'], 'sha256sum, shasum or openssl is needed'],
    ['no gzip', ['curl', 'sha256sum', 'tar'], 'gzip is needed to unpack roomctl'],
  ])('names a missing program in a sentence: %s', async (_, programs, sentence) => {
    const ran = await install([], {}, {only: [...system, ...programs]})
    expect(ran).toEqual({...nothing, stderr: expect.stringMatching(new RegExp(`^error: ${sentence}[^\\n]*\\n$`, 'u'))})
  })

  test('downloads with wget, too', async () => {
    const only = [...system, 'wget', 'sha256sum', 'tar', 'gzip']
    expect(await install([], {}, {only})).toMatchObject({exit: 0})
  })

  test('refuses a download with another digest, and installs nothing', async () => {
    const bytes = readFileSync(path.join(release, archive))
    writeFileSync(path.join(release, archive), Buffer.concat([bytes, Buffer.from('x')]))
    const ran = await install()
    writeFileSync(path.join(release, archive), bytes)
    expect(ran).toEqual({
      ...nothing,
      stderr: expect.stringMatching(/^error: the download has the digest \w{64} inst/mu),
    })
  })

  test('says what a download that fails was, and installs nothing', async () => {
    const ran = await install([], {uname: 'test "$1" = -s && echo Darwin || echo arm64', curl: 'exit 22'})
    expect(ran).toEqual({
      ...nothing,
      stderr: expect.stringContaining(
        `\nerror: cannot download ${releases}/v${version}/roomctl-${version}-darwin-arm64.tar.gz\n`,
      ),
    })
  })

  test.each([
    ['musl', {ldd: 'echo "musl libc (x86_64)" >&2; exit 1'}, 'needs glibc, and this system has musl'],
    ['a processor without a file', {uname: 'test "$1" = -s && echo Linux || echo riscv64'}, 'the processor riscv64'],
    ['a system without a file', {uname: 'echo FreeBSD'}, 'there is no single file for FreeBSD'],
  ])('says in a sentence that there is no file for %s', async (_, programs, sentence) => {
    expect(await install([], programs)).toEqual({...nothing, stderr: expect.stringContaining(sentence)})
  })

  test.each([
    [
      'libatomic',
      'libatomic.so.1: cannot open shared object file',
      'libatomic.so.1 is missing: apt-get install libatomic1',
    ],
    ['an old glibc', "version `GLIBC_2.28' not found", 'too old for the single file'],
  ])('installs nothing where the program does not start: %s', async (_, problem, sentence) => {
    const before = new Map(['install.sh', archive].map((name) => [name, readFileSync(path.join(release, name))]))
    const digest = digestOf(archive)
    const program = path.join(work, executableName(ownTarget))
    writeFileSync(program, `#!/bin/sh\necho "roomctl: ${problem.replace('`', '')}" >&2; exit 127\n`)
    const [made = ''] = writeArchives(root, ownTarget, program, work)
    copyFileSync(made, path.join(release, archive))
    writeFileSync(path.join(release, 'install.sh'), read('install.sh').replace(digest, digestOf(archive)))
    const ran = await install()
    for (const [name, bytes] of before) writeFileSync(path.join(release, name), bytes)
    expect(ran).toEqual({...nothing, stderr: expect.stringContaining(sentence)})
  })

  test('installs another version by the script of that version', async () => {
    mkdirSync(path.join(work, 'v0.2.0'), {recursive: true})
    writeFileSync(path.join(work, 'v0.2.0/install.sh'), 'echo "0.2.0 with $*"')
    const ran = await install(['--version', 'v0.2.0', '--prefix', '/opt/x'])
    expect(ran).toMatchObject({stdout: '0.2.0 with --prefix /opt/x\n', exit: 0, left: []})
  })

  test('refuses arguments that it does not know', async () => {
    expect(await install(['--sudo'])).toEqual({...nothing, stderr: expect.stringContaining('unknown argument --sudo')})
  })
})
