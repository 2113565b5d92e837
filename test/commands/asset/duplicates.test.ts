import {text} from 'node:stream/consumers'
import {describe, expect, test} from 'vitest'
import type {WireRequest} from '../../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {sha256} from './syncs.js'
import {bench} from './uploads.js'

interface Kept {
  readonly uuid: string
  readonly name: string
  readonly content: string
  readonly stamp?: string
  readonly platform?: 'ios' | 'android'
}

/** Puts resources into games/archive, which is empty at first. */
async function keep(store: WorldStore, kept: readonly Kept[]): Promise<void> {
  await store.change((world) => {
    const [pattern] = world.resources
    if (!pattern) throw new Error('the demo has no resources')
    for (const {uuid, name, content, stamp, platform = 'ios'} of kept) {
      const description = stamp === undefined ? 'd' : `d [sha256:${sha256(stamp)}]`
      const bytes = {size: content.length, content: Buffer.from(content).toString('base64')}
      const {link: _, ...bare} = pattern
      world.resources.push({...bare, ...bytes, id: uuid, uuid, name, description, platform, container: 'games/archive'})
    }
  })
}

async function found(kept: readonly Kept[], more: readonly string[] = [], where = {}) {
  const own = await bench()
  await keep(own.store, kept)
  const ran = await own.cli(['asset', 'duplicates', 'games/archive', '-o', 'json', ...more], where)
  return {...ran, own, rows: ran.stdout === '' ? undefined : JSON.parse(ran.stdout)}
}

const read = ({sent}: {readonly sent: readonly {readonly path: string}[]}) =>
  sent.filter(({path}) => path.startsWith('/asset-data/')).length

const [one, other] = [
  {uuid: 'u-1', name: 'a.txt', content: 'same', stamp: 'same'},
  {uuid: 'u-2', name: 'a.txt', content: 'same', stamp: 'same'},
]

describe('asset duplicates', () => {
  test('finds equal stamps under one name and platform, with 15, and reads no bytes', async () => {
    const ran = await found([one, other, {...one, uuid: 'u-3', name: 'b.txt'}])
    expect(ran.exit).toBe(15)
    expect(ran.rows).toEqual([
      {name: 'a.txt', platform: 'ios', sha256: sha256('same'), uuids: ['u-1', 'u-2'], proof: 'stamp'},
    ])
    expect(read(ran)).toBe(0)
    expect(new Set(ran.sent.map(({method}) => method))).toEqual(new Set(['GET', 'HEAD']))
    const table = await ran.own.cli(['asset', 'duplicates', 'games/archive'])
    expect(table.stdout).toMatch(/^NAME +PLATFORM +PROOF +UUIDS +SHA256\na\.txt +ios +stamp +u-1, u-2 /u)
    expect((await ran.own.cli(['asset', 'duplicates', 'games/archive', '-q'])).stdout).toBe('u-1 u-2\n')
  })

  test('ends with 0 and [] if there are no duplicates', async () => {
    await everyCase(
      [
        [],
        [one],
        [one, {...other, name: 'b.txt'}],
        [one, {...other, platform: 'android'} as const],
        [one, {...other, stamp: 'another'}],
      ],
      async (...kept: Kept[]) => expect(await found(kept)).toMatchObject({exit: 0, rows: [], stderr: ''}),
    )
  })

  test('names resources without a stamp, and compares them with --read', async () => {
    const {stamp: _, ...bare} = one
    const kept = [bare, other, {...bare, uuid: 'u-3', content: 'else'}]
    const ran = await found(kept)
    expect(ran).toMatchObject({exit: 0, rows: []})
    expect(ran.stderr).toBe(
      'note: 2 resources share their names and have no stamp; to compare the content, add --read\n',
    )
    const deep = await found([...kept, {...bare, uuid: 'u-4', name: 'b.txt'}], ['--read'])
    expect(deep).toMatchObject({exit: 15, stderr: ''})
    expect(deep.rows).toEqual([
      {name: 'a.txt', platform: 'ios', sha256: sha256('same'), uuids: ['u-1', 'u-2'], proof: 'content'},
    ])
    // A unique name is not read.
    expect(read(deep)).toBe(3)
  })

  test('refutes stamps whose bytes are others, and leaves honest copies out', async () => {
    const lie = {...one, uuid: 'u-3', content: 'else'}
    const rows = async (...kept: Kept[]) => (await found(kept, ['--read'])).rows
    const row = (proof: string, uuids: readonly string[], content = 'same') => {
      return {name: 'a.txt', platform: 'ios', sha256: sha256(content), uuids, proof}
    }
    expect(await rows(one, lie)).toEqual([row('refuted', ['u-3'])])
    expect(await rows(one, other, lie)).toEqual([row('content', ['u-1', 'u-2']), row('refuted', ['u-3'])])
    expect(await rows(lie, {...lie, uuid: 'u-4'})).toEqual([
      row('content', ['u-3', 'u-4'], 'else'),
      row('refuted', ['u-3', 'u-4']),
    ])
  })

  test('leaves out resources that are in the trash or have no data', async () => {
    await everyCase([{trashed: true}, {trashedAt: '2026-01-01T00:00:00'}, {dataUrl: null}], async (facts) => {
      const own = await bench()
      await keep(own.store, [one, other])
      const sandbox = sandboxOf(own.store)
      const transport = async (request: WireRequest) => {
        const answer = await sandbox(request)
        if (!request.url.pathname.endsWith('/u-2')) return answer
        return reply(JSON.stringify({...JSON.parse(await text(answer.body)), ...facts}))
      }
      expect(await own.cli(['asset', 'duplicates', 'games/archive', '-o', 'json'], {transport})).toMatchObject({
        exit: 0,
        stdout: '[]\n',
      })
    })
  })

  test('names resources that it could not read, and compares the rest', async () => {
    const own = await bench()
    await keep(own.store, [one, other, {...one, uuid: 'u-3'}])
    const sandbox = sandboxOf(own.store)
    const failing = (uuids: readonly string[]) => async (request: WireRequest) =>
      uuids.some((uuid) => request.url.pathname.endsWith(`/${uuid}`)) ? reply('', {status: 403}) : sandbox(request)
    const line = ['asset', 'duplicates', 'games/archive', '-o', 'json']
    const some = await own.cli(line, {transport: failing(['u-3'])})
    expect(some.exit).toBe(15)
    expect(JSON.parse(some.stdout)).toMatchObject([{uuids: ['u-1', 'u-2']}])
    expect(some.stderr).toContain('u-3')
    // Nothing found among the rest is no proof that there is nothing.
    expect(await own.cli(line, {transport: failing(['u-2', 'u-3'])})).toMatchObject({exit: 11, stdout: '[]\n'})
    expect(await own.cli(['asset', 'duplicates', 'games/none'])).toMatchObject({exit: 6, stdout: ''})
  })
})
