import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {reply} from '../answers.js'
import {answering, bare, json} from './answer.js'

/** The fields of the document, with a timestamp that has no zone (asset, Common resource metadata). */
const meta = {
  _id: 'i-1',
  uuid: 'u-1',
  assetResourceFileId: 'u-2',
  originalFileName: 'a.bundle',
  fileExtension: 'bundle',
  description: 'A bundle',
  dataUrl: 'https://files.test/a.bundle',
  platform: 'ANDROID',
  parents: '/games/foo/',
  owners: ['ann', 'ben'],
  trashed: false,
  trashingUserId: null,
  trashedAt: null,
  readAt: null,
  updatedAt: '2026-11-21T09:00:00.123',
  createdAt: '2026-11-20T09:00:00.123',
}

describe('the metadata of a resource', () => {
  test('is a card, its timestamps as they came', async () => {
    const transport = answering({'GET /games/foo/u-1?type=meta': json(meta)})
    const ran = await cli('asset show games/foo/u-1', {transport})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout.split('\n').map((text) => text.trim().replace(/ {2,}/u, ': '))).toEqual([
      'a.bundle',
      '',
      'UUID: u-1',
      'Platform: ANDROID',
      'Description: A bundle',
      'Parents: /games/foo/',
      'Data URL: https://files.test/a.bundle',
      'Owners: ann, ben',
      'Extension: bundle',
      'Belongs to asset: u-2',
      'Created: 2026-11-20T09:00:00.123',
      'Updated: 2026-11-21T09:00:00.123',
      'Read: -',
      'Trashed: no',
      '',
    ])
    expect(JSON.parse((await cli('asset show games/foo/u-1 -o json', {transport})).stdout)).toEqual(meta)
    expect((await cli('asset show games/foo/u-1 -q', {transport})).stdout).toBe('u-1\n')
  })

  test('says who put it into the trash, and when', async () => {
    const trashed = {...meta, trashed: true, trashedAt: '2026-11-21T10:00:00', trashingUserId: 'ann'}
    const transport = answering({'GET /games/foo/u-1?type=meta': json(trashed)})
    const {stdout} = await cli('asset show games/foo/u-1', {transport})
    expect(stdout).toContain('It was moved to the trash at 2026-11-21T10:00:00 by ann.\n')
  })

  test('is read by the request of its view', () =>
    everyCase(
      [
        'games/puzzle/a-level1',
        '/asset/games/puzzle/a-level1?type=asset',
        'http://sandbox.localhost/asset/games/puzzle/a-level1',
      ],
      async (word) => {
        const ran = await cli(['asset', 'show', word, '-o', 'json'])
        expect(ran).toMatchObject({exit: 0, stderr: ''})
        expect(ran.sent).toMatchObject([{method: 'GET', path: '/asset/games/puzzle/a-level1?type=meta'}])
        expect(JSON.parse(ran.stdout)).toMatchObject({
          originalFileName: 'level1.bundle',
          assetResourceFileId: 'a-catalog',
        })
      },
    ))

  test('of a missing resource ends with 6', async () => {
    expect(await cli('asset show games/puzzle/nope')).toMatchObject({exit: 6, stdout: ''})
  })

  test('has four views and no others', async () => {
    const ran = await cli('asset show games/puzzle/a-level1 --view catalogue')
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('try: use --view catalog\n')
  })
})

test('the link of a resource is its uri and type', async () => {
  const ran = await cli('asset show games/puzzle/a-logo --view link -o json')
  expect(ran.sent).toMatchObject([{method: 'GET', path: '/asset/games/puzzle/a-logo'}])
  expect(JSON.parse(ran.stdout)).toEqual({uri: '/asset/games/puzzle/a-logo', type: 'CommonResource'})
  const card = await cli('asset show games/puzzle/a-logo --view link')
  expect(card.stdout).toContain('URI   /asset/games/puzzle/a-logo\n')
})

