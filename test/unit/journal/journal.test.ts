import {spawn} from 'node:child_process'
import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {appendToJournal, type JournalEntry, type JournalPlace, journalFile} from '../../../src/journal/journal.js'
import {asides} from '../../../src/journal/rotate.js'

const entry: JournalEntry = {
  at: '2026-12-01T12:00:00.000Z',
  profile: 'work',
  operation: 'attendee.block',
  targets: {roomId: 'r-1', attendees: ['ben']},
  as: 'ann',
  outcome: 'done',
}

let script = ''
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roomctl-journal-'))
  script = join(folder, 'writer.cjs')
  await build({
    entryPoints: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: script,
    logLevel: 'error',
  })
})
afterAll(() => rmSync(join(script, '..'), {recursive: true, force: true}))

/** The journal in a state folder. */
const own = (folder: string): JournalPlace => ({path: join(folder, journalFile), isShared: false})

/** A state folder that is not there yet; gone after the test. */
function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'roomctl-journal-'))
  onTestFinished(() => rmSync(parent, {recursive: true, force: true}))
  return join(parent, 'state', 'roomctl')
}

/** A process that writes `count` lines of about `size` bytes, from a shell that runs `before` first. */
function write(before: string, folder: string, name: string, count: number, size = 0) {
  const words = [process.execPath, script, folder, name, String(count), String(size)]
  const child = spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', ...words], {stdio: ['ignore', 'ignore', 'pipe']})
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise<{code: number | null; stderr: string}>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({code, stderr}))
  })
}

const text = (folder: string) => readFileSync(join(folder, journalFile), 'utf8')
const lines = (folder: string) => text(folder).trimEnd().split('\n')
/** The lines of the files that were put aside, the oldest first. */
const putAside = (folder: string) =>
  asides(own(folder).path).flatMap(({path}) => readFileSync(path, 'utf8').trimEnd().split('\n'))
const mode = (path: string) => statSync(path).mode & 0o777

describe('a line', () => {
  test('is the entry as JSON, and the next one follows it', () => {
    const folder = newFolder()
    appendToJournal(own(folder), entry)
    appendToJournal(own(folder), {...entry, as: undefined, outcome: 'unknown', code: 'reset'})
    expect(text(folder)).toBe(
      '{"at":"2026-12-01T12:00:00.000Z","profile":"work","operation":"attendee.block","targets":{"roomId":"r-1",' +
        '"attendees":["ben"]},"as":"ann","outcome":"done"}\n' +
        '{"at":"2026-12-01T12:00:00.000Z","profile":"work","operation":"attendee.block","targets":{"roomId":"r-1",' +
        '"attendees":["ben"]},"outcome":"unknown","code":"reset"}\n',
    )
  })

  test('stays one line whatever the names hold', () => {
    const folder = newFolder()
    const targets = {roomId: 'r-1\n{"at":1}\r\u2028\u0000\u001b[31m', name: '회의 🎉 \ud800'}
    appendToJournal(own(folder), {...entry, targets})
    expect(text(folder).match(/\n/g)).toHaveLength(1)
    expect(JSON.parse(text(folder)).targets.roomId).toBe(targets.roomId)
  })

  test.each(['', '{"at":"2026-12-01T', '{"at":"x"}'])('is not swallowed by one that was cut off: %j', (cut) => {
    const folder = newFolder()
    appendToJournal(own(folder), entry)
    writeFileSync(join(folder, journalFile), cut, {flag: 'a'})
    appendToJournal(own(folder), entry)
    expect(lines(folder).filter((line) => line === JSON.stringify(entry))).toHaveLength(2)
    expect(lines(folder)).toHaveLength(cut === '' ? 2 : 3)
  })
})

describe('many writers at once', () => {
  test('each write whole lines, and none is lost', async () => {
    const folder = newFolder()
    const names = Array.from({length: 6}, (_, n) => `writer-${n}`)
    // Longer than a page of memory, so that what can be torn is torn here.
    const ends = await Promise.all(names.map((name) => write('true', folder, name, 60, 20_000)))
    expect(ends.map(({code}) => code)).toEqual(names.map(() => 0))
    const written = [...putAside(folder), ...lines(folder)].filter((line) => line !== '')
    const entries: JournalEntry[] = written.map((line) => JSON.parse(line))
    for (const name of names) {
      const own = entries.filter(({profile}) => profile === name).map(({targets}) => targets.roomId)
      expect(own).toEqual(Array.from({length: 60}, (_, n) => `r-${n}`))
    }
    expect(entries).toHaveLength(360)
  })
})

describe('who may read it', () => {
  test.each(['umask 0', 'umask 077', 'umask 0777'])('its user only, under %s', async (umask) => {
    const folder = newFolder()
    // The folder's own parents are made here: under umask 0777 nobody but root could go through new ones.
    if (umask === 'umask 0777') mkdirSync(folder, {recursive: true})
    expect(await write(umask, folder, 'work', 1)).toEqual({code: 0, stderr: ''})
    expect(mode(join(folder, journalFile))).toBe(0o600)
    if (umask !== 'umask 0777') expect([mode(folder), mode(join(folder, '..'))]).toEqual([0o700, 0o700])
  })

  test('its user only, where it was open to all before', () => {
    const folder = newFolder()
    appendToJournal(own(folder), entry)
    chmodSync(join(folder, journalFile), 0o666)
    appendToJournal(own(folder), entry)
    expect(mode(join(folder, journalFile))).toBe(0o600)
  })
})

describe('a journal that cannot be written', () => {
  test('is an error when a file stands where the folder should be', () => {
    const folder = newFolder()
    mkdirSync(join(folder, '..'), {recursive: true})
    writeFileSync(folder, '')
    expect(() => appendToJournal(own(folder), entry)).toThrow(/EEXIST|ENOTDIR/)
  })

  test('is an error when a folder stands where the file should be', () => {
    const folder = newFolder()
    mkdirSync(join(folder, journalFile), {recursive: true})
    expect(() => appendToJournal(own(folder), entry)).toThrow(/EISDIR|EPERM/)
  })

  test('is an error when the disk is full, and costs no line but the cut one', async () => {
    const folder = newFolder()
    const {code, stderr} = await write('ulimit -f 8', folder, 'full', 100, 200)
    expect(code).toBe(1)
    expect(stderr).toMatch(/EFBIG|only a part of its line could be written/)
    const before = lines(folder)
    appendToJournal(own(folder), entry)
    const whole = lines(folder).flatMap(parsed)
    expect(whole.at(-1)).toEqual(entry)
    expect(whole.length).toBeGreaterThanOrEqual(before.length)
  })
})

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}
