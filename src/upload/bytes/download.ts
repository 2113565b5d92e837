import {lstat} from 'node:fs/promises'
import path from 'node:path'
import {Failure, type FailureJson, failureJson, withFacts} from '../../api/contract/failure.js'
import {type Outcome, runAll, Undone} from '../../selection/run.js'
import {mayBeReplaced} from '../../storage/disk/replaceFile.js'
import {fileSize} from '../../text/bytes.js'
import {type ByteSink, type Fetched, fetchBytes} from './fetchBytes.js'
import {safeFileName} from './fileName.js'
import {type BytesLocation, type FetchContext, locateBytes, type ResourcePath} from './openBytes.js'
import {fileExists, PartFile, sweepParts} from './partFile.js'
import {EarlierParts, type PartOrigin} from './partProof.js'

/** Where a download goes, and what it must be. */
export interface DownloadOptions {
  /** Is made where it is missing, unless `name` is given. */
  readonly folder: string
  /** The file's name in the folder, as the person typed it; absent: a safe form of the one that the service gives. */
  readonly name?: string
  /** Makes the folder of a named file, too. */
  readonly makesFolder?: boolean
  /** Replaces a file that has the name. */
  readonly overwrite: boolean
  /** The sha256 that the bytes must have, in lower-case hex. */
  readonly expect?: string
  /** The sha256 that a lock names: it proves in the end that what was continued is of one content. Lower-case hex. */
  readonly locked?: string | undefined
  /** The names that downloads of this run write to: one never replaces another. */
  readonly claimed: Set<string>
  /** What earlier runs left in the folders of this run. */
  readonly parts?: EarlierParts
  /** Is told of bytes as they are written. */
  readonly moved?: (bytes: number) => void
}

/** A file that was written whole; `file` is its path as the folder was given. */
export interface Downloaded extends Fetched {
  readonly file: string
}

/**
 * Writes the bytes of a resource to a file, under its name only once they are whole and, where it has a stamp, those of the stamp.
 * Resumes what a killed run left of it. Raises a Failure; of an unfinished download a part is left only where another run can
 * resume it.
 */
export async function download(
  context: FetchContext,
  resource: ResourcePath,
  options: DownloadOptions,
): Promise<Downloaded> {
  const place = await locateBytes(context, resource)
  const {base} = await context.api.access('asset')
  const from = {
    resource: `${base.origin}${base.pathname} ${resource.container}/${resource.uuid}`,
    place: place.url.origin + place.url.pathname,
  }
  return blaming(resource, async () => {
    const name = options.name ?? safeFileName(place.name ?? resource.uuid)
    const release = claimTarget(options.claimed, path.join(options.folder, name))
    try {
      return await writeFile(context, {...place, origin: {name, ...from}}, path.join(options.folder, name), options)
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
export async function streamResource(
  context: FetchContext,
  resource: ResourcePath,
  {write, expect}: {readonly write: ByteSink['write']; readonly expect?: string | undefined},
): Promise<Fetched> {
  const place = await locateBytes(context, resource)
  const restart = () => Promise.reject(restartImpossible())
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
    if (wanted) checkDigest(fetched, expect, place.stamp, 'they were written to stdout already')
    return fetched
  })
}

async function writeFile(
  context: FetchContext,
  place: BytesLocation & {readonly origin: PartOrigin},
  file: string,
  {
    name,
    makesFolder = name === undefined,
    overwrite,
    expect,
    locked,
    moved,
    parts = new EarlierParts(),
  }: DownloadOptions,
): Promise<Downloaded> {
  const there = await lstat(file).catch(() => undefined)
  const isEmpty = there?.isFile() === true && there.size === 0
  if (there?.isSymbolicLink()) throw isLink(file)
  if (there && !overwrite && !isEmpty) throw fileExists(file)
  if (there && !mayBeReplaced(there)) throw notRegularFile(file)
  // A folder is made for what comes; the path of one file is a person's own, and may be mistyped.
  const {origin, stamp} = place
  const part = await PartFile.create(file, {makeFolder: makesFolder, origin})
  const digest = expect ?? stamp ?? locked
  const found = parts.find(path.dirname(file), origin, digest !== undefined)
  let isReplayed = false
  const earlier = found && {
    ...found,
    read: async function* () {
      isReplayed = true
      yield* found.read()
      isReplayed = false
      // All of it is in the new part.
      found.remove()
    },
  }
  try {
    const sink: ByteSink = {
      write: (chunk) => {
        if (!isReplayed) moved?.(chunk.length)
        return part.write(chunk)
      },
      restart: () => part.restart(),
      checkpoint: (record) => part.checkpoint(record),
    }
    const fetched = await fetchBytes(context, place, sink, {digest, earlier})
    checkDigest(fetched, expect, stamp, 'the file was not kept')
    await part.place({overwrite: overwrite || isEmpty})
    parts.remove(path.dirname(file), origin.name)
    return {file, ...fetched}
  } catch (error) {
    throw await keepForResume(part, error)
  } finally {
    await part.remove()
  }
}

/** Keeps what has come where it is well, and says so. A full disk gets its space back, and bytes that are wrong are of no use. */
async function keepForResume(part: PartFile, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure) || error.facts.exit === 'file') return error
  const bytes = await part.keep()
  if (bytes === 0) return error
  return withFacts(error, ({try: advice}) => ({
    try: advice ?? `run the same command again to resume after ${fileSize(bytes)}`,
  }))
}

