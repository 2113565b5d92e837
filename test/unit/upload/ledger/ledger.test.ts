import {execFileSync} from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {crc32} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import type {Claim} from '../../../../src/upload/ledger/ledger.js'
import {failureOf} from '../../../support/failures.js'
import {recordsIn} from '../../../support/logText.js'
import {beginning, fileOf, find, ledgerIn, modeOf, newFolder, noon, textIn, withClaim} from './ledgerStage.js'

const at = noon.toISOString()
const url = 'https://assets.example.com/asset/games/foo/u-1'

describe('a ledger', () => {
  test('returns the facts of an upload, also to a later run', async () => {
    const dir = newFolder()
    const ledger = await ledgerIn(dir)
    const claim = await ledger.claim('a')
    claim.begin(beginning('a'))
    claim.created(url)
    claim.sending({from: 0, to: 60, digest: 'one'})
    claim.acked({from: 0, to: 60, digest: 'one'})
    claim.sending({from: 60, to: 100, digest: 'lost'})
    claim.sending({from: 60, to: 80, digest: 'half'})
    claim.sending({from: 60, to: 100, digest: 'two'})
    const known = {
      id: 'a',
      ...beginning('a'),
      begunAt: at,
      updatedAt: at,
      url,
      acked: [{from: 0, to: 60, digest: 'one'}],
      inFlight: [
        {from: 60, to: 80, digest: 'half'},
        {from: 60, to: 100, digest: 'two'},
      ],
    }
    expect(find(ledger, 'a')).toEqual(known)
    await ledger.close()
    const later = await ledgerIn(dir)
    expect(find(later, 'a')).toEqual(known)
    await withClaim(later, 'a', (again) => {
      again.acked({from: 60, to: 100, digest: 'two'})
      again.done({uuid: 'u-1', sha256: 'ff'})
    })
    const {inFlight: _, ...rest} = known
    expect(find(later, 'a')).toEqual({
      ...rest,
      acked: [...known.acked, {from: 60, to: 100, digest: 'two'}],
      done: {uuid: 'u-1', sha256: 'ff', at},
    })
  })

  test('lists uploads that were not forgotten, the oldest first, and finds unfinished ones of a target', async () => {
    const ledger = await ledgerIn(newFolder())
    const target = {name: 'same.bundle', link: 'a-1'}
    const begin = (id: string, facts: object) => withClaim(ledger, id, (claim) => claim.begin(beginning(id, facts)))
    for (const id of ['a', 'b', 'c', 'd']) await begin(id, target)
    await begin('e', {...target, platform: 'android'})
    await begin('f', {name: 'same.bundle'})
    await withClaim(ledger, 'b', (claim) => claim.forget())
    await withClaim(ledger, 'c', (claim) => claim.done({uuid: 'u', sha256: null}))
    await begin('a', target)
    expect(ledger.list().map(({id}) => id)).toEqual(['c', 'd', 'e', 'f', 'a'])
    expect(ledger.unfinished(beginning('x', target)).map(({id}) => id)).toEqual(['d', 'a'])
    expect(find(ledger, 'b')).toBeUndefined()
    expect(find(ledger, 'none')).toBeUndefined()
  })

  test('starts an upload of the same id over, without its acknowledged parts', async () => {
    const ledger = await ledgerIn(newFolder())
    const claim = await ledger.claim('a')
    claim.begin(beginning('a'))
    claim.created(url)
    claim.acked({from: 0, to: 100})
    claim.done({uuid: 'u-1', sha256: null})
    claim.begin(beginning('a'))
    expect(find(ledger, 'a')).toEqual({id: 'a', ...beginning('a'), begunAt: at, updatedAt: at, acked: []})
  })

  test('keeps the acknowledged parts in order and without gaps', async () => {
    const ledger = await ledgerIn(newFolder())
    const claim = await ledger.claim('a')
    claim.begin(beginning('a'))
    // The record between the two is lost; what the service said counts.
    claim.acked({from: 0, to: 10, digest: 'one'})
    claim.acked({from: 20, to: 40, digest: 'three'})
    expect(find(ledger, 'a')?.acked).toEqual([
      {from: 0, to: 10, digest: 'one'},
      {from: 10, to: 20},
      {from: 20, to: 40, digest: 'three'},
    ])
    // A service that went back has lost the later bytes.
    claim.acked({from: 5, to: 30, digest: 'new'})
    expect(find(ledger, 'a')?.acked).toEqual([
      {from: 0, to: 5},
      {from: 5, to: 30, digest: 'new'},
    ])
  })
})

