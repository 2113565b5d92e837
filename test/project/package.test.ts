import {execFile, execFileSync, spawnSync} from 'node:child_process'
import {copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import path from 'node:path'
import {promisify} from 'node:util'
import {gunzipSync} from 'node:zlib'
import type {Manifest} from '@oclif/core/interfaces'
import {build, type Metafile} from 'esbuild'
import {describe, expect, test} from 'vitest'
import {coldFolders, coldGroups, coldTopics, groupFile, hotModules} from '../../scripts/coldGroups.js'
import {coldFile, coldPackages} from '../../scripts/coldPackages.js'
import {sortedManifest} from '../../scripts/manifest.js'
import {splitManifest} from '../../scripts/splitManifest.js'
import {standIns} from '../../scripts/standIns.js'
import {helpTopics} from '../../src/cli/help/topicPages.js'
import {bundledFolders} from '../support/bundledFolders.js'
import {everyCase} from '../support/everyCase.js'
import {freshFolder} from '../support/folder.js'
import {packed} from '../support/packed.js'
import {pjson, readText, root} from '../support/repository.js'

const metafiles: Metafile[] = JSON.parse(readText('dist/meta.json'))
const [hot, ...cold] = metafiles
const ofGroups = cold.slice(0, coldGroups.length)

/** The packages whose code is in a bundle. */
function packagesIn(metafile: Metafile | undefined): Set<string> {
  const files = Object.keys(metafile?.inputs ?? {})
  return new Set(files.flatMap((file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []))
}

/** The names of the packages with bytes in the bundles. */
function shippedPackages(): string[] {
  return bundledFolders(metafiles).map((folder) => folder.replace(/^.*node_modules\//, ''))
}

describe('what every start loads', () => {
  test('holds nothing of a package that only some commands need', () =>
    everyCase(
      [
        ...coldPackages.map(({name}) => name.split('/sync')[0] ?? name),
        'ajv',
        'iconv-lite',
        'rxjs',
        'node-forge',
        'typescript',
      ],
      (name) => {
        expect([...packagesIn(hot)]).not.toContain(name)
      },
    ))

  test('holds nothing of a folder that only some commands need', () =>
    everyCase(coldFolders, (folder) => {
      const files = Object.keys(hot?.inputs ?? {})
      expect(files.filter((file) => file.startsWith(`src/${folder}/`))).toEqual([])
    }))

  test('holds of the commands of a cold topic only where they are', () =>
    everyCase(
      Object.values(coldTopics)
        .flat()
        .filter((topic) => topic !== 'main'),
      (topic) => {
        const inputs = Object.entries(Object.values(hot?.outputs ?? {})[0]?.inputs ?? {})
        const commands = inputs.filter(([file]) => new RegExp(`^src/commands/${topic}[./]`).test(file))
        expect(commands.length).toBeGreaterThan(0)
        for (const [file, {bytesInOutput}] of commands) {
          if (!hotModules.includes(file.replace(/^src\//, ''))) expect(bytesInOutput, file).toBeLessThan(200)
        }
      },
    ))

  test('holds the packages that docs/dependencies.md names, and no other that the source imports', () => {
    const [, section = ''] = readText('docs/dependencies.md').split('\n## ')
    const told = [...section.matchAll(/^\| `([^`]+)` \|/gmu)].map(([, name = '']) => name)
    const loaded = bundledFolders(hot ? [hot] : []).map((folder) => folder.replace(/^node_modules\//, ''))
    expect(section).toMatch(/^In the bundle that every start loads/u)
    expect(loaded.filter((name) => name in pjson.devDependencies).sort()).toEqual(told.sort())
  })

  test('and each other file of a package has the size that docs/dependencies.md says, within a tenth or 1 KB', () => {
    const page = readText('docs/dependencies.md')
    const said = new Map(
      [...page.matchAll(/^\| `([^`]+)` \| (\d+) \|/gmu)].map(([, name, size]) => [name, Number(size)]),
    )
    const inputs = Object.values(hot?.outputs ?? {}).flatMap((output) => Object.entries(output.inputs))
    const ofHot = (name: string) => inputs.filter(([file]) => file.includes(`node_modules/${name}/`))
    const sizes = [...said.keys()].map((name = '') => {
      const packaged = coldPackages.find((one) => one.name === name || one.name === `${name}/sync`)
      const bytes = packaged
        ? readText(`dist/${coldFile(packaged.name)}`).length
        : ofHot(name).reduce((sum, [, {bytesInOutput}]) => sum + bytesInOutput, 0)
      return [name, bytes / 1000] as const
    })
    expect(sizes.length).toBe(3 + coldPackages.length)
    expect(sizes.filter(([name, size]) => Math.abs(size - (said.get(name) ?? 0)) > Math.max(1, size / 10))).toEqual([])
  })

  test('has a stand-in for each part of oclif that is never used', () => {
    const standingIn = (metafile: Metafile | undefined) =>
      Object.keys(metafile?.inputs ?? {}).filter((file) => file.startsWith('stand-in:'))
    const named = (texts: object) => Object.keys(texts).map((name) => `stand-in:${name}`)
    expect(standingIn(hot).sort()).toEqual(named(standIns).sort())
  })

  test('is one file for room list, whose code alone is then in the cache', async () => {
    const cache = freshFolder()
    const server = createServer((_, answer) => answer.end('{"status":"SUCCESS","data":[{"room_id":"r-1"}]}'))
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    const {port} = server.address() as AddressInfo
    const service = {ROOMCTL_ROOM_URL: `http://127.0.0.1:${port}`, ROOMCTL_ROOM_TOKEN: 'a-token-of-the-room-service'}
    const env = {PATH: process.env.PATH, HOME: cache, ROOMCTL_CACHE_DIR: cache, ...service}
    const {stdout} = await promisify(execFile)(process.execPath, [path.join(root, 'bin/run.cjs'), 'room', 'list'], {
      env,
    })
    server.close()
    expect(stdout).toContain('r-1')
    expect(readdirSync(cache).filter((file) => file.endsWith('.bin'))).toEqual([expect.stringMatching(/-main\.bin$/)])
  })

  test('is at most 325 KB', () => {
    expect(readText('dist/main.cjs').length).toBeLessThan(325_000)
  })

  test('is ASCII, and begins with the hash of the build, by which the code cache tells builds apart', () => {
    const files = ['main.cjs', ...coldGroups.map(groupFile), ...coldPackages.map(({name}) => coldFile(name))]
    const build = readText('dist/main.cjs').slice(0, 18)
    expect(build).toMatch(/^\/\/[0-9a-f]{16}$/)
    expect(files.filter((file) => !readText(`dist/${file}`).startsWith(`${build}\n`))).toEqual([])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII is looked for
    expect(files.filter((file) => /[^\u0000-\u007f]/.test(readText(`dist/${file}`)))).toEqual([])
  })

  test('requires, with the groups that it leaves out, files that are all there, and nothing that has to be installed', () => {
    const outputs = [hot, ...ofGroups].flatMap((metafile) => Object.values(metafile?.outputs ?? {}))
    const {isBuiltin} = process.getBuiltinModule('node:module')
    const required = outputs
      .flatMap(({imports}) => imports.map(({path}) => path.replace(/^node:/, '').replace(/^\.\/(cold\/)?/, 'cold/')))
      .filter((name) => !isBuiltin(`node:${name}`))
    const isHot = (name: string) => name.startsWith('hot:')
    const main = readText('dist/main.cjs')
    const ofHot = required.filter(isHot).map((name) => name.slice('hot:'.length))
    expect(ofHot.filter((name) => !main.includes(`"${name}":()=>`))).toEqual([])
    expect([...new Set(required)].filter((name) => !isHot(name)).sort()).toEqual(
      [...coldGroups.map(groupFile), ...coldPackages.map(({name}) => coldFile(name)), '@napi-rs/keyring'].sort(),
    )
  })

  test('takes from each cold package only names that its file has', () => {
    const taken = sources().flatMap((text) => [...text.matchAll(/const \{([^}]+)\} = await import\('([^'.]+)'\)/g)])
    for (const [, list = '', name = ''] of taken) {
      const known = coldPackages.find((one) => one.name === name)?.names
      const names = list.split(',').map((one) => one.split(':')[0]?.trim() ?? '')
      if (known) expect(known, `of ${name}`).toEqual(expect.arrayContaining(names))
    }
    expect(taken.length).toBeGreaterThan(coldPackages.length / 2)
  })
})

function sources(): string[] {
  const files = readdirSync(path.join(root, 'src'), {recursive: true, encoding: 'utf8'})
  return files.filter((file) => file.endsWith('.ts')).map((file) => readText(path.join('src', file)))
}

test('uploads load no port of tus-js-client that the tool has its own of', () => {
  const file = cold.find(({outputs}) => `dist/${coldFile('tus-js-client')}` in outputs)
  expect([...packagesIn(file)].sort()).toEqual([
    'js-base64',
    'querystringify',
    'requires-port',
    'tus-js-client',
    'url-parse',
  ])
})

describe('the manifest', () => {
  test('is the one that the program of oclif makes of the commands as they are', async () => {
    expect(JSON.parse(readText('dist/oclif.manifest.json'))).toEqual(await manifestByOclif())
  })

  test('is the same in whatever order its commands were read', () => {
    const manifest: Manifest = JSON.parse(readText('dist/oclif.manifest.json'))
    const shuffled = {...manifest, commands: Object.fromEntries(Object.entries(manifest.commands).reverse())}
    const {heads, details} = splitManifest(sortedManifest(shuffled))
    expect(JSON.stringify(heads)).toBe(readText('dist/commands.json'))
    expect(details).toBe(readText('dist/commandDetails.json'))
  })

  test('names every file under src/commands, and no other', () => {
    const files = readdirSync(path.join(root, 'src/commands'), {recursive: true, encoding: 'utf8'})
    const ids = files.filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3).replaceAll('/', ':'))
    expect(Object.keys(JSON.parse(readText('dist/commands.json'))).sort()).toEqual(ids.sort())
  })
})

/** The output of `oclif manifest` for the source, translated file by file. */
async function manifestByOclif(): Promise<unknown> {
  const work = mkdtempSync(path.join(root, 'dist/oclif-'))
  try {
    copyFileSync(path.join(root, 'package.json'), path.join(work, 'package.json'))
    const outdir = path.join(work, 'src')
    await build({
      absWorkingDir: root,
      entryPoints: ['src/**/*.ts'],
      outbase: 'src',
      outdir,
      format: 'esm',
      target: 'node20.19',
    })
    execFileSync(process.execPath, [path.join(root, 'node_modules/oclif/bin/run.js'), 'manifest'], {
      cwd: work,
      env: {...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true'},
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return JSON.parse(readFileSync(path.join(work, 'oclif.manifest.json'), 'utf8'))
  } finally {
    rmSync(work, {recursive: true, force: true})
  }
}

describe('the package', () => {
  const published = packed()
  const text = packedFile(published.tarball, 'package/package.json')

  test('holds these files and no others', () => {
    expect([...published.files].sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'bin/run.cjs',
        'dist/THIRD-PARTY-NOTICES.txt',
        ...coldGroups.map((group) => `dist/${groupFile(group)}`),
        ...coldPackages.map(({name}) => `dist/${coldFile(name)}`),
        'dist/bom.json',
        'dist/commandDetails.json',
        'dist/commands.json',
        'dist/main.cjs',
        ...pjson.man,
        'docs/asset-manifest.schema.json',
        'docs/exits.json',
        'docs/fields.json',
        'docs/help.schema.json',
        ...helpTopics.map(({name}) => `docs/${name}.md`),
        'package.json',
      ].sort(),
    )
  })

  test('needs no other package and runs nothing when it is installed', () => {
    const packed = JSON.parse(text)
    for (const field of ['scripts', 'dependencies', 'devDependencies']) expect(packed).not.toHaveProperty(field)
    expect(packed.peerDependenciesMeta).toEqual({'@napi-rs/keyring': {optional: true}})
  })

  test('names only shipped files in its package.json', () => {
    const named = [...text.matchAll(/"\.?\/?((?:bin|dist|docs|src|scripts|test)\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((file) => !published.files.some((one) => one === file || one.startsWith(`${file}/`)))).toEqual(
      [],
    )
  })

  test('has pages whose links lead to the tag of its version, as the tarball has no docs', () => {
    const tree = pjson.repository.url.replace(/^git\+|\.git$/g, '')
    const links = ['README.md', 'CHANGELOG.md'].flatMap((file) =>
      [...packedFile(published.tarball, `package/${file}`).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link),
    )
    const ofTag = new RegExp(`^${tree}/(?:blob|raw)/v${pjson.version}/(.+)$`)
    const files = links.flatMap((link) => ofTag.exec(link)?.[1] ?? [])
    expect(files.length).toBeGreaterThan(20)
    expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    expect(links.filter((link) => !/^https:|^#/.test(link))).toEqual([])
  })

  test('carries the bill of materials of the build, without a time or a serial number', () => {
    const bill = JSON.parse(packedFile(published.tarball, 'package/dist/bom.json'))
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: {component: {version: pjson.version}},
    })
    expect(Object.keys(bill)).not.toContain('serialNumber')
    expect(Object.keys(bill.metadata)).toEqual(['component'])
    const components: {name: string; licenses: object[]; hashes: {content: string}[]}[] = bill.components
    expect(new Set(components.map(({name: one}) => one))).toEqual(new Set(shippedPackages()))
    expect(
      components.filter(({hashes, licenses}) => hashes[0]?.content.length !== 128 || licenses.length !== 1),
    ).toEqual([])
  })

  test('carries the licence of every package whose code is in it', () => {
    const notices = readText('dist/THIRD-PARTY-NOTICES.txt')
    const names = shippedPackages()
    expect(names.length).toBeGreaterThan(coldPackages.length)
    for (const name of names) expect(notices).toContain(`\n${name} `)
  })
})

/** A text file of a tarball: behind a header of 512 bytes with its name and, in octal, its size (POSIX ustar). */
function packedFile(tarball: string, name: string): string {
  const tar = gunzipSync(readFileSync(tarball))
  const at = tar.indexOf(`${name}\0`)
  const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
  return tar.toString('utf8', at + 512, at + 512 + size)
}

test('a checkout installed without development packages is not built, and that is no failure', () => {
  const folder = freshFolder()
  const [script = '', file = ''] = pjson.scripts.prepare.split(' ')
  copyFileSync(path.join(root, file), path.join(folder, 'prepare.cjs'))
  const ran = spawnSync(script, ['prepare.cjs'], {cwd: folder, encoding: 'utf8'})
  expect({status: ran.status, stderr: ran.stderr}).toEqual({status: 0, stderr: expect.stringContaining('not built')})
})
