import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {type VerifyOptions, verifyUpload} from '../../../../src/upload/download/verify.js'
import type {UploadJob} from '../../../../src/upload/model/job.js'
import {everyCase} from '../../../support/everyCase.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {contextFor, type Handler, notFound, serveAssets, sha256} from './stage.js'

const content = '{"bundles": ["a", "b"], "version": 3}'

/** What the service keeps after an upload went well. */
const kept = {originalFileName: 'catalog.json', platform: 'IOS', assetResourceFileId: null, dataUrl: '/data'}

interface Case extends Partial<VerifyOptions> {
  readonly meta?: object
  readonly answers?: Handler
  readonly job?: Partial<UploadJob>
}

/** Verifies the upload of catalog.json, which is `content`, against what the case says of the service. */
async function verified({meta = {}, answers = notFound, job = {}, ...rest}: Case) {
  const {level = 'meta', ...options} = rest
  const folder = freshFolder()
  const file = path.join(folder, 'catalog.json')
  writeFileSync(file, content)
  const own = await serveAssets(() => ({...kept, ...meta}), answers)
  const sent = {
    key: 'build/catalog.json',
    path: file,
    container: 'games/foo',
    name: 'catalog.json',
    platform: 'ios',
    description: 'build 7',
    ...job,
  } as const
  const result = {
    key: sent.key,
    path: file,
    uuid: 'u-1',
    uri: `${own.url.href}asset/games/foo/u-1`,
    bytes: content.length,
    sha256: sha256(content),
    sentBytes: content.length,
  }
  const done = verifyUpload(await contextFor(own.url), sent, result, {level, ...options})
  return {own, done}
}

const json =
  (value: unknown): Handler =>
  (request, response) => {
    if (request.url !== '/asset/games/foo/u-1?type=catalog') return notFound(request, response)
    response.writeHead(200, {'content-type': 'application/json'}).end(JSON.stringify(value))
  }

describe('the metadata', () => {
  test('may show the name encoded or decomposed', () =>
    everyCase(
      [
        ['텍스처 50%.bundle', '텍스처 50%.bundle'],
        ['텍스처 50%.bundle', '%ED%85%8D%EC%8A%A4%EC%B2%98 50%25.bundle'],
        ['텍스처.bundle'.normalize('NFC'), '텍스처.bundle'.normalize('NFD')],
        ['100%.bundle', '100%.bundle'],
      ],
      async (name, originalFileName) => {
        const {done} = await verified({job: {name}, meta: {originalFileName}})
        expect(await done).toBeUndefined()
      },
    ))

  test('that differ from the sent ones are named', () =>
    everyCase(
      [
        [{originalFileName: 'other.json'}, 'originalFileName', 'it keeps "other.json", and "catalog.json" was sent'],
        [{platform: 'android'}, 'platform', 'it keeps "android", and "ios" was sent'],
        [{platform: null}, 'platform', 'it keeps none, and "ios" was sent'],
        [{assetResourceFileId: 'a-1'}, 'assetResourceFileId', 'it keeps "a-1", and none was sent'],
      ],
      async (meta, field, why) => {
        const {done} = await verified({meta})
        const {facts, exitCode} = await failureOf(done)
        expect([exitCode, facts.code, facts.outcome]).toEqual([10, 'stored-otherwise', 'applied'])
        expect(facts.message).toBe(
          `build/catalog.json was uploaded, but is not verified: the service keeps another ${field} than was sent`,
        )
        expect(facts.why).toBe(why)
      },
    ))

  test('that lack what an underscored header carried tell of nginx', () =>
    everyCase(
      [
        [{originalFileName: undefined}, {}, 'Original_File_Name'],
        [{originalFileName: ''}, {}, 'Original_File_Name'],
        [{}, {link: 'a-1'}, 'Asset_Resource_File_Id'],
      ],
      async (meta, job, header) => {
        const {facts} = await failureOf((await verified({meta, job})).done)
        expect(facts.why).toContain(`the header ${header} was lost on the way: nginx drops names with underscores`)
        expect(facts.try).toContain('underscores_in_headers on')
      },
    ))

  test('of a name that came out garbled tell of the setting', async () => {
    const {facts} = await failureOf(
      (await verified({job: {name: '방.json'}, meta: {originalFileName: 'ë°©.json'}})).done,
    )
    expect(facts.try).toContain('asset.headerEncoding')
  })

  test('that are not there fail as such', async () => {
    const {done} = await verified({job: {container: 'elsewhere'}})
    const {facts, exitCode} = await failureOf(done)
    expect([exitCode, facts.outcome]).toEqual([6, 'applied'])
    expect(facts.message).toMatch(
      /^build\/catalog\.json was uploaded, but is not verified: cannot read the metadata of /,
    )
  })
})