function claimTarget(claimed: Set<string>, file: string): () => void {
  // Names that differ in their case alone are one name on many file systems.
  const key = file.normalize('NFC').toLowerCase()
  if (claimed.has(key)) {
    throw new Failure({
      exit: 'file',
      code: 'file-exists',
      message: `another resource of this run is written to ${path.basename(file)}`,
      try: 'download it by itself, with --to FILE or into another --dir',
    })
  }
  claimed.add(key)
  return () => claimed.delete(key)
}

function isLink(file: string): Failure {
  return new Failure({
    exit: 'file',
    message: `${file} is a symbolic link, and is not replaced by a file`,
    try: 'choose another place with --dir or --to',
  })
}

function notRegularFile(file: string): Failure {
  return new Failure({
    exit: 'file',
    message: `${file} is a pipe or a device, and is not replaced by a file`,
    try: `write to stdout instead: --to - > ${file}`,
  })
}

/** What a person expects is asked before the stamp, which may be wrong. */
function checkDigest({sha256}: Fetched, expected: string | undefined, stamp: string | undefined, left: string): void {
  const wanted = expected ?? stamp
  if (wanted === undefined || sha256 === wanted) return
  throw new Failure({
    exit: 'file',
    code: 'bytes-differ',
    message: expected === undefined ? 'the bytes are not those of its stamp' : 'the bytes are not the expected ones',
    why: `their sha256 is ${sha256}, not ${wanted}; ${left}`,
    try: expected === undefined ? `to keep them anyway: --expect ${sha256}` : undefined,
  })
}

function restartImpossible(): Failure {
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
async function blaming<T>({container, uuid}: ResourcePath, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw withFacts(error, ({message}) => ({message: `cannot download ${container}/${uuid}: ${message}`}))
  }
}

export interface DownloadRun extends Omit<DownloadOptions, 'claimed' | 'parts'> {
  /** Resources under way at once. */
  readonly concurrency: number
  /** Begins no other resource once one has failed. */
  readonly failFast: boolean
  /** The run is about one resource alone, whose failure is raised. */
  readonly single: boolean
  /** Is told of each end of a resource that was tried, when it happens. */
  readonly ended: (end: Outcome<Downloaded>) => void
}

/** A resource as a person named it. */
type Named = ResourcePath & {readonly text: string}

/**
 * Downloads resources, several at a time, and gives the outcome of each, in the order they were given. One that fails leaves the
 * others to be tried, unless `failFast`; a token that is refused would be refused for all of them, so none begins after it.
 * Raises what is no Failure, and the Failure of a `single` one.
 */
export async function downloadAll<R extends Named>(
  context: FetchContext,
  resources: readonly R[],
  run: DownloadRun & {
    /** Where each resource goes, in place of one folder for all. */
    readonly placeOf?: (resource: R) => Pick<DownloadOptions, 'folder' | 'name' | 'makesFolder' | 'locked'>
  },
): Promise<DownloadRow[]> {
  sweepParts(run.folder)
  const claimed = new Set<string>()
  const parts = new EarlierParts()
  const {signal} = context.runtime
  const one = async (resource: R): Promise<Outcome<Downloaded>> => {
    try {
      const options = {...run, ...run.placeOf?.(resource), claimed, parts}
      return {outcome: 'done', result: await download(context, resource, options)}
    } catch (error) {
      const isInterrupted = signal.aborted && error instanceof Failure && error.facts.exit === 'interrupted'
      throw isInterrupted && !run.single ? new Undone('skipped', 'unfinished: interrupted') : error
    }
  }
  const kept = (resource: R, end: Outcome<Downloaded>) => {
    if (run.single && end.outcome === 'failed') throw end.failure
    if (end.outcome !== 'not-tried') run.ended(end)
    return downloadRow(resource, end)
  }
  return runAll(resources, one, {...run, signal, what: 'resource', kept})
}

/** The outcome of the download of one resource. */
export interface DownloadRow {
  /** As it was named. */
  readonly resource: string
  readonly file: string | null
  readonly bytes: number | null
  /** Hex. */
  readonly sha256: string | null
  readonly outcome: Outcome<Downloaded>['outcome']
  /** Where an earlier run's download was taken up. */
  readonly resumed_from?: number
  /** Why it was skipped or not tried. */
  readonly reason?: string
  readonly error?: FailureJson
}

/** The outcome of a resource as a result shows it (product §2). */
function downloadRow({text: resource}: Named, end: Outcome<Downloaded>): DownloadRow {
  if (end.outcome === 'done') {
    const {resumedFrom, ...downloaded} = end.result
    return {resource, ...downloaded, outcome: 'done', ...(resumedFrom === undefined ? {} : {resumed_from: resumedFrom})}
  }
  const nothing = {resource, file: null, bytes: null, sha256: null, outcome: end.outcome}
  return end.outcome === 'failed' ? {...nothing, error: failureJson(end.failure)} : {...nothing, reason: end.reason}
}
