import {
  appendFileSync,
  chmodSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {stampedDescription} from '../../../../src/upload/model/job.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {meanwhile} from './mischief.js'
import {assetService} from './service.js'
import {bytes, chunk, file, job, run, sha256, sha256Of} from './stage.js'

const mebibyte = 1024 * 1024

test('a link to a file is the file', async () => {
  const service = await assetService()
  const at = file(chunk)
  const link = path.join(freshFolder(), 'link.bundle')
  symlinkSync(at, link)
  const {upload} = await run(service.base)
  await upload(job(link))
  expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
})

test('an empty file is created, and nothing more is sent', async () => {
  const service = await assetService()
  const at = file(0)
  const {upload, ledger, told} = await run(service.base)
  const result = await upload(job(at))
  expect(service.seen).toEqual(['POST'])
  expect(result).toMatchObject({bytes: 0, sentBytes: 0, sha256: sha256(Buffer.alloc(0))})
  expect(ledger.list()).toMatchObject([{done: {uuid: result.uuid}, url: expect.stringContaining(result.uuid), size: 0}])
  expect(told('begun')).toEqual([{kind: 'begun', key: 'level1.bundle', size: 0, from: 0}])
})

// Small ones are held in memory and large ones read as they are sent: what happens to the file meets each in another place.
describe.each([
  ['small', 8 * chunk],
  ['large', 2 * mebibyte],
])('a %s file', (_, size) => {
  const settings = {chunkBytes: size / 4}

  /** Uploads a file to which something happens while its second part is sent. */
  async function uploadWhile(happens: (at: string) => void) {
    const at = file(size)
    const before = sha256Of(at)
    const service = await assetService({mischief: [{to: 'PATCH 2', does: meanwhile(() => happens(at))}]})
    const {upload, ledger} = await run(service.base, {settings})
    return {at, before, service, ledger, upload: upload(job(at))}
  }

  test('that was deleted in the middle is uploaded to its end', async () => {
    const {before, service, upload} = await uploadWhile((at) => rmSync(at))
    expect(await upload).toMatchObject({sha256: before})
    expect(sha256(service.whole().bytes)).toBe(before)
  })

  test('that another took the place of is uploaded to its end, and not mixed', async () => {
    const {before, service, upload} = await uploadWhile((at) => {
      writeFileSync(`${at}.new`, bytes(size, 'b'))
      renameSync(`${at}.new`, at)
    })
    expect(await upload).toMatchObject({sha256: before})
    expect(sha256(service.whole().bytes)).toBe(before)
  })
})

describe.each([
  ['its mode', (at: string) => chmodSync(at, 0o600)],
  ['its time', (at: string) => utimesSync(at, 7, 7)],
  [
    'its time, by the same bytes',
    (at: string) => {
      // Over the old ones: a file that is emptied first has other bytes for a moment.
      writeFileSync(at, bytes(2 * mebibyte), {flag: 'r+'})
      utimesSync(at, 7, 7)
    },
  ],
])('a change of %s alone, again and again', (_, happens) => {
  test.each([
    {checksum: 'sha1', isStamped: false, times: 9, renewed: 0},
    {checksum: 'sha1', isStamped: true, times: 9, renewed: 0},
    {checksum: 'none', isStamped: true, times: 9, renewed: 0},
    // Nothing has a digest of what was sent, so it starts over.
    {checksum: 'none', isStamped: false, times: 1, renewed: 1},
  ] as const)('does not end the upload: $checksum, stamp $isStamped', async ({checksum, isStamped, times, renewed}) => {
    const at = file(2 * mebibyte)
    const service = await assetService({mischief: [{to: 'PATCH', times, does: meanwhile(() => happens(at))}]})
    const {upload, told} = await run(service.base, {settings: {chunkBytes: mebibyte / 2, checksum}})
    const description = isStamped ? stampedDescription('d', sha256Of(at)) : 'd'
    expect(await upload(job(at, {description}))).toMatchObject({sha256: sha256Of(at)})
    expect(sha256(service.whole().bytes)).toBe(sha256Of(at))
    expect([told('warned').length, told('renewed').length]).toEqual([0, renewed])
  })
})

describe.each([
  ['was written', (at: string) => writeFileSync(at, bytes(2 * mebibyte, 'b')), 'it was changed'],
  ['has grown', (at: string) => appendFileSync(at, 'more'), 'it was changed'],
  ['was cut', (at: string) => truncateSync(at, mebibyte), 'it'],
  [
    'was written and given its old time',
    (at: string) => {
      writeFileSync(at, bytes(2 * mebibyte, 'b'))
      utimesSync(at, 1, 1)
    },
    'it was changed',
  ],
])('a file that %s in the middle', (_, happens, what) => {
  test.each(['sha1', 'none'] as const)('is not resumed, and starts over (checksum %s)', async (checksum) => {
    const at = file(2 * mebibyte)
    utimesSync(at, 1, 1)
    const service = await assetService({mischief: [{to: 'PATCH 2', does: meanwhile(() => happens(at))}]})
    const state = freshFolder()
    const settings = {chunkBytes: mebibyte / 2, checksum}
    const first = await run(service.base, {settings, state})
    const {exitCode, facts} = await failureOf(first.upload(job(at)))
    expect([exitCode, facts.code]).toEqual([14, 'file-changed'])
    expect(facts.message).toMatch(new RegExp(`^cannot upload level1.bundle: ${what} .*while it was uploaded$`))
    await first.end()
    expect([...service.uploads.values()].every((held) => held.bytes.length < held.size)).toBe(true)

    const second = await run(service.base, {settings, state})
    const result = await second.upload(job(at))
    expect(result.sha256).toBe(sha256Of(at))
    expect(sha256(service.uploads.get(result.uuid)?.bytes ?? Buffer.alloc(0))).toBe(sha256Of(at))
    expect(second.told('renewed')).toHaveLength(1)
    expect(second.ledger.list()).toHaveLength(1)
  })
})
