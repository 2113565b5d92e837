import {meta, uploadOffset} from '../../api/contract/asset.js'
import type {Listing, ResourceMeta} from '../../api/contract/assetShapes.js'
import {Failure, onFailure} from '../../failure.js'
import {decodeOnce} from '../../text/text.js'
import {assetFileIdForm} from '../files/headers.js'
import {type Proof, stampOf, type UploadJob} from '../model/job.js'
import {fetchBytes, storedBytes} from './fetchBytes.js'
import {type FetchContext, isTrashed, locateBytes, type ResourcePath} from './openBytes.js'

/** Proofs of presence: by the listing alone, by metadata and HEAD, also by the catalog view, by every byte. */
export const verifyLevels = ['none', 'meta', 'catalog', 'download'] as const
export type VerifyLevel = (typeof verifyLevels)[number]

export interface ListedResource {
  readonly name: string | undefined
  /** Undefined if the listing names none, as of common resources (asset, Container listing). */
  readonly platform: string | undefined
  /** Whether the listing shows its description, so that the metadata has no other stamp. */
  readonly isDescribed: boolean
  readonly stamp: string | undefined
}

/** Resources of a container by their uuids. */
export type ListedResources = ReadonlyMap<string, ListedResource>

export function listedResources({resources}: Listing): ListedResources {
  const assets = resources?.assetResources ?? []
  const common = (resources?.commonResources ?? []).map((entry) => ({...entry, platform: undefined, description: null}))
  return new Map(
    [...assets, ...common].flatMap(({uri, name, platform, description}) => {
      const uuid = uuidFromUri(uri)
      const [isDescribed, stamp] = [Boolean(description), stampOf(description)]
      const facts = {name: name ?? undefined, platform: platform ?? undefined, isDescribed, stamp}
      return uuid === undefined ? [] : [[uuid, facts]]
    }),
  )
}