describe('its file', () => {
  test('and its folder are made with the first record, not by a read', async () => {
    const dir = newFolder()
    const ledger = await ledgerIn(dir)
    expect(ledger.list()).toEqual([])
    expect(existsSync(dirname(dir))).toBe(false)
    await withClaim(ledger, 'a', (claim) => claim.begin(beginning('a')))
    expect([modeOf(dir), modeOf(fileOf(dir))]).toEqual([0o700, 0o600])
    expect(readdirSync(dir).sort()).toEqual(['runs', 'uploads.jsonl'])
    await ledger.close()
    expect(readdirSync(join(dir, 'runs'))).toEqual([])
  })

  test('is not kept in a folder that other users can write to', async () => {
    const dir = newFolder()
    mkdirSync(dir, {recursive: true})
    writeFileSync(join(dir, 'README.md'), 'a project')
    chmodSync(dir, 0o775)
    const {facts} = await failureOf(async () => (await ledgerIn(dir)).claim('a'))
    expect(facts).toMatchObject({exit: 'file', try: `--state-dir ${dir}/uploads, or another folder of your own`})
    expect([modeOf(dir), readdirSync(dir)]).toEqual([0o775, ['README.md']])
  })

  test.each([
    ['its folder is one that all users share', (dir: string) => shareFolder(dir)],
    ['a file stands in the place of the claims', (dir: string) => inRuns(dir, '..', (path) => writeFileSync(path, ''))],
    ['a folder stands in the place of its claim', (dir: string) => inRuns(dir, 'a', (path) => mkdirSync(path))],
    [
      'a pipe stands in the place of its claim',
      (dir: string) => inRuns(dir, 'a', (path) => execFileSync('mkfifo', [path])),
    ],
  ])('is a failure that names the place where %s', async (what, prepare) => {
    const dir = newFolder()
    prepare(dir)
    const {facts} = await failureOf(async () => (await ledgerIn(dir)).claim('a'))
    expect(facts.exit).toBe('file')
    expect(facts.message).toContain(dir)
    expect(facts.message.replaceAll(dir, '')).not.toMatch(/E[A-Z]{4}/u)
    if (what.includes('claim')) expect(facts.message).toContain(join(dir, 'runs'))
  })
})

/** Makes something in the folder of the claims, or with `..` in its place. */
function inRuns(dir: string, name: string, make: (path: string) => unknown): void {
  mkdirSync(name === '..' ? dir : join(dir, 'runs'), {recursive: true})
  make(name === '..' ? join(dir, 'runs') : join(dir, 'runs', name))
}

function shareFolder(dir: string): void {
  mkdirSync(dir, {recursive: true})
  chmodSync(dir, 0o1777)
}