describe('the catalog', () => {
  test.each([
    ['as JSON', {version: 3, bundles: ['a', 'b']}],
    ['as its text', content],
  ])('is shown %s', async (_, metaJson) => {
    const {done} = await verified({level: 'catalog', answers: json({metaJson})})
    expect(await done).toBeUndefined()
  })

  test('with any other content is another', () =>
    everyCase(
      [
        [{version: 3, bundles: ['b', 'a']}],
        [{version: 3}],
        [{version: 3, bundles: ['a', 'b'], more: 1}],
        [{version: 3, bundles: {0: 'a', 1: 'b'}}],
        ['not JSON'],
        [null],
      ],
      async (metaJson) => {
        const {done} = await verified({level: 'catalog', answers: json({metaJson})})
        const {facts, exitCode} = await failureOf(done)
        expect([exitCode, facts.code, facts.outcome]).toEqual([14, 'bytes-differ', 'applied'])
      },
    ))

  test('of a bundle is compared with the one that is named, and else not at all', async () => {
    const bundle = {level: 'catalog', job: {name: 'a.bundle'}, meta: {originalFileName: 'a.bundle'}} as const
    expect(await (await verified(bundle)).done).toBeUndefined()
    const catalogPath = path.join(freshFolder(), 'c.json')
    writeFileSync(catalogPath, '\ufeff{"version": 4}')
    expect(
      await (await verified({...bundle, catalogPath, answers: json({metaJson: {version: 4}})})).done,
    ).toBeUndefined()
    const {facts} = await failureOf((await verified({...bundle, catalogPath, answers: json({metaJson: {}})})).done)
    expect(facts.message).toContain(`is not the content of ${catalogPath}`)
  })

  test('that cannot be read here is a matter of the file', async () => {
    const catalogPath = path.join(freshFolder(), 'c.json')
    expect((await failureOf((await verified({level: 'catalog', catalogPath})).done)).facts.why).toBe('no such file')
    writeFileSync(catalogPath, 'secret, not JSON')
    const {facts, exitCode} = await failureOf((await verified({level: 'catalog', catalogPath})).done)
    expect(exitCode).toBe(14)
    expect(JSON.stringify(facts)).not.toContain('secret')
  })
})

describe('the bytes', () => {
  const gives =
    (bytes: string): Handler =>
    (_, response) =>
      response.end(bytes)

  test('that are cut or changed are not equal', () =>
    everyCase(
      [
        [content.replace('3', '4'), `sha256 ${sha256(content.replace('3', '4'))}, not ${sha256(content)}`],
        [content.slice(1), `${content.length - 1} bytes instead of ${content.length}, sha256 `],
        ['', `0 bytes instead of ${content.length}, sha256 `],
      ],
      async (bytes, why) => {
        const {facts, exitCode} = await failureOf((await verified({level: 'download', answers: gives(bytes)})).done)
        expect([exitCode, facts.code, facts.outcome]).toEqual([14, 'bytes-differ', 'applied'])
        expect(facts.why).toContain(why)
      },
    ))

  test('that cannot be had fail as such', async () => {
    const {exitCode, facts} = await failureOf((await verified({level: 'download'})).done)
    expect([exitCode, facts.outcome]).toEqual([6, 'applied'])
  })
})