/** The uuid that a uri ends with. */
export function uuidFromUri(uri: string): string | undefined {
  const path = uri.replace(/[?#].*$/su, '').replace(/\/+$/u, '')
  const last = path.split('/').at(-1) ?? ''
  // No upload of ours has a uri that ends in no uuid.
  return assetFileIdForm.test(last) ? last : undefined
}

export function isListedAs(resource: ListedResource | undefined, {name, platform}: NamedFile): boolean {
  // Samples show the platform in capitals.
  return spellingsOf(resource?.name).includes(name) && (resource?.platform?.toLowerCase() ?? platform) === platform
}

type NamedFile = Pick<UploadJob, 'name' | 'platform'>

/** A name of an answer, composed as ours are (headers.ts): as sent and, if the service keeps it encoded, decoded. */
export function spellingsOf(name: string | null | undefined): string[] {
  return name ? [name, decodeOnce(name)].map((text) => text.normalize('NFC')) : []
}

export interface WantedContent {
  readonly name?: string
  /** Undefined if nothing here says it. */
  readonly platform?: string | undefined
  readonly sha256: string
  readonly size?: number
  /** It belongs to an asset, so that its metadata must say to which. */
  readonly isLinked: boolean
  /** The record that ties this uuid to this content: a finished upload of this machine. */
  readonly known?: 'ledger' | undefined
  /** The container does not list it. */
  readonly isUnlisted?: boolean
}

export type PresenceResult = {readonly proof: Proof; readonly link: string | undefined} | Absence

export interface Absence {
  /** `missing`: there is no complete resource; `changed`: it differs; `stamp`: its stamp says so; `unproven`: it may be the same. */
  readonly lack: 'missing' | 'changed' | 'stamp' | 'unproven'
  readonly why: string
  readonly isTrashed?: true
  /** Its bytes were read, and are other ones. */
  readonly isContent?: true
  /** How far its upload is, if HEAD says so. */
  readonly reached?: ReachedOffset
  /** It is an unfinished upload with the length and the stamp of the file, which can be resumed from the offset. */
  readonly resumable?: {readonly offset: number; readonly link: string | undefined}
}

/** Offset and length of an upload, in bytes, as HEAD says them. */
export interface ReachedOffset {
  readonly offset: number
  readonly length: number
}

/** A resource that is complete and not in the trash, as its metadata have it. */
export type KeptResource = Readonly<ReturnType<typeof keptOf>>

/** One without bytes; what its metadata says, if there are any. */
type IncompleteResource = Absence & Partial<KeptResource>

export const unproven: Absence = {lack: 'unproven', why: 'nothing proves that it is this file'}

const missing = (why: string): Absence => ({lack: 'missing', why: `in the container ${why}`})

/** Statuses by which a service says that it has no HEAD of uploads, or nothing of this one. */
const neverOffered = [405, 501]
const notOffered = [404, 410]

/**
 * The rule of presence: the container lists it; its metadata say name, platform, link, complete and not in the trash; its
 * digest is proven by the bytes, by a ledger with this uuid, or by its stamp if HEAD, or else the length of the dataUrl, says that
 * all bytes are there.
 * Level `none` trusts the listing. Throws the Failure of a read, which leaves it undecided.
 */
export class PresenceCheck {
  #isHeadOffered = true

  constructor(
    private readonly context: FetchContext,
    private readonly level: VerifyLevel,
  ) {}

  /** `listed`: its entry in the listing, if read. */
  async check(resource: ResourcePath, wanted: WantedContent, listed?: ListedResource): Promise<PresenceResult> {
    const {sha256, known, isLinked, isUnlisted} = wanted
    if (isOther(listed?.stamp, sha256)) return otherStamp(listed?.stamp)
    const claimed = known ?? (listed?.stamp && 'stamp')
    if (this.level === 'none' && !isLinked && !isUnlisted && claimed) return {proof: claimed, link: undefined}
    const kept = await this.read(resource)
    if ('lack' in kept) return this.#incomplete(resource, {stamp: listed?.stamp, ...kept}, wanted)
    const difference = differenceOf(kept, wanted)
    const why = `it has another ${difference}`
    if (difference) return isUnlisted ? missing(why) : {...missing(why), lack: 'changed'}
    if (isOther(kept.stamp, sha256)) return otherStamp(kept.stamp)
    return (isUnlisted && (await this.#unlisted(resource, kept, wanted))) || this.#proven(resource, kept, wanted)
  }

  #proven(resource: ResourcePath, kept: KeptResource, wanted: WantedContent): Promise<PresenceResult> {
    return this.level === 'download' ? this.#byContent(resource, kept, wanted) : this.#byClaim(resource, kept, wanted)
  }

  async read(resource: ResourcePath): Promise<KeptResource | IncompleteResource> {
    const kept = await readMetaIfThere(this.context, resource)
    if (!kept) return missing('it has no metadata: its upload is not complete')
    if (isTrashed(kept)) return {...missing('it is in the trash'), isTrashed: true}
    // The document has no field for an upload that is complete: of one that is not there is no data yet (asset, Common resource metadata).
    if (!kept.dataUrl) return {...keptOf(kept), ...missing('it has no data: its upload is not complete')}
    return keptOf(kept)
  }

  /** Whether HEAD says that bytes are missing: data may show before an upload is complete. `size`: for an answer without a length. */
  async unfinished(resource: ResourcePath, size?: number): Promise<Absence | undefined> {
    const reached = await this.reached(resource, size)
    return reached && shortOf(reached)
  }

  /** Without HEAD, whether the dataUrl has another length than the file. Nothing can be missing of an empty one. */
  async #unlikeFile(resource: ResourcePath, size: number | undefined): Promise<Absence | undefined> {
    if (!size) return undefined
    const bytes = await storedBytes(this.context, resource)
    if (bytes === undefined) return unproven
    return bytes === size ? undefined : missing(shortage(bytes, size))
  }

  /** A resource that the listing does not show must be whole, by HEAD or else by its dataUrl, and in this container. */
  async #unlisted(resource: ResourcePath, {parents}: KeptResource, {size}: WantedContent) {
    const {base} = await this.context.api.access('asset')
    if (isElsewhere(parents, resource.container, base)) return missing('it is no more: its metadata names another one')
    const reached = await this.reached(resource, size)
    const bytes = reached ? reached.offset : ((await storedBytes(this.context, resource)) ?? size)
    const length = reached?.length ?? size
    if (bytes === size && length === size) return undefined
    return missing(shortage(bytes, length))
  }

  /** The offset of an upload by HEAD; undefined if the service does not say. */
  async reached(resource: ResourcePath, size?: number): Promise<ReachedOffset | undefined> {
    if (!this.#isHeadOffered) return undefined
    const path = {container: resource.container, common_resource_uuid: resource.uuid}
    try {
      const said = await this.context.api.call(uploadOffset, {path, headers: {'Tus-Resumable': '1.0.0'}})
      const {'upload-offset': offset, 'upload-length': length = size} = said
      if (!offset) this.#isHeadOffered = false
      return offset && length !== undefined ? {offset: Number(offset), length: Number(length)} : undefined
    } catch (error) {
      const status = error instanceof Failure ? (error.facts.httpStatus ?? 0) : 0
      if (neverOffered.includes(status)) this.#isHeadOffered = false
      else if (!notOffered.includes(status)) throw error
      return undefined
    }
  }

  /** For a listed resource of the file's name without other proof: whether it can be the file. */
  async unproven(resource: ResourcePath, size?: number): Promise<Absence> {
    return (this.level === 'none' ? undefined : await this.unfinished(resource, size)) ?? unproven
  }

  /** Asks HEAD for the offset of an incomplete resource, if it has the file's stamp. */
  async #incomplete(resource: ResourcePath, kept: IncompleteResource, wanted: WantedContent): Promise<Absence> {
    const {stamp, lack, why, isTrashed: trashed} = kept
    const isAsked = stamp === wanted.sha256 && this.level !== 'none' && !trashed
    const upload = isAsked ? await this.unfinished(resource, wanted.size) : undefined
    return upload ? withResumable(upload, kept, wanted) : {lack, why}
  }

  async #byContent(resource: ResourcePath, {link}: KeptResource, {sha256}: WantedContent): Promise<PresenceResult> {
    const isSame = (await digestOfResource(this.context, resource)).sha256 === sha256
    return isSame
      ? {proof: 'content', link}
      : {lack: 'changed', why: 'in the container it has other content', isContent: true}
  }

  async #byClaim(resource: ResourcePath, kept: KeptResource, wanted: WantedContent): Promise<PresenceResult> {
    const {known, size} = wanted
    const {stamp, link} = kept
    if (known === 'ledger') return {proof: known, link}
    const proof = stamp === undefined ? known : 'stamp'
    if (proof === undefined) return this.unproven(resource, size)
    if (this.level === 'none') return {proof, link}
    const reached = await this.reached(resource, size)
    const absence = reached ? shortOf(reached) : await this.#unlikeFile(resource, size)
    return absence ? withResumable(absence, kept, wanted) : {proof, link}
  }
}

