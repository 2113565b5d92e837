import {once} from 'node:events'
import {cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readLine} from '../../../../src/upload/ledger/ledgerRecord.js'
import {ended} from '../../../support/ended.js'
import {
  beginning,
  bundleWriter,
  failureOf,
  fileOf,
  ledgerIn,
  linesIn,
  modeOf,
  newFolder,
  noon,
  startWriter,
} from './ledgerStage.js'

let writer: Awaited<ReturnType<typeof bundleWriter>>

beforeAll(async () => {
  writer = await bundleWriter()
})
afterAll(() => writer.remove())

const start = (words: readonly string[], before?: string) => startWriter(writer.script, words, before)

describe('processes that write at once', () => {
  test('each write whole lines, longer than a page too, and none is lost', {timeout: 60_000}, async () => {
    const dir = newFolder()
    const names = Array.from({length: 8}, (_, at) => `w${at}`)
    const ends = await Promise.all(names.map((name) => ended(start(['begin', dir, name, '24']))))
    expect(ends).toEqual(names.map(() => ({code: 0, stdout: '', stderr: ''})))
    const said: string[] = []
    const ledger = await ledgerIn(dir, {warn: (text) => said.push(text)})
    expect(ledger.list()).toHaveLength(8 * 24)
    for (const name of names) {
      const own = ledger.list().filter(({id}) => id.startsWith(`${name}-`))
      expect(own.map(({id}) => id)).toEqual(Array.from({length: 24}, (_, at) => `${name}-${at}`))
    }
    expect(said).toEqual([])
  })

  test('make it for its user only, whatever the umask', async () => {
    for (const umask of ['umask 0', 'umask 077', 'umask 0277']) {
      const dir = newFolder()
      mkdirSync(dirname(dir), {recursive: true})
      expect(await ended(start(['begin', dir, 'w', '1'], umask))).toEqual({code: 0, stdout: '', stderr: ''})
      const modes = [dir, join(dir, 'runs'), fileOf(dir)].map(modeOf)
      expect({umask, modes}).toEqual({umask, modes: [0o700, 0o700, 0o600]})
    }
  })

  test('have an upload one after the other', {timeout: 60_000}, async () => {
    const dir = newFolder()
    const ends = await Promise.all([1, 2, 3, 4].map(() => ended(start(['race', dir, 'u', '12']))))
    const had = ends
      .flatMap(({stdout}) => stdout.trim().split('\n'))
      .map((line) => line.split(' '))
      .map(([id, from, to]) => ({id, from: BigInt(from ?? 0), to: BigInt(to ?? 0)}))
      .sort((one, other) => (one.from < other.from ? -1 : 1))
    expect(had.length).toBeGreaterThan(12)
    for (const id of ['u-0', 'u-1', 'u-2']) {
      const turns = had.filter((turn) => turn.id === id)
      for (const [at, turn] of turns.entries()) expect(turn.to <= (turns[at + 1]?.from ?? turn.to)).toBe(true)
    }
  })
})

describe('a process that is killed without warning', () => {
  test('has no upload any more', async () => {
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
    await (await ledger.claim('a'))()
    expect(readdirSync(join(dir, 'runs')).filter((name) => name.startsWith(`${child.pid}-`))).toEqual([])
  })
})

describe('a folder that was carried to another place', () => {
  test('carries no claims, even while the process that made them lives', async () => {
    const dir = newFolder()
    const child = start(['hold', dir, 'a'])
    if (child.stdout) await once(child.stdout, 'data')
    const copy = `${dir}-copy`
    cpSync(dir, copy, {recursive: true})
    expect(readdirSync(join(copy, 'runs'))).toHaveLength(1)
    await (await (await ledgerIn(copy)).claim('a'))()
    expect(readdirSync(join(dir, 'runs')).some((name) => name.startsWith(`${child.pid}-`))).toBe(true)
    child.kill('SIGKILL')
  })

  test('on a disk that machines share is held by a process of another one while that shows life', async () => {
    const dir = newFolder()
    const elsewhere = join(dir, 'runs', '77-other')
    mkdirSync(join(dir, 'runs'), {recursive: true})
    writeFileSync(elsewhere, '')
    const owner = {pid: 77, host: 'build-9', machine: 'elsewhere', ino: String(statSync(elsewhere, {bigint: true}).ino)}
    const beat = () => writeFileSync(elsewhere, `${JSON.stringify(owner)}\n+a\n`)
    beat()
    const beating = setInterval(beat, 100)
    const ledger = await ledgerIn(dir)
    const {facts} = await failureOf(() => ledger.claim('a'))
    clearInterval(beating)
    expect(facts.why).toBe('process 77 on build-9 has it')
    // It was killed: nothing touches its file any more.
    const release = await ledger.claim('a')
    expect(existsSync(elsewhere)).toBe(false)
    await release()
  })
})

