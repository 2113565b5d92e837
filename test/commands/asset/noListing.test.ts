import path from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {type SyncBench, syncBench, words} from './syncs.js'
import {creates} from './uploads.js'

/** JSON with 200 in place of a listing, from a service or a proxy, and the message about it. */
const noListings: readonly (readonly [string, string])[] = [
  ['{}', 'is not what the document describes'],
  ['{"message":"under maintenance"}', 'under maintenance'],
  ['{"status":"FAIL","error_code":"CE101","message":"busy"}', 'busy'],
  ['{"resources":null}', 'is not what the document describes'],
  ['{"resources":{}}', 'is not what the document describes'],
  ['{"resources":{"items":[]}}', 'is not what the document describes'],
  ['{"type":"BasicContainer","name":"archive","resources":{"items":[]}}', 'is not what the document describes'],
  ['{"items":[],"total":0}', 'is not what the document describes'],
  ['{"type":"about:blank","title":"Gone"}', 'Gone'],
  ['{"type":"BasicContainer"}', 'is not what the document describes'],
]

/** The sandbox, whose listings are this text. */
function listedAs(own: SyncBench, text: string): Transport {
  const sandbox = sandboxOf(own.store)
  return async (request) => {
    const lists = request.method === 'GET' && request.url.pathname.endsWith('/') && request.url.search === ''
    return lists ? reply(text) : sandbox(request)
  }
}

describe('JSON that is no listing', () => {
  test('stops commands that would take it for an empty container; they send nothing and name the answer', async () => {
    const own = await syncBench({'a.txt': 'a'})
    await own.sync(words)
    const [file, dir] = [path.join(own.folder, 'a.txt'), path.join(own.home, 'out')]
    const lines = [
      ['asset', 'sync', 'games/archive', own.folder, ...words],
      ['asset', 'sync', 'games/archive', own.folder, ...words, '--stamp'],
      ['asset', 'sync', 'games/archive', own.folder, ...words, '--dry-run'],
      ['asset', 'sync', 'games/archive', own.folder, ...words, '--create'],
      ['asset', 'sync', 'games/archive', own.folder, ...words, '--check'],
      ['asset', 'upload', 'games/archive', file, ...words],
      ['asset', 'list', 'games/archive'],
      ['asset', 'list', 'games/archive', '--tree'],
      ['asset', 'download', 'games/archive', '--recursive', '--dir', dir],
    ]
    await everyCase(
      // Ten texts for nine lines: each text for three of the lines.
      lines.flatMap((line, nth) =>
        noListings.filter((_, at) => (at + nth) % 3 === 0).map(([text, said]) => ({line, text, said})),
      ),
      async ({line, text, said}) => {
        for (const home of [own.home, freshHome()]) {
          const ran = await own.cli(line, {home, transport: listedAs(own, text)})
          expect({exit: ran.exit, creates: creates(ran.sent), stdout: ran.stdout}).toEqual({
            ...{exit: 10, creates: [], stdout: ''},
          })
          expect(ran.stderr).toContain('why: the answer is missing or has another type than the document shows\n')
          expect(ran.stderr).toContain(said)
        }
      },
    )
  })

  test('is told apart from an empty container in every form', async () => {
    const own = await syncBench({})
    await everyCase(
      [
        '{"resources":{"assetResources":[],"commonResources":[]}}',
        '{"contains":[]}',
        '{"contains":[],"resources":{}}',
        '{"type":"BasicContainer","name":"archive"}',
        '{"type":"BasicContainer","name":"archive","contains":null,"resources":null}',
        '{"type":"BasicContainer","name":"archive","resources":{"assetResources":null,"commonResources":null}}',
      ],
      async (text) => {
        const ran = await own.cli(['asset', 'list', 'games/archive', '-o', 'json'], {transport: listedAs(own, text)})
        expect(ran).toMatchObject({exit: 0, stdout: '[]\n'})
      },
    )
  })
})

test('metadata that cannot be read is no proof that the file of a stamp is another one', async () => {
  const own = await syncBench({'a.txt': 'a'})
  const stamped = ['asset', 'sync', 'games/archive', own.folder, ...words, '--stamp']
  await own.cli(stamped)
  const sandbox = sandboxOf(own.store)
  const answers = [
    ['{}', 200, 10] as const,
    ['{"message":"under maintenance"}', 200, 10] as const,
    ['{}', 403, 5] as const,
  ]
  await everyCase(answers, async (text, status, exit) => {
    const transport: Transport = async (request) =>
      request.url.search === '?type=meta' ? reply(text, {status}) : sandbox(request)
    const ran = await own.cli(stamped, {home: freshHome(), transport})
    expect({exit: ran.exit, creates: creates(ran.sent)}).toEqual({exit, creates: []})
    expect(ran.stderr).toContain('nothing was sent')
  })
})