describe('a line that is not whole', () => {
  const whole = (id: string) =>
    JSON.stringify({v: 1, kind: 'entry', id, ...beginning(id), begunAt: at, updatedAt: at, acked: []})

  async function reading(dir: string, text: string) {
    mkdirSync(dir, {recursive: true})
    writeFileSync(fileOf(dir), text)
    const said: string[] = []
    return {said, ledger: await ledgerIn(dir, {warn: (line) => said.push(line)})}
  }

  test.each([
    ['cut off', whole('x').slice(0, 60)],
    ['of zeros, as after a power cut', '\0'.repeat(50)],
    ['of another kind of JSON', '[1,2]'],
    ['without an id', JSON.stringify({v: 1, kind: 'created', at, url})],
    ['with an invalid id', JSON.stringify({v: 1, kind: 'forget', id: '../../x', at})],
    ['with impossible offsets', JSON.stringify({v: 1, kind: 'acked', id: 'a', at, from: 5, to: -1})],
    ['with a size that is no number', whole('x').replace('"size":100', '"size":"100"')],
  ])('is skipped and reported once: %s', async (_what, line) => {
    const dir = newFolder()
    const {said, ledger} = await reading(dir, `${whole('a')}\n${line}\n${whole('b')}\n`)
    expect(ledger.list().map(({id}) => id)).toEqual(['a', 'b'])
    await withClaim(ledger, 'a', (claim) => claim.forget())
    expect(ledger.list().map(({id}) => id)).toEqual(['b'])
    expect(said).toEqual([`line 2 of the ledger of uploads ${fileOf(dir)} is damaged and was skipped`])
  })

  test('also counts if it breaks the order, and each is named', async () => {
    const dir = newFolder()
    const record = (kind: string, facts: object = {}) => JSON.stringify({v: 1, kind, id: 'a', at, ...facts})
    const done = record('done', {uuid: 'u', sha256: null})
    const part = {from: 0, to: 10}
    const lines = [record('created', {url}), done, whole('a'), '', done, record('acked', part), done, record('forget')]
    const {said, ledger} = await reading(dir, [...lines, record('forget'), record('sending', part), ''].join('\n'))
    expect(ledger.list()).toEqual([])
    const numbers = 'lines 1, 2, 6, 7, 9, 10'
    expect(said).toEqual([`${numbers} of the ledger of uploads ${fileOf(dir)} are damaged and were skipped`])
  })

  test.each([
    ['without a checksum', JSON.stringify({v: 3, kind: 'entry', id: 'new', whatever: [1]})],
    ['with its checksum', `{"v":3,"crc":"${crc32('"id":"a"}', 3).toString(16).padStart(8, '0')}","id":"a"}`],
  ])('of a later version is refused and kept, %s', async (_what, line) => {
    const dir = newFolder()
    const text = `${whole('a')}\n${line}\n`
    const {facts} = await failureOf(() => reading(dir, text))
    expect(facts).toMatchObject({
      exit: 'file',
      message: `the ledger of uploads ${fileOf(dir)} is of another version of roomctl: it has lines of version 3, and this roomctl reads 2`,
      try: 'use the roomctl that wrote it, or keep the ledger in another folder with --state-dir',
    })
    expect(textIn(dir)).toBe(text)
  })
})

test('each claim of a process is held separately', async () => {
  const dir = newFolder()
  const [ledger, other] = [await ledgerIn(dir), await ledgerIn(dir)]
  const [a, b] = [await ledger.claim('a'), await ledger.claim('b')]
  for (const id of ['a', 'b']) {
    expect((await failureOf(() => other.claim(id))).facts).toMatchObject({exit: 'state', code: 'upload-in-use'})
  }
  a.release()
  const taken = await other.claim('a')
  expect((await failureOf(() => ledger.claim('a'))).facts.exit).toBe('state')
  b.release()
  expect(readdirSync(join(dir, 'runs'))).toEqual(['a'])
  taken.release()
  expect(readdirSync(join(dir, 'runs'))).toEqual([])
})

