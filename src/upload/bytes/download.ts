import {lstat} from 'node:fs/promises'
import path from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {mayBeReplaced} from '../../storage/disk/replaceFile.js'
import {type BytesPlace, findBytes, type Resource} from './bytesPlace.js'
import {fetchBytes} from './fetchBytes.js'
import type {FetchContext} from './fetchContext.js'
import {safeFileName} from './fileName.js'
import {PartFile, taken} from './partFile.js'
import type {ByteSink, Fetched} from './taken.js'

/** Where a download goes, and what it must be. */
export interface DownloadOptions {
  /** Is made where it is missing, unless `name` is given. */
  readonly folder: string
  /** The file's name in the folder, as the person typed it; absent: a safe form of the one that the service gives. */
  readonly name?: string
  /** Replaces a file that has the name. */
  readonly force: boolean
  /** The sha256 that the bytes must have, in lower-case hex. */
  readonly expect?: string
  /** The names that downloads of this run write to: one never replaces another. */
  readonly claimed: Set<string>
  /** Is told of bytes as they are written. */
  readonly moved?: (bytes: number) => void
}

/** A file that was written whole; `file` is its path as the folder was given. */
export interface Downloaded extends Fetched {
  readonly file: string
}

/**
 * Writes the bytes of a resource to a file, under its name only once they are whole. Raises a Failure; nothing is left of an
 * unfinished download then.
 */
export async function download(
  context: FetchContext,
  resource: Resource,
  options: DownloadOptions,
): Promise<Downloaded> {
  const place = await findBytes(context, resource)
  return blaming(resource, async () => {
    const name = options.name ?? safeFileName(place.name ?? resource.uuid)
    const release = claim(options.claimed, name)
    try {
      return await write(context, place, path.join(options.folder, name), options)
    } catch (error) {
      release()
      throw error
    }
  })
}

/**
 * Hands the bytes of a resource on as they come; `write` says false when nobody wants more. They may turn out not to be whole, or
 * not the expected ones, when they are out already. Raises a Failure.
 */
export async function pour(
  context: FetchContext,
  resource: Resource,
  {write, expect}: {readonly write: ByteSink['write']; readonly expect?: string | undefined},
): Promise<Fetched> {
  const place = await findBytes(context, resource)
  const restart = () => Promise.reject(outAlready())
  let wanted = true
  const sink: ByteSink = {
    restart,
    write: async (chunk) => {
      wanted = await write(chunk)
      return wanted
    },
  }
  return blaming(resource, async () => {
    const fetched = await fetchBytes(context, place, sink)
    if (wanted) checkDigest(fetched, expect, 'they were written to stdout already')
    return fetched
  })
}

async function write(
  context: FetchContext,
  place: BytesPlace,
  file: string,
  {name, force, expect, moved}: DownloadOptions,
): Promise<Downloaded> {
  const there = await lstat(file).catch(() => undefined)
  if (there && !force) throw taken(file)
  if (there && !mayBeReplaced(there)) throw noFile(file)
  // A folder is made for what comes; the path of one file is a person's own, and may be mistyped.
  const part = await PartFile.create(file, {makeFolder: name === undefined})
  try {
    const sink: ByteSink = {
      write: (chunk) => {
        moved?.(chunk.length)
        return part.write(chunk)
      },
      restart: () => part.restart(),
    }
    const fetched = await fetchBytes(context, place, sink)
    checkDigest(fetched, expect, 'the file was not kept')
    await part.place({force})
    return {file, ...fetched}
  } finally {
    await part.remove()
  }
}

function claim(claimed: Set<string>, name: string): () => void {
  // Names that differ in their case alone are one name on many file systems.
  const key = name.normalize('NFC').toLowerCase()
  if (claimed.has(key)) {
    throw new Failure({
      exit: 'file',
      code: 'file-exists',
      message: `another resource of this run is written to ${name}`,
      try: 'download it by itself, with --to FILE or into another --dir',
    })
  }
  claimed.add(key)
  return () => claimed.delete(key)
}

function noFile(file: string): Failure {
  return new Failure({
    exit: 'file',
    message: `${file} is a pipe or a device, and is not replaced by a file`,
    try: `write to stdout instead: --to - > ${file}`,
  })
}

function checkDigest({sha256}: Fetched, expected: string | undefined, left: string): void {
  if (expected === undefined || sha256 === expected) return
  throw new Failure({
    exit: 'file',
    code: 'bytes-differ',
    message: 'the bytes are not the expected ones',
    why: `their sha256 is ${sha256}, not ${expected}; ${left}`,
  })
}

function outAlready(): Failure {
  return new Failure({
    exit: 'network',
    code: 'broken',
    message: 'the connection broke, and the bytes would have to come again from the first',
    why: 'a part of them is on stdout already, and the service does not give the rest alone',
    try: 'write to a file instead: --to FILE',
    retryable: true,
  })
}

/** Puts before a failure's message what could not be done. */
async function blaming<T>({container, uuid}: Resource, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const message = `cannot download ${container}/${uuid}: ${error.facts.message}`
    throw new Failure({...error.facts, message}, {cause: error})
  }
}