test('a ledger that goes on after its folder was cleared keeps what comes then', async () => {
  const dir = newFolder()
  const ledger = await ledgerIn(dir)
  await ledger.begin(beginning('a'))
  rmSync(fileOf(dir))
  expect(ledger.list()).toEqual([])
  await ledger.acked('a', {from: 0, to: 10})
  await ledger.begin(beginning('b'))
  expect(ledger.list()).toMatchObject([{id: 'b', begunAt: noon.toISOString()}])
})

test('the uploads of one process are had one after the other', async () => {
  const ledger = await ledgerIn(newFolder())
  const order: string[] = []
  const one = await ledger.claim('a')
  const second = ledger.claim('a').then(async (release) => {
    order.push('second')
    await release()
  })
  await pause(20)
  order.push('first ends')
  await one()
  await second
  expect(order).toEqual(['first ends', 'second'])
})

describe('tidying up', () => {
  /** Uploads of ten parts, all done. */
  async function untidy(dir: string): Promise<void> {
    const ledger = await ledgerIn(dir)
    const uploads = Array.from({length: 120}, async (_, at) => {
      const id = `u-${at}`
      await ledger.begin(beginning(id))
      await Promise.all(Array.from({length: 10}, (_, part) => ledger.acked(id, {from: part * 10, to: part * 10 + 10})))
      await ledger.done(id, {uuid: id, sha256: null})
    })
    await Promise.all(uploads)
    await ledger.close()
  }

  test('happens when the ledger is closed, and changes nothing that it says', async () => {
    const dir = newFolder()
    await untidy(dir)
    expect(linesIn(dir)).toHaveLength(120)
    expect(modeOf(fileOf(dir))).toBe(0o600)
    const entry = (await ledgerIn(dir)).find('u-7')
    expect(entry).toMatchObject({id: 'u-7', done: {uuid: 'u-7'}})
    expect(entry?.acked).toHaveLength(10)
    expect(readdirSync(dir).sort()).toEqual(['runs', 'uploads.jsonl'])
  })

  test('waits while another process works with the ledger, whose next line is not lost', async () => {
    const dir = newFolder()
    const other = await ledgerIn(dir)
    await other.begin(beginning('other'))
    await untidy(dir)
    expect(linesIn(dir).length).toBeGreaterThan(1000)
    await other.acked('other', {from: 0, to: 10})
    await other.close()
    expect(linesIn(dir)).toHaveLength(121)
    expect((await ledgerIn(dir)).find('other')?.acked).toEqual([{from: 0, to: 10}])
  })

  test('keeps the lines of a newer version, and what belongs to them', async () => {
    const dir = newFolder()
    const foreign = [
      JSON.stringify({v: 2, kind: 'entry', id: 'new', whatever: [1]}),
      JSON.stringify({v: 1, kind: 'acked', id: 'new', at: 'x', from: 0, to: 1}),
      JSON.stringify({v: 1, kind: 'verified', id: 'u-1', how: 'meta'}),
    ]
    mkdirSync(dir, {recursive: true})
    writeFileSync(fileOf(dir), `${foreign.join('\n')}\n`)
    await untidy(dir)
    expect(linesIn(dir)).toHaveLength(123)
    expect(linesIn(dir).filter((line) => foreign.includes(line))).toEqual(foreign)
  })

  test('spreads an upload of very many parts over lines that any system writes at once', async () => {
    const dir = newFolder()
    const ledger = await ledgerIn(dir)
    const parts = Array.from({length: 1200}, (_, at) => ({from: at, to: at + 1, digest: `digest-${at}`}))
    await ledger.begin(beginning('large', {size: 5000}))
    await ledger.created('large', 'https://assets.example.com/asset/games/foo/u')
    await Promise.all(parts.map((part) => ledger.acked('large', part)))
    await ledger.sending('large', {from: 1200, to: 1300})
    const before = ledger.find('large')
    await ledger.close()
    expect(Math.max(...linesIn(dir).map((line) => line.length))).toBeLessThan(4096)
    expect(linesIn(dir).map(readLine)).not.toContain('damaged')
    expect((await ledgerIn(dir)).find('large')).toEqual(before)
  })
})