describe('a long ledger', () => {
  const idOf = (at: number) => (at * 0x9e3779b1).toString(16).padStart(16, '0').slice(-16)
  const movedIn = (dir: string) => readdirSync(dir).filter((name) => name.startsWith('uploads.jsonl.done.'))

  /** A ledger of N finished uploads, one that is not done, and one of an id of another form, all in its log. */
  function longLog(count = 600): string {
    const dir = newFolder()
    mkdirSync(dir, {recursive: true})
    const records = (id: string, at: number) => [
      {kind: 'entry', id, ...beginning(id), begunAt: noon, updatedAt: noon, acked: []},
      {kind: 'created', id, at: noon, url: `${url}${at}`},
      ...(at % 5 === 0 ? [{kind: 'acked', id, at: noon, from: 0, to: 100}] : []),
      ...(at === 7 ? [] : [{kind: 'done', id, at: noon, uuid: `u-${at}`, sha256: null}]),
    ]
    const lines = Array.from({length: count}, (_, at) => records(at === 9 ? 'other' : idOf(at), at)).flat()
    writeFileSync(fileOf(dir), lines.map((line) => `${JSON.stringify({v: 1, ...line})}\n`).join(''))
    return dir
  }

  /** Does something with an upload, so that the ledger is tidied up when it is closed. */
  async function change(dir: string, id: string, work: (claim: Claim) => void): Promise<void> {
    const ledger = await ledgerIn(dir)
    await withClaim(ledger, id, work)
    await ledger.close()
  }

  /** All readings of a ledger, and its warnings. */
  async function saying(dir: string) {
    const warned: string[] = []
    const ledger = await ledgerIn(dir, {warn: (text) => warned.push(text)})
    const said = {
      list: [...ledger.list()].sort((first, second) => (first.id < second.id ? -1 : 1)),
      unfinished: ledger.unfinished(),
      as: [3, 4, 7].flatMap((at) => ledger.finishedAs([beginning(idOf(at))])).map(({id, done}) => [id, done.uuid]),
      named: [idOf(11), 'other', idOf(599), 'none'].map((id) => ledger.named(new Set([id]))),
    }
    await ledger.close()
    return {said, warned}
  }

  const tidied = async (dir = longLog()) => {
    await change(dir, 'x', (claim) => claim.begin(beginning('x')))
    await change(dir, 'x', (claim) => claim.forget())
    expect(movedIn(dir).length).toBeGreaterThan(100)
    return dir
  }

  test('keeps finished uploads in files of their own, but for the newest, and lists the same', async () => {
    const dir = longLog()
    const before = await saying(dir)
    expect([before.said.list.length, before.said.as]).toEqual([600, [3, 4].map((at) => [idOf(at), `u-${at}`])])
    await tidied(dir)
    const lines = textIn(dir)
      .split('\n')
      .filter((line) => line.includes('"done"'))
    expect(lines).toHaveLength(50)
    expect(new Set(movedIn(dir).map((name) => modeOf(join(dir, name))))).toEqual(new Set([0o600]))
    // Only of places that are used: a line for each moved upload, and no empty file.
    const moved = movedIn(dir).map((name) => recordsIn(readFileSync(join(dir, name), 'utf8')).length)
    expect([Math.min(...moved) > 0, moved.reduce((sum, count) => sum + count, 0)]).toEqual([true, 549])
    expect(await saying(dir)).toEqual(before)
    expect((await ledgerIn(dir)).recent()).toHaveLength(51)
  })

  test('is read only if a command needs it', async () => {
    const dir = await tidied()
    for (const name of movedIn(dir)) writeFileSync(join(dir, name), 'nonsense\n')
    const warned: string[] = []
    const ledger = await ledgerIn(dir, {warn: (text) => warned.push(text)})
    expect([
      ledger.unfinished().length,
      ledger.recent().length,
      ledger.finishedMeanwhile(idOf(3), beginning(idOf(3))),
    ]).toEqual([1, 51, undefined])
    expect(warned).toEqual([])
    expect(ledger.finishedAs([beginning(idOf(3))])).toEqual([])
    expect(warned).toEqual([
      expect.stringMatching(/^line 1 of the ledger of uploads \S+\.done\.[0-9a-f]{2} is damaged and was skipped$/u),
    ])
  })

  test('keeps what was forgotten, restarted or finished again, before and after compaction', async () => {
    const dir = await tidied()
    await change(dir, idOf(3), (claim) => claim.forget())
    await change(dir, idOf(4), (claim) => claim.begin(beginning(idOf(4))))
    await change(dir, idOf(7), (claim) => claim.done({uuid: 'late', sha256: null}))
    for (const damage of ['', 'nonsense\n']) {
      // A damaged line has the ledger tidied up.
      appendFileSync(fileOf(dir), damage)
      await change(dir, idOf(7), () => undefined)
      const {said} = await saying(dir)
      expect([said.list.length, said.as, said.unfinished.map(({id}) => id)]).toEqual([
        599,
        [[idOf(7), 'late']],
        [idOf(4)],
      ])
    }
    expect(
      movedIn(dir)
        .map((name) => readFileSync(join(dir, name), 'utf8'))
        .join(''),
    ).not.toContain(idOf(3))
    await change(dir, idOf(4), (claim) => claim.done({uuid: 'again', sha256: null}))
    expect((await saying(dir)).said.as).toEqual([
      [idOf(4), 'again'],
      [idOf(7), 'late'],
    ])
  })

  test('keeps a finished upload whose second creation was refused', async () => {
    const dir = await tidied()
    await change(dir, idOf(4), (claim) => {
      claim.begin(beginning(idOf(4)))
      claim.withdraw()
    })
    expect((await saying(dir)).said.as).toContainEqual([idOf(4), 'u-4'])
  })

  test('loses only the upload of a damaged line, reports it once, and is repaired', async () => {
    const dir = await tidied()
    const shard = join(dir, movedIn(dir)[0] ?? '')
    const count = readFileSync(shard, 'utf8').trim().split('\n').length
    writeFileSync(shard, `nonsense\n${readFileSync(shard, 'utf8')}{"v":1,"place":"`)
    const {said, warned} = await saying(dir)
    expect([said.list.length, warned]).toEqual([
      600,
      [`line 1 of the ledger of uploads ${shard} is damaged and was skipped`],
    ])
    const ledger = await ledgerIn(dir)
    await withClaim(ledger, 'y', (claim) => claim.begin(beginning('y')))
    expect(ledger.list()).toHaveLength(601)
    await ledger.close()
    expect(readFileSync(shard, 'utf8').trim().split('\n')).toHaveLength(count)
    expect((await saying(dir)).warned).toEqual([])
  })

  test('is refused and kept if one of its files is of another version or a link', async () => {
    const dir = await tidied()
    const shard = join(dir, movedIn(dir)[0] ?? '')
    const other = '{"v":3,"place":"00000000","id":"a"}\n'
    writeFileSync(shard, other)
    const {facts} = await failureOf(async () => (await ledgerIn(dir)).list())
    expect(facts).toMatchObject({
      exit: 'file',
      message: expect.stringContaining(`the ledger of uploads ${shard} is of another version of roomctl: `),
    })
    expect(readFileSync(shard, 'utf8')).toBe(other)
    rmSync(shard)
    symlinkSync(fileOf(dir), shard)
    const linked = await failureOf(async () => (await ledgerIn(dir)).list())
    expect(linked.facts.message).toBe(`cannot read the ledger of uploads ${shard}: it is a symbolic link`)
  })

  test('does not report uploads finished before it was opened as new, in whatever file they are', async () => {
    const dir = longLog()
    const clock = {now: () => new Date(noon.getTime() + 1)}
    const [ledger, other] = [await ledgerIn(dir, clock), await ledgerIn(dir, clock)]
    await withClaim(other, idOf(7), (claim) => claim.done({uuid: 'late', sha256: null}))
    const meanwhile = () => [3, 598, 7].map((at) => ledger.finishedMeanwhile(idOf(at), beginning(idOf(at)))?.done.uuid)
    expect(meanwhile()).toEqual([undefined, undefined, 'late'])
    expect(other.finishedMeanwhile(idOf(7), beginning(idOf(7)))).toBeUndefined()
    for (let at = 1000; at < 1300; at += 1) {
      await withClaim(other, idOf(at), (claim) => {
        claim.begin(beginning(idOf(at)))
        claim.done({uuid: `u-${at}`, sha256: null})
      })
    }
    await other.close()
    expect(textIn(dir)).not.toContain('"late"')
    expect(meanwhile()).toEqual([undefined, undefined, 'late'])
  })
})
