import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import type {Metafile} from 'esbuild'
import {describe, expect, test} from 'vitest'
import {bundleAll} from '../../scripts/bundle.js'
import {thirdPartyNotices} from '../../scripts/notices.js'
import {bundledFolders} from '../support/bundledFolders.js'
import {everyCase} from '../support/everyCase.js'
import {freshFolder} from '../support/folder.js'
import {packed} from '../support/packed.js'
import {pjson, readText, root} from '../support/repository.js'

interface Locked {
  readonly version: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly hasInstallScript?: boolean
}

const {'': _, ...others}: Record<string, Locked> = JSON.parse(readText('package-lock.json')).packages
const locked = Object.entries(others)
const metafiles: Metafile[] = JSON.parse(readText('dist/meta.json'))

/** The packages with bytes in the published files, by their folder below the checkout. */
const bundled = bundledFolders(metafiles)

/** Licences under which code may be handed on within a program under MIT, with its notice. */
const mayBeBundled = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  // Used as BSD-3-Clause.
  '(BSD-3-Clause OR GPL-2.0)',
  // Unchanged, and the notices say where its source is.
  'MPL-2.0',
]

/** Packages for building and testing may be under these as well: they are not distributed. */
const mayBeUsed = [...mayBeBundled, 'MIT OR Apache-2.0', '(MIT OR CC0-1.0)', 'CC0-1.0', 'CC-BY-3.0']

describe('the licence', () => {
  test('of every package whose code is handed on allows that', () =>
    everyCase(bundled, (folder) => {
      expect(mayBeBundled).toContain(JSON.parse(readText(`${folder}/package.json`)).license)
    }))

  test('of every package that builds and tests is one of those that were looked at', () => {
    const unknown = locked.filter(([, {license}]) => license !== undefined && !mayBeUsed.includes(license))
    expect(unknown.map(([folder, {license}]) => `${folder} ${license}`)).toEqual([])
  })

  test('of a package under the MPL is handed on with the place of its source', () => {
    const notices = readText('dist/THIRD-PARTY-NOTICES.txt').split('-'.repeat(80))
    const ofMozilla = notices.filter((notice) => /^\s*\S+ \S+ \(MPL-2.0\)/.test(notice))
    expect(ofMozilla.length).toBeGreaterThan(0)
    for (const notice of ofMozilla) expect(notice).toMatch(/\nIts source: \S*https:\/\/\S+\n/)
  })

  test('of every package is included with its text, even where the package has none', () => {
    const [, ...notices] = readText('dist/THIRD-PARTY-NOTICES.txt').split('-'.repeat(80))
    expect(notices.filter((notice) => notice.length < 400)).toEqual([])
    expect(notices.find((notice) => notice.includes('@tus/utils '))).toContain('Copyright (c) 2015 tus')
  })

  test('without a text stops the build', () => {
    const folder = freshFolder()
    mkdirSync(path.join(folder, 'node_modules/bare'), {recursive: true})
    writeFileSync(path.join(folder, 'node_modules/bare/package.json'), '{"name": "bare", "version": "1.0.0"}')
    const inputs = {
      'node_modules/bare/index.js': {bytesInOutput: 1},
      'node_modules/unused/index.js': {bytesInOutput: 0},
    }
    const metafile = {inputs: {}, outputs: {'dist/a.cjs': {bytes: 1, inputs, imports: [], exports: []}}}
    expect(() => thirdPartyNotices(folder, [metafile])).toThrow('node_modules/bare has no licence text')
  })
})

describe('the lockfile', () => {
  test('has the digest of every package; npm leaves out those of other systems that were not fetched', () => {
    const without = locked.filter(([, {integrity, optional, os}]) => !integrity && !(optional && os))
    expect(without.map(([folder]) => folder)).toEqual([])
  })

  test('names no registry', () => {
    expect(locked.filter(([, {resolved}]) => resolved !== undefined)).toEqual([])
  })

  test('has one package that would run something when it is installed, which works without', () => {
    expect(locked.filter(([, {hasInstallScript}]) => hasInstallScript).map(([folder]) => folder)).toEqual([
      'node_modules/esbuild',
    ])
  })

  test('fixes every version: package.json has no ranges', () => {
    const {devDependencies, peerDependencies} = pjson
    const versions = Object.values<string>({...devDependencies, ...peerDependencies})
    expect(versions.filter((version) => !/^(npm:[\w-]+@)?\d+(\.\d+)*$/.test(version))).toEqual([])
  })
})

test('two builds of the same source make the same code, byte by byte', async () => {
  const unequal = (await bundleAll(root)).filter(({file, text}) => text !== readText(`dist/${file}`))
  expect(unequal.map(({file}) => file)).toEqual([])
})

describe('the installed package', () => {
  const {size, unpackedSize} = packed()
  const megabytes = {packed: size / 1e6, installed: unpackedSize / 1e6}
  const told = /one package of ([\d.]+) MB, ([\d.]+) MB when unpacked, in which code of (\d+) npm packages is bundled/
  const [, packedTold, installedTold, bundledTold] = told.exec(readText('docs/packaging.md').replace(/\s+/g, ' ')) ?? []

  test('has the size that docs/packaging.md names', () => {
    expect(Number(packedTold) / megabytes.packed, String(megabytes.packed)).toBeCloseTo(1, 1)
    expect(Number(installedTold) / megabytes.installed, String(megabytes.installed)).toBeCloseTo(1, 1)
  })

  test('holds code of as many packages as docs/packaging.md, bill of materials and notices tell', () => {
    const versions = new Set(
      bundled.map((folder) => {
        const {name, version} = JSON.parse(readText(`${folder}/package.json`))
        return `${name} ${version}`
      }),
    )
    expect(JSON.parse(readText('dist/bom.json')).components).toHaveLength(versions.size)
    expect(readText('dist/THIRD-PARTY-NOTICES.txt').split('\n')[0]).toBe(
      `roomctl contains code of these ${bundledTold} packages.`,
    )
    expect(versions.size).toBe(Number(bundledTold))
  })

  test('does not grow unnoticed', () => {
    expect(megabytes.packed).toBeLessThan(0.95)
    expect(megabytes.installed).toBeLessThan(3.4)
  })
})
