import {lstat} from 'node:fs/promises'
import path from 'node:path'
import {Failure, failureJson, failureWith, fileFailure, onFailure, withFacts} from '../../failure.js'
import {type FileItem, type Outcome, runAll, SkipTarget} from '../../selection/run.js'
import {syncFolder} from '../../storage/disk/privateFile.js'
import {mayBeReplaced} from '../../storage/disk/replaceFile.js'
import {unlessError} from '../../text/text.js'
import {type ByteSink, type Fetched, fetchBytes} from './fetchBytes.js'
import {safeFileName} from './fileName.js'
import {type BytesLocation, type FetchContext, locateBytes, type ResourcePath} from './openBytes.js'
import {fileExists, PartFile, sweepParts} from './partFile.js'
import {PresenceCheck} from './presence.js'

export interface DownloadOptions {
  /** Created if missing, unless `name` is given. */
  readonly folder: string
  /** The file's name in the folder, as the person typed it; absent: a safe form of the one that the service gives. */
  readonly name?: string
  /** Makes the folder of a named file, too. */
  readonly makesFolder?: boolean
  readonly overwrite: boolean
  /** The sha256 that the bytes must have, in lower-case hex. */
  readonly expect?: string | undefined
  /** The names that downloads of this run write to: one never replaces another. */
  readonly claimed: Set<string>
  /** By HEAD it refuses an unfinished upload; one for all resources of a run, since it remembers whether the service has HEAD. */
  readonly presence?: PresenceCheck
  readonly moved?: (bytes: number) => void
}

export interface Downloaded extends Fetched {
  readonly file: string
}

/** Writes a resource to a file, under its name once its bytes are whole and its stamp's. Throws Failure. */
export async function download(
  context: FetchContext,
  resource: ResourcePath,
  options: DownloadOptions,
): Promise<Downloaded> {
  const place = await locateBytes(context, resource)
  const name = options.name ?? safeFileName(place.name ?? resource.uuid)
  const file = path.join(options.folder, name)
  let release = () => {}
  try {
    release = claimTarget(options.claimed, file)
    return await readPresent({...resource, ...place}, options, () => writeFile(context, place, file, options))
  } catch (error) {
    release()
    throw blamed(resource, error)
  }
}

/** Streams the bytes; `write` returns false once the reader is gone. They are checked afterwards. Throws Failure. */
export async function streamResource(
  context: FetchContext,
  resource: ResourcePath,
  {write, expect}: {readonly write: ByteSink['write']; readonly expect?: string | undefined},
): Promise<Fetched> {
  const place = await locateBytes(context, resource)
  let isWanted = true
  const sink: ByteSink = {
    restart: () => Promise.reject(restartImpossible()),
    write: async (chunk) => {
      isWanted = await write(chunk)
      return isWanted
    },
  }
  try {
    return await readPresent(
      {...resource, ...place},
      {expect, presence: new PresenceCheck(context, 'meta')},
      async () => {
        const fetched = await fetchBytes(context, place, sink)
        if (isWanted) checkDigest(fetched, expect, place.stamp, 'they were written to stdout already')
        return fetched
      },
    )
  } catch (error) {
    throw blamed(resource, error)
  }
}

/** Why a resource in the trash is not downloaded. */
export const trashedReason = 'in the trash'

/**
 * Reads a resource by the rule of presence (PresenceCheck): not in the trash, and no byte of its upload missing by HEAD, which
 * is asked first, or if the bytes have a known digest, once they differ from it. Throws Failure (missing, file).
 */
async function readPresent<T>(
  resource: ResourcePath & BytesLocation,
  {expect, presence}: Pick<DownloadOptions, 'expect' | 'presence'>,
  read: () => Promise<T>,
): Promise<T> {
  const {uuid, name = uuid, stamp} = resource
  if (resource.isTrashed) throw failureWith('missing', `it is ${trashedReason}`, {code: 'trashed'})
  const assertWhole = async () => {
    const absence = await presence?.unfinished(resource).catch(onFailure(isRedirected, () => undefined))
    if (!absence?.reached) return
    const {offset, length} = absence.reached
    throw fileFailure(`${name}: ${offset} of its ${length} bytes are there`, {
      code: 'unfinished',
      why: 'its upload is not complete',
      try: 'once it is uploaded, run the same command again',
    })
  }
  if (expect === undefined && stamp === undefined) await assertWhole()
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure && error.facts.code === 'bytes-differ') await assertWhole()
    throw error
  }
}

/** A service that redirects reads to the bytes may redirect HEAD, too, which then says nothing of an upload. */
function isRedirected({facts: {httpStatus = 0}}: Failure): boolean {
  return httpStatus >= 300 && httpStatus < 400
}

