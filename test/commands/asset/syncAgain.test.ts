import {cpSync, statSync, utimesSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {freshHome} from '../../support/cli.js'
import {begun, bytesSent, outcomes, remove, rowsOf, type SyncBench, sha256, syncBench, words} from './syncs.js'
import {creates, patches, watched} from './uploads.js'

const json = [...words, '-o', 'json']
const there = {outcome: 'skipped', reason: 'unchanged', proven_by: 'ledger'}

describe('a second run', () => {
  test('sends no file, and shows where each of them is', async () => {
    const own = await syncBench()
    const first = rowsOf(await own.sync(json))
    const ran = await own.sync(json)
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(new Set(ran.sent.map(({method}) => method))).toEqual(new Set(['GET']))
    for (const [file, row] of rowsOf(ran)) {
      expect(row).toEqual({...first.get(file), ...there})
    }
    const ids = await own.sync([...words, '-q'])
    expect(ids.stdout.trim().split('\n')).toHaveLength(3)
    expect(ids.stderr).toBe('')
    expect((await own.sync()).stderr).toContain('nothing uploaded in 0ms, 3 unchanged\n')
  })

  test('sends a file that changed, though size and times are as they were', async () => {
    const own = await syncBench()
    await own.sync()
    const file = path.join(own.folder, 'level.bundle')
    const {atime, mtime, size} = statSync(file)
    own.put({'level.bundle': 'the bundlE'})
    utimesSync(file, atime, mtime)
    expect(statSync(file).size).toBe(size)
    const ran = await own.sync(json)
    expect(begun(ran)).toEqual(['level.bundle'])
    expect(await own.readBack(rowsOf(ran).get('level.bundle')?.uuid)).toBe(sha256('the bundlE'))
  })

  test('sends a large file that changed where no sample looks', async () => {
    const large = 'x'.repeat(3_000_000)
    const own = await syncBench({'a.txt': large})
    await own.sync()
    // Samples are of the first and last 256 KiB and of eight blocks between them.
    const changed = `${large.slice(0, 300_000)}y${large.slice(300_001)}`
    own.put({'a.txt': changed})
    const ran = await own.sync(json)
    expect(begun(ran)).toEqual(['a.txt'])
    expect(await own.readBack(rowsOf(ran).get('a.txt')?.uuid)).toBe(sha256(changed))
  })

  test('sends the bundles of an asset that changed, since they must name its new uuid', async () => {
    const own = await syncBench()
    const first = rowsOf(await own.sync(json))
    own.put({'level.unity': 'another asset'})
    const ran = await own.sync(json)
    expect(begun(ran)).toEqual(['level.unity', 'level.bundle'])
    const uuid = rowsOf(ran).get('level.unity')?.uuid
    expect(uuid).not.toBe(first.get('level.unity')?.uuid)
    expect(creates(ran.sent)[1]?.headers.Asset_Resource_File_Id).toBe(uuid)
  })

  test('sends files that are no longer in the container', async () => {
    const own = await syncBench()
    const first = rowsOf(await own.sync(json))
    await remove(own.store, first.get('catalog.json')?.uuid ?? '')
    const ran = await own.sync(json)
    expect(begun(ran)).toEqual(['catalog.json'])
    expect(outcomes(ran).sort()).toEqual([
      ['catalog.json', 'done'],
      ['level.bundle', 'skipped'],
      ['level.unity', 'skipped'],
    ])
  })

  test('never takes an unknown file of the same name for the same file', async () => {
    const own = await syncBench()
    await own.sync([...words, '--no-stamp'])
    const stranger = await own.sync(json, {home: freshHome()})
    expect(begun(stranger)).toHaveLength(3)
  })

  test('sends everything for another platform, and nothing for another description', async () => {
    const own = await syncBench({'a.txt': 'a'})
    await own.sync()
    expect(begun(await own.sync(['--platform', 'ios', '--description', 'Build 43']))).toEqual([])
    expect(begun(await own.sync(['--platform', 'android', '--description', 'Build 42']))).toEqual(['a.txt'])
    expect(begun(await own.sync())).toEqual([])
  })

  test('is of use after asset upload too, which leaves the same ledger', async () => {
    const own = await syncBench({'a.txt': 'a'})
    await own.cli(['asset', 'upload', 'games/archive', path.join(own.folder, 'a.txt'), ...words])
    for (const more of ['--stamp', '--no-stamp']) {
      expect(outcomes(await own.sync([...json, more]))).toEqual([['a.txt', 'skipped']])
    }
  })
})

describe('an interrupted run', () => {
  const content = {'a.unity': 'a'.repeat(200_000), 'a.bundle': 'b'.repeat(300_000), 'c.bundle': 'c'.repeat(100_000)}
  const total = 600_000
  const more = ['--chunk-size', '64KiB', '--concurrency', '1']

  /** Presses Ctrl-C when this PATCH has been asked for; the first six are of a.unity and c.bundle. */
  async function interrupted(own: SyncBench, at: number, where: {home?: string} = {}, flags: readonly string[] = []) {
    const controller = new AbortController()
    let chunks = 0
    const transport = watched(own.store, ({method}) => {
      if (method === 'PATCH' && ++chunks === at) controller.abort()
    })
    return own.sync([...json, ...more, ...flags], {...where, transport, signal: controller.signal})
  }

  test('ends with 130 and the line that resumes, and the next run sends the rest', async () => {
    const own = await syncBench(content)
    const ran = await interrupted(own, 9)
    expect(ran.exit).toBe(130)
    expect(ran.stderr).toContain('to resume the rest, run the same command again\n')
    expect(outcomes(ran)).toContainEqual(['a.bundle', 'skipped'])
    const plan = await own.sync([...words, '--dry-run', '-o', 'json'])
    expect(JSON.parse(plan.stdout)).toContainEqual(expect.objectContaining({file: 'a.bundle', action: 'resume'}))

    const rest = await own.sync([...json, ...more])
    expect(rest.exit).toBe(0)
    expect(rowsOf(rest).get('a.bundle')?.resumed_from).toBeGreaterThan(0)
    // At most one chunk is sent again after Ctrl-C.
    expect(bytesSent([...ran.sent, ...rest.sent])).toBeLessThanOrEqual(total + 65_536)
    for (const [name, text] of Object.entries(content)) {
      expect(await own.readBack(rowsOf(rest).get(name)?.uuid)).toBe(sha256(text))
    }
    expect(bytesSent((await own.sync([...json, ...more])).sent)).toBe(0)
  })

  test('is finished on another machine that has its state folder, and nothing is sent twice', async () => {
    const own = await syncBench(content)
    const state = path.join(own.home, 'ci-cache')
    const first = await interrupted(own, 9, {}, ['--state-dir', state])
    expect(first.exit).toBe(130)

    // The other machine: another home, a new build at another place, the cache unpacked.
    const other = freshHome()
    const [cache, folder] = [path.join(other, 'restored'), path.join(other, 'checkout')]
    cpSync(state, cache, {recursive: true})
    cpSync(own.folder, folder, {recursive: true})
    const line = ['asset', 'sync', 'games/archive', folder, ...json, ...more, '--state-dir', cache]
    const second = await own.cli(line, {home: other})
    expect(second.exit).toBe(0)

    const sent = [...creates(first.sent), ...creates(second.sent)].map(({headers}) => headers.Original_File_Name)
    expect(sent.sort()).toEqual(Object.keys(content).sort())
    expect(bytesSent([...first.sent, ...second.sent])).toBeLessThanOrEqual(total + 65_536)
    expect(rowsOf(second).get('a.unity')).toMatchObject(there)
    for (const [name, text] of Object.entries(content)) {
      expect(await own.readBack(rowsOf(second).get(name)?.uuid)).toBe(sha256(text))
    }
    const third = await own.cli(line, {home: freshHome()})
    expect([...creates(third.sent), ...patches(third.sent)]).toEqual([])
  })

  test('starts over with --fresh, and uploads present files again', async () => {
    const own = await syncBench(content)
    await interrupted(own, 9)
    const plan = await own.sync([...words, '--fresh', '--dry-run', '-o', 'json'])
    const actions = new Map(
      JSON.parse(plan.stdout).map(({file, action}: {file: string; action: string}) => [file, action]),
    )
    expect(actions.get('a.bundle')).toBe('upload')
    expect(actions.get('a.unity')).toBe('upload')
    const ran = await own.sync([...json, '--fresh'])
    expect(begun(ran)).toContain('a.bundle')
    expect(begun(ran)).toContain('a.unity')
  })
})
