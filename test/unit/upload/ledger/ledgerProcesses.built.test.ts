import {once} from 'node:events'
import {existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, utimesSync, writeFileSync} from 'node:fs'
import {hostname} from 'node:os'
import {join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {ended} from '../../../support/ended.js'
import {failureOf} from '../../../support/failures.js'
import {step} from '../../../support/step.js'
import {
  beginning,
  bundleWriter,
  fileOf,
  find,
  ledgerIn,
  linesIn,
  modeOf,
  newFolder,
  startWriter,
  withClaim,
} from './ledgerStage.js'

let writer: string

beforeAll(async () => {
  writer = await bundleWriter()
})

const start = (words: readonly string[], before?: string) => startWriter(writer, words, before ? {before} : {})

describe('processes that write at once', () => {
  test('write whole lines, some longer than a page, and lose none', {timeout: 60_000}, async () => {
    const dir = newFolder()
    const names = Array.from({length: 8}, (_, at) => `w${at}`)
    const ends = await Promise.all(names.map((name) => ended(start(['begin', dir, name, '24']))))
    expect(ends).toEqual(names.map(() => ({code: 0, stdout: '', stderr: ''})))
    const said: string[] = []
    const ledger = await ledgerIn(dir, {warn: (text) => said.push(text)})
    expect(ledger.list()).toHaveLength(8 * 24)
    for (const name of names) {
      const own = ledger.list().filter(({id}) => id.startsWith(`${name}-`))
      expect(own.map(({id}) => id).sort()).toEqual(Array.from({length: 24}, (_, at) => `${name}-${at}`).sort())
    }
    expect(said).toEqual([])
  })

  test('claim an upload one after the other', {timeout: 60_000}, async () => {
    const dir = newFolder()
    const ends = await Promise.all([1, 2, 3, 4].map(() => ended(start(['race', dir, 'u', '12']))))
    const had = ends
      .flatMap(({stdout}) => stdout.trim().split('\n'))
      .map((line) => line.split(' '))
      .map(([id, from, to]) => ({id, from: BigInt(from ?? 0), to: BigInt(to ?? 0)}))
      .sort((one, other) => (one.from < other.from ? -1 : 1))
    expect(had).toHaveLength(4 * 12)
    for (const id of ['u-0', 'u-1', 'u-2']) {
      const turns = had.filter((turn) => turn.id === id)
      for (const [at, turn] of turns.entries()) expect(turn.to <= (turns[at + 1]?.from ?? turn.to)).toBe(true)
    }
  })
})

test('a process that is killed releases its uploads', async () => {
  const dir = newFolder()
  const child = start(['hold', dir, 'a'])
  if (child.stdout) await once(child.stdout, 'data')
  const {facts} = await failureOf(async () => (await ledgerIn(dir)).claim('a'))
  expect(facts).toMatchObject({exit: 'state', code: 'upload-in-use', retryable: true})
  expect(facts.message).toBe('upload a is under way in another roomctl')
  expect(facts.why).toMatch(new RegExp(`^process ${child.pid} on \\S+ has it$`, 'u'))
  const end = ended(child)
  child.kill('SIGKILL')
  await end
  const ledger = await ledgerIn(dir)
  ;(await ledger.claim('a')).release()
  expect(readdirSync(join(dir, 'runs'))).toEqual([])
})

describe('a claim of another machine or container, in a folder that was carried here or is shared', () => {
  const elsewhere = (dir: string) => join(dir, 'runs', 'a')
  const touch = (dir: string, ageMs: number) => {
    const time = (Date.now() - ageMs) / 1000
    utimesSync(elsewhere(dir), time, time)
  }

  function carried(ageMs: number, line = '{"pid":77,"host":"build-9","start":"5"}\n'): string {
    const dir = newFolder()
    mkdirSync(join(dir, 'runs'), {recursive: true})
    writeFileSync(elsewhere(dir), line)
    touch(dir, ageMs)
    return dir
  }

  // The number of no process of this container, under its name.
  const beside = JSON.stringify({pid: 4194303, host: hostname(), start: '5', namespace: 'pid:[1]'})

  test.each([
    ['process 77 on build-9', undefined],
    [`process 4194303 on ${hostname()}`, `${beside}\n`],
  ])('holds for as long as it was touched within a minute: %s', async (who, line) => {
    const dir = carried(55_000, line)
    const ledger = await ledgerIn(dir)
    const {facts} = await failureOf(() => ledger.claim('a'))
    expect(facts).toMatchObject({code: 'upload-in-use', why: `${who} has it`})
    await ledger.close()
    expect(existsSync(elsewhere(dir))).toBe(true)
    touch(dir, 61_000)
    const warned: string[] = []
    ;(await (await ledgerIn(dir, {warn: (text) => warned.push(text)})).claim('a')).release()
    expect(warned).toEqual([`upload a was taken over from ${who}, which has not touched it for a minute`])
  })

  test('is taken over after that by a waiting process', async () => {
    const dir = carried(55_000)
    const ledger = await ledgerIn(dir)
    const waiting = () => touch(dir, 61_000)
    const claim = await ledger.claim('a', {signal: new AbortController().signal, waiting})
    expect(readFileSync(elsewhere(dir), 'utf8')).toContain(`"pid":${process.pid}`)
    claim.release()
    expect(existsSync(elsewhere(dir))).toBe(false)
  })

  test('whose line was cut off by a kill holds only for a moment', async () => {
    for (const line of ['', '{"pid":77,"ho']) {
      const ledger = await ledgerIn(carried(3000, line))
      ;(await ledger.claim('a')).release()
      await failureOf(async () => (await ledgerIn(carried(0, line))).claim('a'))
    }
  })
})

test('two claims of one upload in a process are held one after the other', async () => {
  const ledger = await ledgerIn(newFolder())
  const order: string[] = []
  const first = await ledger.claim('a')
  const said = step()
  const waiting = (_: number, why: string) => {
    order.push(why)
    said.go()
  }
  const second = ledger.claim('a', {signal: new AbortController().signal, waiting}).then((claim) => {
    order.push('second')
    claim.release()
  })
  await said.until
  order.push('first ends')
  first.release()
  await second
  expect(order).toEqual([`process ${process.pid} on ${hostname()} is uploading it`, 'first ends', 'second'])
})

describe('tidying up', () => {
  /** Uploads of thirty parts, all done. */
  async function untidy(dir: string): Promise<void> {
    const ledger = await ledgerIn(dir)
    const uploads = Array.from({length: 40}, async (_, at) => {
      const id = `u-${at}`
      await withClaim(ledger, id, (claim) => {
        claim.begin(beginning(id))
        for (let part = 0; part < 30; part += 1) claim.acked({from: part * 10, to: part * 10 + 10})
        claim.done({uuid: id, sha256: null})
      })
    })
    await Promise.all(uploads)
    await ledger.close()
  }

  test('happens when the ledger is closed, and changes no upload', async () => {
    const dir = newFolder()
    await untidy(dir)
    expect(linesIn(dir)).toHaveLength(40)
    expect(modeOf(fileOf(dir))).toBe(0o600)
    const entry = find(await ledgerIn(dir), 'u-7')
    expect(entry).toMatchObject({id: 'u-7', done: {uuid: 'u-7'}})
    expect(entry?.acked).toHaveLength(30)
    expect(readdirSync(dir).sort()).toEqual(['runs', 'uploads.jsonl'])
  })

  test('waits while another process uses the ledger, and loses no line of it', async () => {
    const dir = newFolder()
    const other = await ledgerIn(dir)
    const claim = await other.claim('other')
    claim.begin(beginning('other'))
    await untidy(dir)
    expect(linesIn(dir).length).toBeGreaterThan(1000)
    claim.acked({from: 0, to: 10})
    claim.release()
    await other.close()
    expect(linesIn(dir)).toHaveLength(41)
    expect(find(await ledgerIn(dir), 'other')?.acked).toEqual([{from: 0, to: 10}])
  })

  test('delays a new claim until it is over', async () => {
    const dir = newFolder()
    const ledger = await ledgerIn(dir)
    await withClaim(ledger, 'a', (claim) => claim.begin(beginning('a')))
    const order: string[] = []
    const lock = `${fileOf(dir)}.lock`
    mkdirSync(lock)
    const claimed = ledger.claim('b').then((claim) => {
      order.push('claimed')
      claim.release()
    })
    await pause(200)
    order.push('over')
    rmdirSync(lock)
    await claimed
    expect(order).toEqual(['over', 'claimed'])
  })

  test('keeps all parts of an upload of very many parts', async () => {
    const dir = newFolder()
    const ledger = await ledgerIn(dir)
    await withClaim(ledger, 'large', (claim) => {
      claim.begin(beginning('large', {size: 5000}))
      claim.created('https://assets.example.com/asset/games/foo/u')
      for (let at = 0; at < 1200; at += 1) claim.acked({from: at, to: at + 1, digest: `digest-${at}`})
      claim.sending({from: 1200, to: 1300})
    })
    const before = find(ledger, 'large')
    expect(before?.acked).toHaveLength(1200)
    await ledger.close()
    expect(linesIn(dir)).toHaveLength(1)
    expect(find(await ledgerIn(dir), 'large')).toEqual(before)
  })
})
