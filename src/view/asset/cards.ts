import type {CatalogView, ContainerMeta, ResourceLink, ResourceMeta} from '../../api/contract/assetShapes.js'
import {fileSize, unlessError} from '../../text/text.js'
import type {CardView, Column, Section} from '../format/columns.js'
import {jsonText} from '../format/json.js'

export const containerCard: CardView<ContainerMeta> = {
  title: ({name, uuid}) => name ?? uuid ?? 'container',
  titleColumn: 'name',
  id: ({uuid}) => uuid ?? '',
  columns: [
    {name: 'name'},
    {name: 'uuid', label: 'UUID', id: true},
    {name: 'type'},
    {name: 'parents'},
    {name: 'description'},
    {name: 'owners', show: ({owners}) => owners?.join(', ') ?? ''},
    {name: '_id', label: 'Internal id', extra: true},
  ],
}

export const linkCard: CardView<ResourceLink> = {
  title: ({type}) => type ?? 'resource',
  id: ({uri}) => uri,
  columns: [{name: 'uri', label: 'URI', id: true}, {name: 'type'}],
}

const shared: readonly Column<ResourceMeta | CatalogView>[] = [
  {name: 'originalFileName', label: 'file name'},
  {name: 'uuid', label: 'UUID', id: true},
  {name: 'platform'},
  {name: 'description'},
  {name: 'parents'},
  {name: 'dataUrl', label: 'data URL'},
  {name: 'owners', show: ({owners}) => owners?.join(', ') ?? ''},
]
const internalId: Column<ResourceMeta | CatalogView> = {name: '_id', label: 'Internal id', extra: true}

/** The metadata of a resource. Its timestamps have no zone, so they are shown unchanged. */
export const resourceCard: CardView<ResourceMeta> = {
  title: ({originalFileName, uuid}) => originalFileName ?? uuid ?? 'resource',
  titleColumn: 'originalFileName',
  id: ({uuid}) => uuid ?? '',
  columns: [
    ...shared,
    {name: 'fileExtension', label: 'extension'},
    {name: 'assetResourceFileId', label: 'belongs to asset'},
    {name: 'createdAt', label: 'created'},
    {name: 'updatedAt', label: 'updated'},
    {name: 'readAt', label: 'read'},
    {name: 'trashed'},
    {name: 'trashedAt', label: 'trashed at', extra: true},
    {name: 'trashingUserId', label: 'trashed by', extra: true},
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
  columns: [...shared, {name: 'metaJson', label: 'catalog', only: 'csv'}, internalId],
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
    {name: 'resource', id: true},
    {name: 'content_type'},
    {name: 'size', show: ({size}) => (size === null ? 'not told' : fileSize(size))},
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

/** Allow and Link from whichever carries them: two texts of the document give them to opposite requests. */
export const methodsCard: CardView<ContainerMethods> = {
  title: ({container}) => container,
  titleColumn: 'container',
  id: ({container}) => container,
  columns: [
    {name: 'container', id: true},
    {name: 'allow', show: ({allow, allow_from: from}) => said(allow?.join(', '), from)},
    {name: 'link', show: ({link, link_from: from}) => said(link ?? undefined, from)},
    {name: 'allow_from', extra: true},
    {name: 'link_from', extra: true},
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
