import fs, {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import {syncBuiltinESMExports} from 'node:module'
import {dirname, join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, onTestFinished, test} from 'vitest'
import * as z from 'zod/mini'
import {appendToLog, type LogForm, readAtOnce, SharedLog} from '../../../../src/storage/log/log.js'
import {anyText} from '../../../support/anyText.js'
import {freshFolder} from '../../../support/folder.js'

const shape = z.strictObject({id: z.string(), text: z.string()})
type Line = z.output<typeof shape>
const form: LogForm<Line> = {shape}

/** A log whose state is the list of its records. */
class Listed {
  readonly log: SharedLog<Line>
  readonly #records: Line[] = []

  constructor(path: string) {
    const take = (line: Line) => this.#records.push(line) > 0
    const restart = () => this.#records.splice(0)
    this.log = new SharedLog(path, form, {take, restart})
  }

  get records(): readonly Line[] {
    this.log.read()
    return [...this.#records]
  }
}

/** The path of a log that is not there yet, in a folder that is. */
const newLog = () => join(freshFolder(), 'log.jsonl')

/** A look at a log, which is closed after the test. */
function listed(path: string): Listed {
  const look = new Listed(path)
  onTestFinished(() => look.log.close())
  return look
}

const line = (id: number, text = ''): Line => ({id: `r-${id}`, text})
const textOf = (record: Line) => `${JSON.stringify(record)}\n`

/** Three processes over one log, and the expected records. */
class Scene {
  readonly path = newLog()
  readonly processes = [0, 1, 2].map(() => opened(this.path))
  expected: Line[] = []
  #count = 0

  append(who: number, text: string): void {
    const record = line(this.#count++, text)
    this.expected.push(record)
    this.processes[who]?.log.append(record)
  }

  restart(who: number): void {
    this.processes[who]?.log.close()
    this.processes[who] = opened(this.path)
  }

  read(who: number): void {
    expect(this.processes[who]?.records).toEqual(this.expected)
  }

  compact(who: number): void {
    this.read(who)
    this.expected = this.expected.slice(-3)
    this.processes[who]?.log.compact(this.expected)
  }

  /** A process was killed amid a write. */
  cut(): void {
    appendFileSync(this.path, textOf(line(0)).slice(0, 11))
  }

  damage(): void {
    appendFileSync(this.path, '\n\0\0{"id":1}\n')
  }

  remove(): void {
    if (existsSync(this.path)) this.expected = []
    rmSync(this.path, {force: true})
  }
}

type Step = readonly ['append' | 'read' | 'restart' | 'compact' | 'cut' | 'damage' | 'remove', number, string]

const stepOf = (...kinds: Step[0][]) => fc.tuple(fc.constantFrom(...kinds), fc.nat(2), anyText({maxLength: 40}))
const steps = fc.array(
  fc.oneof(
    {weight: 6, arbitrary: stepOf('append')},
    {weight: 5, arbitrary: stepOf('read', 'restart', 'compact', 'cut', 'damage', 'remove')},
  ),
  {maxLength: 40},
)

describe('a log that several processes share', () => {
  test('gives each the records of all in order, through kills, damage and compaction', () => {
    fc.assert(
      fc.property(steps, (all: readonly Step[]) => {
        const scene = new Scene()
        for (const [kind, who, text] of all) scene[kind](who, text)
        for (const who of [0, 1, 2]) scene.read(who)
        for (const {log} of scene.processes) log.close()
      }),
      {numRuns: 150},
    )
  })

  test('loses only the records of damaged lines, and names them', () => {
    const records = [line(1, 'a'), line(2, '회의 🎉'), line(3, 'x'.repeat(20)), line(4)]
    const path = newLog()
    const whole = Buffer.from(records.map(textOf).join(''))
    for (let at = 0; at < whole.length; at += 1) {
      for (const byte of [0x00, 0x0a, 0x22, 0xff]) {
        const bytes = Buffer.from(whole)
        bytes[at] = byte
        writeFileSync(path, bytes)
        const {records: read, damaged} = readAtOnce(path, form)
        // A line break that is gone joins two lines.
        const touched = records.filter((_, number) => touches(whole, at, number))
        expect(read.filter(({id}) => touched.every((record) => record.id !== id))).toEqual(
          expect.arrayContaining(records.filter((record) => !touched.includes(record))),
        )
        if (read.length < records.length && at < whole.length - 1) expect(damaged.length).toBeGreaterThan(0)
      }
    }
  })

  test('reads a line that is longer than many blocks, and one that is still being written', () => {
    const path = newLog()
    const large = line(1, '가'.repeat(300_000))
    const reader = listed(path)
    writeFileSync(path, textOf(large).slice(0, 100_000))
    expect(reader.records).toEqual([])
    writeFileSync(path, `${textOf(large)}${textOf(line(2))}`)
    expect(reader.records).toEqual([large, line(2)])
    expect([reader.log.lines, reader.log.damaged]).toEqual([2, []])
  })

  test('is read again where another file has taken its place, also one of the same length', () => {
    const path = newLog()
    const reader = opened(path)
    onTestFinished(() => reader.log.close())
    reader.log.append(line(1))
    expect(reader.records).toEqual([line(1)])
    reader.log.compact([line(2)])
    expect(reader.records).toEqual([line(2)])
    truncateSync(path, 0)
    expect(reader.records).toEqual([])
    expect(reader.log.replaced).toBe(2)
  })
})

describe('files that cannot be a log', () => {
  test('are refused: a link, a folder, a file over the limit', () => {
    const path = newLog()
    const victim = `${path}.victim`
    writeFileSync(victim, 'mine\n')
    symlinkSync(victim, path)
    expect(() => listed(path).records).toThrow(expect.objectContaining({code: 'ELOOP'}))
    expect(() => listed(path).log.open()).toThrow(expect.objectContaining({code: 'ELOOP'}))
    expect(readFileSync(victim, 'utf8')).toBe('mine\n')
    rmSync(path)
    mkdirSync(path)
    expect(() => listed(path).records).toThrow('it is not a file')
    rmSync(path, {recursive: true})
    writeFileSync(path, textOf(line(1, 'x'.repeat(100))))
    expect(() => readAtOnce(path, {...form, maxBytes: 50})).toThrow('it is larger than')
  })

  test('on a read-only disk can be read, and an append changes nothing', () => {
    const path = newLog()
    writeFileSync(path, textOf(line(1)), {mode: 0o600})
    const {openSync} = fs
    fs.openSync = (...args: Parameters<typeof openSync>) => {
      if ((Number(args[1]) & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) === 0) return openSync(...args)
      throw Object.assign(new Error('read-only'), {code: 'EROFS'})
    }
    syncBuiltinESMExports()
    onTestFinished(() => {
      fs.openSync = openSync
      syncBuiltinESMExports()
    })
    const reader = listed(path)
    expect(reader.records).toEqual([line(1)])
    expect(() => reader.log.open()).toThrow(expect.objectContaining({code: 'EROFS'}))
    expect(() => appendToLog(path, form, [line(2)])).toThrow(expect.objectContaining({code: 'EROFS'}))
    expect(reader.records).toEqual([line(1)])
  })
})

test('a compaction leaves the log alone that another process has appended to meanwhile', () => {
  const path = newLog()
  const [compacting, other] = [opened(path), opened(path)]
  compacting.log.append(line(1))
  expect(compacting.records).toEqual([line(1)])
  function* late() {
    yield line(1)
    other.log.append(line(2))
  }
  expect(() => compacting.log.compact(late())).toThrow(expect.objectContaining({code: 'EBUSY'}))
  expect(compacting.records).toEqual([line(1), line(2)])
  expect(readdirSync(dirname(path))).toEqual(['log.jsonl'])
  compacting.log.close()
  other.log.close()
})

/** A process that may append. */
function opened(path: string): Listed {
  const writer = new Listed(path)
  writer.log.open()
  return writer
}

/** Whether a byte is one of a line, or of the line break before or after it. */
function touches(whole: Buffer, at: number, number: number): boolean {
  const before = whole.subarray(0, at).filter((byte) => byte === 0x0a).length
  return before === number || (whole[at] === 0x0a && before + 1 === number)
}
