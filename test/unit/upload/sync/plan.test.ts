import {createHash} from 'node:crypto'
import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {isDeepStrictEqual} from 'node:util'
import {describe, expect, test} from 'vitest'
import type {Listing} from '../../../../src/api/contract/assetShapes.js'
import {listedResources, type PresenceCheck, unproven} from '../../../../src/upload/download/presence.js'
import {entryId, isFinished, type LedgerEntry} from '../../../../src/upload/ledger/entry.js'
import type {Place} from '../../../../src/upload/ledger/finished.js'
import type {SyncFile} from '../../../../src/upload/model/job.js'
import {makePlan, type PlannedFile} from '../../../../src/upload/sync/plan.js'
import {everyCase} from '../../../support/everyCase.js'
import {folderWith} from '../folder.js'

const base = new URL('https://assets.example.com/asset')
const container = 'games/foo'
const at = '2026-12-01T12:00:00.000Z'

function file(key: string, facts: Partial<SyncFile> = {}): SyncFile {
  const role = key.endsWith('.bundle') ? 'bundle' : 'asset'
  return {key, path: `/build/${key}`, role, name: key, platform: 'ios', description: 'Build 42', ...facts}
}

const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')

/** A digest of the size and of samples, as files/localFile.ts takes it of a file so small. */
const sampleOf = (content: string) => sha256(`${content.length}\n${sha256(content)}`)

/** The ledger's entry of a file with this content, started but not finished. */
function begun(of: SyncFile, content: string, changed: Partial<LedgerEntry> = {}): LedgerEntry {
  const {name, platform, description, path} = of
  const target = {base: 'https://assets.example.com/asset', container, name, platform, description}
  const linked = changed.link === undefined ? target : {...target, link: changed.link}
  const [size, sample] = [content.length, sampleOf(content)]
  return {
    ...linked,
    id: entryId(linked, size, sample),
    path,
    size,
    sample,
    stamp: {ino: '1', mtimeNs: '1', ctimeNs: '1'},
    begunAt: at,
    updatedAt: at,
    acked: [],
    ...changed,
  }
}

/** The entry of an upload that was finished. */
function done(of: SyncFile, content: string, uuid: string, changed: Partial<LedgerEntry> = {}): LedgerEntry {
  return begun(of, content, {
    url: `https://assets.example.com/asset/${container}/${uuid}`,
    done: {uuid, sha256: sha256(content), at},
    ...changed,
  })
}

/** A listing with asset resources, `uuid: name`. */
function listing(resources: Readonly<Record<string, string>>, platform: string | null = 'IOS'): Listing {
  const assetResources = Object.entries(resources).map(([uuid, name]) => ({
    type: 'AssetResource',
    platform,
    name,
    uri: `/asset/${container}/${uuid}?type=asset`,
  }))
  return {type: 'BasicContainer', name: 'foo', contains: [], resources: {assetResources, commonResources: []}}
}

/** A plan of files with these contents, for a container whose metadata agree with the ledger. */
async function plan(
  contents: readonly (readonly [SyncFile, string])[],
  entries: readonly LedgerEntry[],
  listing: Listing,
): Promise<PlannedFile[]> {
  const folder = folderWith()
  const files = contents.map(([item, content]) => {
    const file = {...item, path: path.join(folder, item.key)}
    writeFileSync(file.path, content)
    return file
  })
  const check: PresenceCheck['check'] = async ({uuid}, {known, isUnlisted}) => {
    if (isUnlisted) return {lack: 'missing', why: 'it is gone'}
    return known ? {proof: known, link: entries.find(({done}) => done?.uuid === uuid)?.link} : unproven
  }
  const ledger = {
    finishedAs: (places: readonly Place[]) =>
      entries.filter(isFinished).filter((entry) => places.some((place) => isDeepStrictEqual(placeOf(entry), place))),
    unfinished: () => entries.filter(({done}) => !done),
    hasLost: false,
  }
  const {signal} = new AbortController()
  const how = {
    fresh: false,
    stamp: false,
    readsBytes: false,
    concurrency: 1,
    signal,
    presence: {check, unproven: async () => unproven},
  }
  return makePlan(files, {base, container, listed: listedResources(listing), ledger, ...how})
}

const placeOf = ({base, container, name}: Place): Place => ({base, container, name})