describe('the catalog view of a bundle', () => {
  test('shows the content of the catalog', async () => {
    const ran = await cli('asset show games/puzzle/a-level1 --view catalog')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.sent).toMatchObject([{path: '/asset/games/puzzle/a-level1?type=catalog'}])
    expect(ran.stdout).toContain('Catalog\n\n  {\n    "version": 1,\n')
    const [heading = '', row] = (await cli('asset show games/puzzle/a-level1 --view catalog -o csv')).stdout.split('\n')
    expect(heading.endsWith(',metaJson')).toBe(true)
    expect(row).toMatch(/,"\{""/u)
    const query = ['asset', 'show', 'games/puzzle/a-level1', '--view', 'catalog', '-o', 'json', '--query']
    expect((await cli([...query, 'metaJson.bundles[].name'])).stdout).toBe('[\n  "level1.bundle"\n]\n')
  })

  test('shows any JSON, whose shape the document does not show', () =>
    everyCase(
      [
        ['text of JSON', '{"version":2}', '    "version": 2\n'],
        ['any text', 'not \u001b[31mJSON', '  "not \\u001b[31mJSON"\n'],
        ['a list', [1, 2], '    1,\n'],
      ],
      async (_, metaJson, shown) => {
        const transport = answering({'GET /g/u-1?type=catalog': json({uuid: 'u-1', metaJson})})
        const ran = await cli('asset show g/u-1 --view catalog', {transport})
        expect(ran.exit).toBe(0)
        expect(ran.stdout).toContain(shown)
        expect(ran.stdout).not.toContain('\u001b')
      },
    ))

  test('without a catalog is the fields alone', async () => {
    const transport = answering({'GET /g/u-1?type=catalog': json({uuid: 'u-1', metaJson: null})})
    expect((await cli('asset show g/u-1 --view catalog', {transport})).stdout).not.toContain('Catalog\n')
  })
})

describe('what ?type=asset answers', () => {
  const view = (...flags: string[]) => ['asset', 'show', 'games/foo/u-1', '--view', 'asset', ...flags]
  const service = (answer: () => ReturnType<ReturnType<typeof json>>) =>
    answering({'GET /games/foo/u-1?type=asset': answer})

  test('is shown where it is JSON', async () => {
    const transport = service(json({uri: 'x', parts: [1]}))
    expect((await cli(view(), {transport})).stdout).toBe('{\n  "uri": "x",\n  "parts": [\n    1\n  ]\n}\n')
    expect(JSON.parse((await cli(view('-o', 'json', '--query', 'parts'), {transport})).stdout)).toEqual([1])
  })

  test('is shown of a catalog file, though it does not call itself JSON', async () => {
    const ran = await cli('asset show games/puzzle/a-catalog --view asset -o json')
    expect(JSON.parse(ran.stdout)).toMatchObject({version: 1})
  })

  test('is described where it is a file: no byte of it reaches the terminal', async () => {
    const ran = await cli('asset show games/puzzle/a-level1 --view asset')
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toBe(
      'games/puzzle/a-level1\n\n  Content type  application/octet-stream\n  Size          2.9 KiB\n',
    )
    expect(ran.stderr).toBe('to write the bytes: roomctl asset download games/puzzle/a-level1\n')
    const machine = await cli('asset show games/puzzle/a-level1 --view asset -o json')
    expect(JSON.parse(machine.stdout)).toEqual({
      resource: 'games/puzzle/a-level1',
      content_type: 'application/octet-stream',
      size: 3000,
    })
  })

  test('is described where it is no JSON that can be shown', () =>
    everyCase(
      [
        ['text', 'hello \u001b[2J', 'text/plain'],
        ['a page', '<html>Sign in', 'text/html'],
        ['JSON that is damaged', '{"a":', 'application/json'],
        ['nothing', '', 'application/octet-stream'],
        ['a number that calls itself text', '42', 'text/plain'],
      ],
      async (_, text, type) => {
        const transport = service(() => reply(text, {headers: {'content-type': type}}))
        const ran = await cli(view('-o', 'json'), {transport})
        expect(JSON.parse(ran.stdout)).toEqual({
          resource: 'games/foo/u-1',
          content_type: type,
          size: Buffer.byteLength(text),
        })
      },
    ))

  test('shows the announced size of a large file', async () => {
    const headers = {'content-type': 'application/x-bundle', 'content-length': '5000000000'}
    const transport = service(() => ({...bare(200, headers)(), body: blocks(40)}))
    const ran = await cli(view(), {transport})
    expect(ran.stdout).toContain('Size          4.7 GiB\n')
  })
})

async function* blocks(count: number): AsyncIterable<Uint8Array> {
  for (let n = 0; n < count; n += 1) yield Buffer.alloc(64 * 1024, n)
}
