import type {Listing} from '../../api/contract/asset.js'
import {baseText, type LedgerEntry} from '../ledger/entry.js'
import {assetFileId} from '../source/headers.js'
import type {SyncFile} from './syncFile.js'

/** A resource that the container lists. */
export interface ListedResource {
  readonly name: string | undefined
  /** Undefined where the listing names none, as of common resources (asset, Container listing). */
  readonly platform: string | undefined
}

/** What ledger and listing tell of a container. */
export interface Remembered {
  /** The finished uploads to the container, by name and platform, the newest first. */
  readonly finished: ReadonlyMap<string, readonly Finished[]>
  /** By uuid. */
  readonly listed: ReadonlyMap<string, ListedResource>
  /** Names that the container has, with their platform or, where it is not listed, without. */
  readonly names: ReadonlySet<string>
}

type Finished = LedgerEntry & {readonly done: NonNullable<LedgerEntry['done']>}

/** What a file is to be in the container, and what it is here. */
export interface Wanted {
  readonly file: Pick<SyncFile, 'name' | 'platform' | 'description'>
  readonly link: string | undefined
  readonly size: number
  readonly sha256: string | undefined
}

/** A file that is in the container. */
export interface There {
  readonly uuid: string
  /** The address that its upload had. */
  readonly uri: string
  readonly sha256: string
}

/** Whether a file is in the container: where it is, or why that is not proven, a clause without a stop. */
export type Presence = {readonly there: There} | {readonly why: string}

export function remember(
  {base, container}: {readonly base: URL; readonly container: string},
  entries: readonly LedgerEntry[],
  listing: Listing,
): Remembered {
  const address = baseText(base)
  const finished = new Map<string, Finished[]>()
  for (const entry of entries) {
    if (!isFinished(entry) || entry.base !== address || entry.container !== container) continue
    const place = placeOf(entry)
    finished.set(place, [entry, ...(finished.get(place) ?? [])])
  }
  const listed = resourcesOf(listing)
  const names = [...listed.values()].flatMap(({name, platform}) =>
    namesOf(name).map((text) => placeOf({name: text, platform: platform?.toLowerCase()})),
  )
  return {finished, listed, names: new Set(names)}
}

function isFinished(entry: LedgerEntry): entry is Finished {
  return entry.done !== undefined
}

/** In a container a file is its name and its platform. */
export function placeOf({
  name,
  platform = '*',
}: {
  readonly name: string
  readonly platform?: string | undefined
}): string {
  return `${platform} ${name}`
}

/** The resources of a container by their uuid, the last segment of their uri. */
function resourcesOf({resources}: Listing): Map<string, ListedResource> {
  const assets = resources?.assetResources ?? []
  const common = (resources?.commonResources ?? []).map((entry) => ({...entry, platform: undefined}))
  return new Map(
    [...assets, ...common].flatMap(({uri, name, platform}) => {
      const uuid = uuidOf(uri)
      return uuid === undefined ? [] : [[uuid, {name: name ?? undefined, platform: platform ?? undefined}]]
    }),
  )
}

function uuidOf(uri: string): string | undefined {
  try {
    return assetFileId(uri)
  } catch {
    // A uri that ends in no uuid: no upload of ours has it.
    return undefined
  }
}

/** Whether the whole content of a file has to be read to know whether it is in the container. */
export function mustCompare({finished, listed}: Remembered, file: Wanted['file'], size: number): boolean {
  const uploads = finished.get(placeOf(file)) ?? []
  return uploads.some(
    ({size: then, done}) => then === size && done.sha256 !== null && isListed(listed, done.uuid, file),
  )
}

/**
 * Whether ledger and listing together prove a file to be in the container: the ledger has a finished upload of the same
 * content to the same place under the same words, and the container still lists its uuid under that name and platform.
 */
export function presenceOf(wanted: Wanted, {finished, listed, names}: Remembered): Presence {
  const {file} = wanted
  const uploads = finished.get(placeOf(file)) ?? []
  const proven = uploads.find((upload) => isSame(upload, wanted) && isListed(listed, upload.done.uuid, file))
  if (proven && wanted.sha256 !== undefined) {
    return {there: {uuid: proven.done.uuid, uri: proven.url ?? '', sha256: wanted.sha256}}
  }
  const [last] = uploads
  if (last === undefined) {
    const isTaken = names.has(placeOf(file)) || names.has(placeOf({name: file.name}))
    return {why: isTaken ? 'new: one of this name is there, but nothing proves that it is this file' : 'new'}
  }
  return {why: differenceOf(last, wanted) ?? gone(listed, last.done.uuid)}
}

function isSame({description, link, size, done}: Finished, wanted: Wanted): boolean {
  const {file, sha256} = wanted
  const sameWords = description === file.description && link === wanted.link
  return sameWords && size === wanted.size && sha256 !== undefined && done.sha256 === sha256
}

function differenceOf({description, link, size, done}: Finished, wanted: Wanted): string | undefined {
  if (size !== wanted.size) return 'changed since it was uploaded'
  if (description !== wanted.file.description) return 'another description than it was uploaded with'
  if (link !== wanted.link) return 'another link than it was uploaded with'
  if (done.sha256 === null) return 'its upload left no sha256 to compare it with'
  return wanted.sha256 !== undefined && done.sha256 !== wanted.sha256 ? 'changed since it was uploaded' : undefined
}

function gone(listed: Remembered['listed'], uuid: string): string {
  return listed.has(uuid) ? 'listed under another name or platform' : 'no longer in the container'
}

function isListed(listed: Remembered['listed'], uuid: string, {name, platform}: Wanted['file']): boolean {
  const resource = listed.get(uuid)
  // Samples show the platform in capitals (product §9).
  return namesOf(resource?.name).includes(name) && (resource?.platform?.toLowerCase() ?? platform) === platform
}

/** A listed name, composed as ours are (headers.ts): as it stands and, where the service keeps it encoded, decoded. */
function namesOf(name: string | undefined): string[] {
  if (name === undefined) return []
  try {
    return [name.normalize('NFC'), decodeURIComponent(name).normalize('NFC')]
  } catch {
    return [name.normalize('NFC')]
  }
}