async function writeFile(
  context: FetchContext,
  place: BytesLocation,
  file: string,
  {name, makesFolder = name === undefined, overwrite, expect, moved}: DownloadOptions,
): Promise<Downloaded> {
  const there = await lstat(file).catch(() => undefined)
  const isEmpty = there?.isFile() === true && there.size === 0
  if (there && !there.isSymbolicLink() && !overwrite && !isEmpty) throw fileExists(file)
  if (there?.isSymbolicLink() || (there && !mayBeReplaced(there))) {
    const what = there.isSymbolicLink() ? 'a symbolic link' : 'a pipe or a device'
    const advice = 'choose another place with --dir or --to, or write to stdout with --to -'
    throw fileFailure(`${file} is ${what}, and is not replaced by a file`, {try: advice})
  }
  const {stamp} = place
  // Create the folder of several files; the path of one file may be mistyped.
  const part = await PartFile.create(file, {makeFolder: makesFolder, moved})
  try {
    const fetched = await fetchBytes(context, place, part, expect ?? stamp)
    checkDigest(fetched, expect, stamp, 'the file was not kept')
    await part.place({overwrite: overwrite || isEmpty})
    return {file, ...fetched}
  } finally {
    await part.end()
  }
}

function claimTarget(claimed: Set<string>, file: string): () => void {
  // Names that differ in their case alone are one name on many file systems.
  const key = file.normalize('NFC').toLowerCase()
  if (claimed.has(key)) {
    throw fileFailure(`another resource of this run is written to ${path.basename(file)}`, {
      code: 'file-exists',
      try: 'download it by itself, with --to, or into another folder with --dir',
    })
  }
  claimed.add(key)
  return () => claimed.delete(key)
}

/** `--expect` before the stamp, which may be wrong. */
function checkDigest({sha256}: Fetched, expected: string | undefined, stamp: string | undefined, left: string): void {
  const wanted = expected ?? stamp
  if (wanted === undefined || sha256 === wanted) return
  throw fileFailure(
    expected === undefined ? 'the bytes are not those of its stamp' : 'the bytes are not the expected ones',
    {
      code: 'bytes-differ',
      why: `their sha256 is ${sha256}, not ${wanted}; ${left}`,
      try: expected === undefined ? `to keep them anyway: --expect ${sha256}` : undefined,
    },
  )
}

function restartImpossible(): Failure {
  return failureWith('network', 'the connection broke, and the download would have to start over', {
    code: 'broken',
    why: 'some of them are on stdout already, and the service does not send the rest alone',
    try: 'write to a file instead, with --to',
    retryable: true,
  })
}

function blamed({container, uuid}: ResourcePath, error: unknown): unknown {
  return withFacts(error, ({message}) => ({
    message: `cannot download ${container}/${uuid}: ${message}`,
    cause: message,
  }))
}

export interface DownloadRun extends Omit<DownloadOptions, 'claimed' | 'presence'> {
  readonly concurrency: number
  readonly failFast: boolean
  /** The run is about one resource alone, whose failure is thrown. */
  readonly single: boolean
  readonly ended: (end: Outcome<Downloaded>) => void
}

type Named = ResourcePath & {readonly text: string}

/** Downloads resources, several at a time; the outcomes are in their order. Throws the Failure of a `single` one, and internal errors. */
export async function downloadAll<R extends Named>(
  context: FetchContext,
  resources: readonly R[],
  run: DownloadRun & {
    /** The target of each resource, in place of one folder for all. */
    readonly placeOf?: (resource: R) => Pick<DownloadOptions, 'folder' | 'name' | 'makesFolder'>
  },
): Promise<DownloadRow[]> {
  sweepParts(run.folder)
  const claimed = new Set<string>()
  const presence = new PresenceCheck(context, 'meta')
  const {signal} = context.runtime
  const fetchResource = async (resource: R): Promise<Outcome<Downloaded>> => {
    try {
      const options = {...run, ...run.placeOf?.(resource), claimed, presence}
      return {outcome: 'done', result: await download(context, resource, options)}
    } catch (error) {
      throw run.single ? error : ofSeveral(error, signal)
    }
  }
  const kept = (resource: R, end: Outcome<Downloaded>) => {
    if (run.single && end.outcome === 'failed') throw end.failure
    if (end.outcome !== 'not-tried') run.ended(end)
    return downloadRow(resource, end)
  }
  const rows = await runAll(resources, fetchResource, {...run, signal, what: 'resource', kept})
  const folders = new Set(rows.flatMap(({file}) => (file === null ? [] : path.dirname(file))))
  // If the system cannot sync a folder, a power cut may lose the names of the files, nothing else.
  for (const folder of folders) unlessError(() => syncFolder(folder), undefined)
  return rows
}

/** The row of a resource in the trash, or of an interruption. */
function ofSeveral(error: unknown, signal: AbortSignal): unknown {
  const {exit, code} = error instanceof Failure ? error.facts : {}
  if (code === 'trashed') return new SkipTarget('skipped', trashedReason)
  return signal.aborted && exit === 'interrupted' ? new SkipTarget('skipped', 'unfinished') : error
}

export interface DownloadRow extends FileItem {
  readonly resource: string
  readonly file: string | null
  readonly bytes: number | null
  readonly sha256: string | null
}

/** The outcome of a resource as a result shows it. */
function downloadRow({text: resource}: Named, end: Outcome<Downloaded>): DownloadRow {
  if (end.outcome === 'done') {
    return {resource, ...end.result, outcome: 'done'}
  }
  const nothing = {resource, file: null, bytes: null, sha256: null, outcome: end.outcome}
  return end.outcome === 'failed' ? {...nothing, error: failureJson(end.failure)} : {...nothing, reason: end.reason}
}