function shortOf(reached: ReachedOffset): Absence | undefined {
  const {offset, length} = reached
  return offset === length ? undefined : {...missing(shortage(offset, length)), reached}
}

function shortage(bytes: number | undefined, length: number | undefined): string {
  return `${bytes} of its ${length} bytes are there: its upload is not complete`
}

function withResumable(absence: Absence, {stamp, link}: Partial<KeptResource>, {sha256, size}: WantedContent): Absence {
  const {reached} = absence
  const isSame = stamp === sha256 && reached?.length === size
  return reached && isSame ? {...absence, resumable: {offset: reached.offset, link}} : absence
}

function isOther(stamp: string | undefined, sha256: string): boolean {
  return stamp !== undefined && stamp !== sha256
}

function otherStamp(stamp: string | undefined): Absence {
  return {lack: 'stamp', why: `its description in the container has the stamp of ${stamp}`}
}

/** Samples show the platform in capitals (asset, Common resource metadata). */
export function keptOf({originalFileName: name, platform, description, assetResourceFileId, parents}: ResourceMeta) {
  const link = assetResourceFileId || undefined
  return {name, platform: platform?.toLowerCase(), stamp: stampOf(description), link, parents}
}

/** Whether metadata name another container, as a path or an address; false for what is neither. */
function isElsewhere(parents: string | null | undefined, container: string, base: URL): boolean {
  const path = parents && URL.canParse(parents) ? new URL(parents).pathname : (parents ?? '')
  const [named, prefix] = [path, base.pathname].map((text) => text.split('/').filter(Boolean).map(decodeOnce).join('/'))
  return path.includes('/') && named !== '' && named !== container && named !== `${prefix}/${container}`
}

export function differenceOf(
  kept: KeptResource,
  {name, platform}: Pick<WantedContent, 'name' | 'platform'>,
): 'name' | 'platform' | undefined {
  if (name !== undefined && !spellingsOf(kept.name).includes(name.normalize('NFC'))) return 'name'
  return platform !== undefined && kept.platform !== platform ? 'platform' : undefined
}

export function readMeta({api}: FetchContext, {container, uuid}: ResourcePath): Promise<ResourceMeta> {
  return api.call(meta, {path: {container, common_resource_uuid: uuid}, query: {type: 'meta'}})
}

/** Undefined if the service lists it and has none, as of an upload that is not complete. */
export function readMetaIfThere(context: FetchContext, resource: ResourcePath): Promise<ResourceMeta | undefined> {
  const isNone = ({facts}: Failure) => notOffered.includes(facts.httpStatus ?? 0)
  return readMeta(context, resource).catch(onFailure(isNone, () => undefined))
}

export async function digestOfResource(context: FetchContext, resource: ResourcePath) {
  const nowhere = {write: () => Promise.resolve(true), restart: () => Promise.resolve()}
  return fetchBytes(context, await locateBytes(context, resource), nowhere)
}
