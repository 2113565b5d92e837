import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {everyCase} from '../../support/everyCase.js'
import {reply, sandboxOf} from '../answers.js'
import {begun, outcomes, rowsOf, type SyncBench, syncBench, words} from './syncs.js'

const json = [...words, '-o', 'json']
const build = {
  'catalog.json': '{"a": 1}',
  'catalog.hash': 'h',
  'a.bundle': 'a',
  'b.bundle': 'bb',
  'settings.json': '{}',
}

/** The sandbox, which refuses the upload of a file. */
function refusing(own: SyncBench, name: string): Transport {
  const sandbox = sandboxOf(own.store)
  return async (request) =>
    request.method === 'POST' && request.headers?.Original_File_Name === name
      ? reply('{"message": "no"}', {status: 422})
      : sandbox(request)
}

describe('a catalog', () => {
  test('is sent once all other files are at the service, and its hash file after it', async () => {
    const own = await syncBench(build)
    const open = new Set<string>()
    const sandbox = sandboxOf(own.store)
    const atOnce: string[] = []
    const transport: Transport = async (request) => {
      const name = request.headers?.Original_File_Name
      if (name?.startsWith('catalog')) atOnce.push(...open)
      if (name !== undefined) open.add(name)
      const answer = await sandbox(request)
      if (request.method === 'PATCH') open.clear()
      return answer
    }
    const ran = await own.sync([...words, '--concurrency', '1'], {transport})
    expect(begun(ran).slice(-2)).toEqual(['catalog.json', 'catalog.hash'])
    expect(atOnce).toEqual([])
    const again = await syncBench(build)
    expect(begun(await again.sync([...words, '--concurrency', '8'])).slice(-2)).toEqual([
      'catalog.json',
      'catalog.hash',
    ])
  })

  test('is not sent if any other file is missing, nor is the hash file of a catalog that is missing', async () => {
    const own = await syncBench(build)
    await everyCase(['a.bundle', 'settings.json', 'catalog.json'], async (name) => {
      const ran = await own.sync([...json, '--fresh'], {transport: refusing(own, name)})
      expect(begun(ran)).not.toContain('catalog.hash')
      expect(begun(ran).includes('catalog.json')).toBe(name === 'catalog.json')
      const {outcome, reason} = rowsOf(ran).get('catalog.hash') ?? {}
      expect({outcome, reason}).toEqual({
        ...{outcome: 'not-tried', reason: `not started: a catalog is sent last, and ${name} is not done`},
      })
    })
    const ran = await own.sync(json)
    expect(
      outcomes(ran)
        .filter(([, outcome]) => outcome === 'done')
        .map(([file]) => file),
    ).toEqual([...['catalog.json', 'catalog.hash']])
  })

  test('that already exists is unchanged, even if others fail', async () => {
    const own = await syncBench(build)
    await own.sync()
    own.put({'a.bundle': 'other'})
    const rows = rowsOf(await own.sync(json, {transport: refusing(own, 'a.bundle')}))
    expect([...rows.values()].map(({file, outcome}) => [file, outcome]).sort()).toEqual([
      ...[
        ['a.bundle', 'failed'],
        ['b.bundle', 'skipped'],
        ['catalog.hash', 'skipped'],
      ],
      ...[
        ['catalog.json', 'skipped'],
        ['settings.json', 'skipped'],
      ],
    ])
  })

  test('is what the manifest names; one that others link to is sent before them', async () => {
    const own = await syncBench({...build, 'index.txt': 'i', 'main.json': '{}'})
    const files = [
      '{path: index.txt, role: catalog}',
      '{path: main.json, role: catalog}',
      '{path: a.bundle, role: bundle, link: main.json}',
      '{path: b.bundle, role: bundle}',
    ]
    own.put({'roomctl.assets.yaml': `version: 1\nfiles:\n${files.map((file) => `  - ${file}\n`).join('')}`})
    const order = begun(await own.sync([...words, '--concurrency', '1']))
    expect(order.at(-1)).toBe('index.txt')
    expect(order.indexOf('main.json')).toBeLessThan(order.indexOf('a.bundle'))
    const planned = JSON.parse((await own.sync([...json, '--dry-run', '--fresh'])).stdout)
    expect(planned.map(({file}: {file: string}) => file).at(-1)).toBe('index.txt')
  })

  test('is sent last by asset upload, too', async () => {
    const own = await syncBench(build)
    const paths = Object.keys(build).map((name) => `${own.folder}/${name}`)
    const line = ['asset', 'upload', 'games/archive', ...paths, ...words]
    const cut: Transport = async (request) =>
      request.method === 'PATCH' ? reply('{}', {status: 503}) : sandboxOf(own.store)(request)
    await own.cli([...line, '--retries', '0'], {transport: cut})
    const ran = await own.cli(line, {transport: refusing(own, 'a.bundle')})
    expect(begun(ran).slice(-2)).toEqual(['catalog.json', 'catalog.hash'])
  })
})
