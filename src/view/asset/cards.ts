import type {CatalogView, ContainerMeta, ResourceLink, ResourceMeta} from '../../api/contract/assetShapes.js'
import {fileSize, unlessError} from '../../text/text.js'
import type {CardView, Column, Section} from '../format/columns.js'
import {jsonText} from '../format/json.js'

export const containerCard: CardView<ContainerMeta> = {
  title: ({name, uuid}) => name ?? uuid ?? 'container',
  titleColumn: 'name',
  id: ({uuid}) => uuid ?? '',
  columns: [
    {name: 'name', value: ({name}) => name},
    {name: 'uuid', label: 'UUID', value: ({uuid}) => uuid, id: true},
    {name: 'type', value: ({type}) => type},
    {name: 'parents', value: ({parents}) => parents},
    {name: 'description', value: ({description}) => description},
    {name: 'owners', value: ({owners}) => owners, show: ({owners}) => owners?.join(', ') ?? ''},
    {name: '_id', label: 'Internal id', value: ({_id}) => _id, extra: true},
  ],
}

export const linkCard: CardView<ResourceLink> = {
  title: ({type}) => type ?? 'resource',
  id: ({uri}) => uri,
  columns: [
    {name: 'uri', label: 'URI', value: ({uri}) => uri, id: true},
    {name: 'type', value: ({type}) => type},
  ],
}

const shared: readonly Column<ResourceMeta | CatalogView>[] = [
  {name: 'originalFileName', label: 'file name', value: ({originalFileName}) => originalFileName},
  {name: 'uuid', label: 'UUID', value: ({uuid}) => uuid, id: true},
  {name: 'platform', value: ({platform}) => platform},
  {name: 'description', value: ({description}) => description},
  {name: 'parents', value: ({parents}) => parents},
  {name: 'dataUrl', label: 'data URL', value: ({dataUrl}) => dataUrl},
  {name: 'owners', value: ({owners}) => owners, show: ({owners}) => owners?.join(', ') ?? ''},
]
const internalId: Column<ResourceMeta | CatalogView> = {
  name: '_id',
  label: 'Internal id',
  value: ({_id}) => _id,
  extra: true,
}

/** The metadata of a resource. Its timestamps have no zone, so they are shown unchanged (product §9). */
export const resourceCard: CardView<ResourceMeta> = {
  title: ({originalFileName, uuid}) => originalFileName ?? uuid ?? 'resource',
  titleColumn: 'originalFileName',
  id: ({uuid}) => uuid ?? '',
  columns: [
    ...shared,
    {name: 'fileExtension', label: 'extension', value: ({fileExtension}) => fileExtension},
    {name: 'assetResourceFileId', label: 'belongs to asset', value: (meta) => meta.assetResourceFileId},
    {name: 'createdAt', label: 'created', value: ({createdAt}) => createdAt},
    {name: 'updatedAt', label: 'updated', value: ({updatedAt}) => updatedAt},
    {name: 'readAt', label: 'read', value: ({readAt}) => readAt},
    {name: 'trashed', value: ({trashed}) => trashed},
    {name: 'trashedAt', label: 'trashed at', value: ({trashedAt}) => trashedAt, extra: true},
    {name: 'trashingUserId', label: 'trashed by', value: ({trashingUserId}) => trashingUserId, extra: true},
    internalId,
  ],
  notes: ({trashed, trashedAt, trashingUserId}) => {
    if (trashed !== true) return []
    const when = trashedAt ? ` at ${trashedAt}` : ''
    return [`It was moved to the trash${when}${trashingUserId ? ` by ${trashingUserId}` : ''}.`]
  },
}

/** The catalog view of a bundle, with `metaJson` unchanged: the document does not show its content. */
export const catalogCard: CardView<CatalogView> = {
  title: ({originalFileName, uuid}) => originalFileName ?? uuid ?? 'bundle',
  titleColumn: 'originalFileName',
  id: ({uuid}) => uuid ?? '',
  columns: [...shared, {name: 'metaJson', label: 'catalog', value: ({metaJson}) => metaJson, only: 'csv'}, internalId],
  sections: ({metaJson}) =>
    metaJson === undefined || metaJson === null ? [] : [{heading: 'Catalog', draw: () => catalogText(metaJson)}],
}

/** A catalog in a JSON string is laid out like a JSON value. */
function catalogText(metaJson: unknown): string {
  return jsonText(typeof metaJson === 'string' ? unlessError(() => JSON.parse(metaJson), metaJson) : metaJson)
}

/** An answer that is a file, described without its bytes. */
export interface AnsweredFile {
  readonly resource: string
  readonly content_type: string | null
  /** Bytes; null if unknown. */
  readonly size: number | null
}

export const fileCard: CardView<AnsweredFile> = {
  title: ({resource}) => resource,
  titleColumn: 'resource',
  id: ({resource}) => resource,
  columns: [
    {name: 'resource', value: ({resource}) => resource, id: true},
    {name: 'content_type', value: ({content_type: type}) => type},
    {name: 'size', value: ({size}) => size, show: ({size}) => (size === null ? 'not told' : fileSize(size))},
  ],
}

/** The two headers as one request brought them, null if it did not; its other headers that say something, and its body. */
export interface CarriedHeaders {
  readonly allow: string | null
  readonly link: string | null
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface ContainerMethods {
  readonly container: string
  readonly allow: readonly string[] | null
  /** The request methods whose answers carried Allow. */
  readonly allow_from: readonly string[]
  readonly link: string | null
  readonly link_from: readonly string[]
  readonly options: CarriedHeaders | null
  readonly head: CarriedHeaders | null
}

/** Allow and Link from whichever carries them: two texts of the document give them to opposite requests (product §9). */
export const methodsCard: CardView<ContainerMethods> = {
  title: ({container}) => container,
  titleColumn: 'container',
  id: ({container}) => container,
  columns: [
    {name: 'container', value: ({container}) => container, id: true},
    {name: 'allow', value: ({allow}) => allow, show: ({allow, allow_from: from}) => said(allow?.join(', '), from)},
    {name: 'link', value: ({link}) => link, show: ({link, link_from: from}) => said(link ?? undefined, from)},
    {name: 'allow_from', value: ({allow_from: from}) => from, extra: true},
    {name: 'link_from', value: ({link_from: from}) => from, extra: true},
  ],
  sections: ({options, head}) => [
    ...carriedSection('Meta information (HEAD)', head?.headers),
    ...carriedSection('Headers of OPTIONS', options?.headers),
    ...carriedSection('Body of OPTIONS', options?.body),
  ],
}

function carriedSection(heading: string, carried: unknown): Section[] {
  const isNothing = typeof carried !== 'object' || carried === null ? !carried : Object.keys(carried).length === 0
  return isNothing ? [] : [{heading, draw: () => jsonText(carried)}]
}

function said(what: string | undefined, from: readonly string[]): string {
  return what === undefined ? '(in neither answer)' : `${what}  (from ${from.join(' and ')})`
}
