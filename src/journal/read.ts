import {createReadStream, statSync} from 'node:fs'
import {join} from 'node:path'
import {TextDecoder} from 'node:util'
import {type JournalEntry, journalFile} from './journal.js'

/** No line that the tool writes comes near it; what is longer is not held in memory. */
const longestLine = 1024 * 1024

/**
 * The changes that the journal holds, the newest last; none where there is no journal. Members that are not known here stay. A
 * blank line is nothing; one that was cut off or damaged is left out, and `damaged` is called with its number. Raises the
 * system's error when the journal cannot be read, and an Error when it is no file.
 */
export async function* readJournal(
  stateFolder: string,
  damaged: (line: number) => void = () => undefined,
): AsyncGenerator<JournalEntry> {
  const path = join(stateFolder, journalFile)
  const stat = statSync(path, {throwIfNoEntry: false})
  if (stat === undefined) return
  // A device or a pipe that stands in for it may never end.
  if (!stat.isFile()) throw new Error('the journal is no file')
  const decoder = new TextDecoder('utf-8', {fatal: true})
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    const entry = line && line.length > 0 ? entryOf(line, decoder) : undefined
    if (entry) yield entry
    else if (line?.length !== 0) damaged(number)
  }
}

/** The bytes of each line without its line break; undefined for a line that is too long to be one. */
async function* linesOf(path: string): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of createReadStream(path)) {
    // Without an encoding a stream of a file gives Buffers.
    const bytes = chunk as Buffer
    let from = 0
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, from)) {
      keep(bytes.subarray(from, at))
      yield taken()
      from = at + 1
    }
    keep(bytes.subarray(from))
  }
  if (size > 0) yield taken()

  function keep(part: Buffer): void {
    size += part.length
    if (size <= longestLine) parts.push(part)
    else parts = []
  }

  function taken(): Buffer | undefined {
    const line = size > longestLine ? undefined : Buffer.concat(parts)
    parts = []
    size = 0
    return line
  }
}

function entryOf(line: Buffer, decoder: TextDecoder): JournalEntry | undefined {
  try {
    const value: unknown = JSON.parse(decoder.decode(line))
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

const outcomes: readonly unknown[] = ['done', 'failed', 'unknown'] satisfies JournalEntry['outcome'][]

function isEntry(value: unknown): value is JournalEntry {
  if (!isObject(value)) return false
  const {at, profile, operation, targets, as, outcome, code} = value
  return (
    isText(at) &&
    !Number.isNaN(Date.parse(at)) &&
    isText(profile) &&
    isText(operation) &&
    isObject(targets) &&
    (as === undefined || isText(as)) &&
    outcomes.includes(outcome) &&
    (code === undefined || isText(code))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