const inShort = (planned: readonly PlannedFile[]) =>
  planned.map(({file: {key}, action, reason, there}) => [key, action, there?.uuid ?? reason])

describe('one file', () => {
  const a = file('a.png')
  const there = listing({u1: 'a.png'})
  const common: Listing = {resources: {commonResources: [{type: 'x', name: 'a.png', uri: `/asset/${container}/u1`}]}}
  const mine = done(a, 'one', 'u1')
  const cut = {url: 'https://x/u', acked: [{from: 0, to: 2}]}
  const [elsewhere, digest] = ['https://elsewhere.example.com/asset', sha256('eno')]
  const renamed = 'listed under another name or platform'
  const noDigest = 'its upload left no sha256 to compare it with'

  test('is skipped only where ledger and listing prove that it is there', () =>
    everyCase<[string, LedgerEntry[], Listing, string, string]>(
      [
        ['a common resource', [mine], common, 'skip', 'u1'],
        ['another resource of its name', [mine], listing({u2: 'a.png'}), 'upload', 'no longer in the container'],
        ['its uuid under another name', [mine], listing({u1: 'b.png'}), 'upload', renamed],
        ['its uuid of another platform', [mine], listing({u1: 'a.png'}, 'ANDROID'), 'upload', renamed],
        [
          'another sha256',
          [{...mine, done: {uuid: 'u1', sha256: digest, at}}],
          there,
          'upload',
          'changed since it was uploaded',
        ],
        ['no sha256', [{...mine, done: {uuid: 'u1', sha256: null, at}}], there, 'upload', noDigest],
        ['an upload to another container', [{...mine, container: 'games/bar'}], listing({}), 'upload', 'new'],
        ['an upload to another service', [{...mine, base: elsewhere}], listing({}), 'upload', 'new'],
        ['a newer upload that is gone', [mine, done(a, 'one', 'u2')], there, 'skip', 'u1'],
        ['an upload without an address', [begun(a, 'one')], listing({}), 'upload', 'new'],
        [
          'an upload that was cut',
          [begun(a, 'one', cut)],
          listing({}),
          'resume',
          `started ${at}, 2 of 3 bytes are acknowledged`,
        ],
        ['a cut upload of other content', [begun(a, 'two', cut)], listing({}), 'upload', 'new'],
      ],
      async (_, entries, listed, action, expected) => {
        expect(inShort(await plan([[a, 'one']], entries, listed))).toEqual([['a.png', action, expected]])
      },
    ))

  test('is skipped where the service keeps its name encoded or decomposed', async () => {
    const named = file('한 국.png')
    for (const name of [encodeURIComponent(named.name), named.name.normalize('NFD')]) {
      expect(inShort(await plan([[named, 'x']], [done(named, 'x', 'u1')], listing({u1: name})))[0]?.[1]).toBe('skip')
    }
  })
})

describe('a bundle and its asset', () => {
  const asset = file('level.unity')
  const bundle = file('level.bundle', {link: {file: 'level.unity'}})
  const both = [
    [bundle, 'bb'],
    [asset, 'aa'],
  ] as const

  test('are both uploaded where the asset is only resumed', async () => {
    const half = begun(asset, 'aa', {url: 'https://x/a2', acked: [{from: 0, to: 1}]})
    expect((await plan(both, [half], listing({}))).map(({action, after}) => [action, after])).toEqual([
      ['resume', undefined],
      ['upload', 'level.unity'],
    ])
  })

  test('the bundle alone is uploaded where it was linked to another uuid', async () => {
    const linked = [done(asset, 'aa', 'a1'), done(bundle, 'bb', 'b1', {link: 'a0'})]
    const planned = await plan(both, linked, listing({a1: 'level.unity', b1: 'level.bundle'}))
    expect(inShort(planned)).toEqual([
      ['level.unity', 'skip', 'a1'],
      ['level.bundle', 'upload', 'another link than it was uploaded with'],
    ])
    expect(planned[1]).toMatchObject({link: 'a1'})
  })

  test('the bundle is resumed where its asset is there', async () => {
    const half = begun(bundle, 'bb', {link: 'a1', url: 'https://x/b2', acked: [{from: 0, to: 1}]})
    const [, second] = await plan(both, [done(asset, 'aa', 'a1'), half], listing({a1: 'level.unity'}))
    expect(second).toMatchObject({action: 'resume', from: 1, bytes: 2, link: 'a1'})
  })
})
