import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {killUploads} from '../../bench/kills/killing.js'
import {seeded} from '../../bench/kills/seeded.js'
import type {ServiceKind} from '../../bench/kills/services.js'
import {killShards} from '../../bench/kills/shards.js'
import {writeNoise} from '../../bench/upload/files.js'
import {freshFolder} from '../support/folder.js'
import {warm} from '../support/warm.js'

// A short form of `npm run bench -- kills`, which repeats each of these many times.

const bytes = 12 * 2 ** 20
const chunk = 2 ** 19
let folder: string
let cache: string
let file: string
let sha256: string

beforeAll(() => {
  folder = freshFolder()
  cache = path.join(folder, 'cache')
  warm(cache)
  file = path.join(folder, 'level.bundle')
  writeNoise(file, bytes, 7)
  sha256 = createHash('sha256').update(readFileSync(file)).digest('hex')
})

const sandbox: ServiceKind = {shows: 'hidden', head: true, cut: 'discarded'}

test.each<ServiceKind & {where: string}>([
  {where: 'the sandbox', ...sandbox},
  {where: 'a sandbox that answers no HEAD', ...sandbox, head: false},
  {where: '@tus/server as it comes from npm', shows: 'hidden', head: true, cut: 'kept'},
  {
    where: '@tus/server, which keeps pieces of chunks, without HEAD',
    shows: 'hidden',
    head: false,
    cut: 'kept',
  },
  {where: 'a service that lists what is unfinished', shows: 'listed', head: true, cut: 'kept'},
  {where: 'such a service without HEAD', shows: 'listed', head: false, cut: 'discarded'},
  {where: 'a service whose unfinished uploads have a dataUrl', shows: 'dataUrl', head: true, cut: 'discarded'},
  {where: 'such a service that keeps pieces, without HEAD', shows: 'dataUrl', head: false, cut: 'kept'},
])(
  'of an upload to $where that is killed and started again, every byte arrives, and no more of it twice than a kill can cost',
  {timeout: 120_000},
  async ({where: _, ...service}) => {
    const report = await killUploads({
      // One upload, killed at its creation, its first byte and its middle, each time after a kill at random.
      ...{rounds: 1, killsEach: 6, files: new Map([[file, sha256]]), bytes, folder, cache, ...service},
      roomctl: path.resolve(import.meta.dirname, '../../bin/run.cjs'),
      flags: ['--chunk-size', '512KiB'],
      random: seeded(7),
    })
    expect(report).toMatchObject({failed: 0, missing: 0, doubled: 0, unequal: 0, over: 0, largestChunk: chunk})
    expect(report.amid).toBeGreaterThan(0)
  },
)

// Of the ways in which a shard learns of what others sent: the listing with HEAD, without it, and a dataUrl of what is unfinished.
test.each<ServiceKind & {where: string}>([
  {where: '@tus/server as it comes from npm', shows: 'hidden', head: true, cut: 'kept'},
  {where: 'a sandbox that answers no HEAD', ...sandbox, head: false},
  {where: '@tus/server with unfinished uploads shown', shows: 'dataUrl', head: true, cut: 'kept'},
])(
  'three shards on $where, killed at random, leave each file once, and fresh runners then send nothing',
  {timeout: 240_000},
  async ({where: _, ...service}) => {
    const report = await killShards({
      ...{shards: 3, kills: 2, levels: 6, folder, cache, random: seeded(7), ...service},
      roomctl: path.resolve(import.meta.dirname, '../../bin/run.cjs'),
    })
    expect(report).toMatchObject({files: 13, missing: [], doubled: [], unequal: [], wronglyLinked: []})
    expect(report.again).toEqual({creates: 0, bytes: 0, skipped: 13})
    expect(report.kills).toBeGreaterThan(0)
  },
)
