import {constants} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'
import {TextDecoder} from 'node:util'
import {entryOf, type JournalEntry, longestLine} from './entry.js'
import type {JournalPlace} from './journal.js'
import {asides} from './rotate.js'

interface ReadOptions {
  /** Called with the number of each line that cannot be read. */
  readonly damaged?: (line: number) => void
  /** Only the lines that hold this text somewhere are looked at, which is much quicker. */
  readonly mentions?: string
}

/**
 * The changes that the journal holds, the newest last, with those of the files that were put aside; none where there is no
 * journal. Members that are not known here stay. A blank line is nothing; one that was cut off or damaged is left out. Raises the
 * system's error when the journal cannot be read, and an Error when it is no file.
 */
export async function* readJournal(
  {path}: Pick<JournalPlace, 'path'>,
  {damaged, mentions}: ReadOptions = {},
): AsyncGenerator<JournalEntry> {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  // As JSON writes it into the line.
  const wanted = mentions === undefined ? '' : JSON.stringify(mentions).slice(1, -1)
  let number = 0
  for await (const line of linesOfAll(path)) {
    number += 1
    if (line?.length === 0 || line?.includes(wanted) === false) continue
    const entry = line && entryOf(line, decoder)
    if (entry) yield entry
    else damaged?.(number)
  }
}

/** The lines of all files. The newest is opened first: where it is put aside meanwhile, nothing of it is missed. */
async function* linesOfAll(path: string): AsyncGenerator<Buffer | undefined> {
  const newest = await opened(path)
  try {
    for (const aside of asides(path)) yield* linesOfAside(aside.path, newest)
    if (newest) yield* linesOf(newest)
  } finally {
    await newest?.close()
  }
}

/** None where the file was deleted, or is the one that was opened as the newest. */
async function* linesOfAside(path: string, newest: FileHandle | undefined): AsyncGenerator<Buffer | undefined> {
  const file = await opened(path)
  try {
    if (file && (await identityOf(file)) !== (newest && (await identityOf(newest)))) yield* linesOf(file)
  } finally {
    await file?.close()
  }
}

async function identityOf(file: FileHandle): Promise<string> {
  const {dev, ino} = await file.stat({bigint: true})
  return `${dev} ${ino}`
}

/** Undefined where no such file. Raises an Error for what is no file: a device or a pipe may never end. */
async function opened(path: string): Promise<FileHandle | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined || (await file.stat()).isFile()) return file
  await file.close()
  throw new Error('the journal is no file')
}

/** The bytes of each line without its line break; undefined for a line that is too long to be one. */
async function* linesOf(file: FileHandle): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of file.createReadStream({autoClose: false})) {
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
