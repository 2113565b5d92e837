import type {CatalogView, ContainerMeta, ResourceLink, ResourceMeta} from '../../api/contract/assetShapes.js'
import type {CardView, Column} from '../format/columns.js'
import {jsonText} from '../format/json.js'

/** A list in one cell. */
function listed(values: readonly string[] | null | undefined): string {
  return (values ?? []).join(', ')
}

/** The metadata of a container (asset, Container). */
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
    {name: 'owners', value: ({owners}) => owners, show: ({owners}) => listed(owners)},
    {name: '_id', label: 'Internal id', value: ({_id}) => _id, extra: true},
  ],
}

/** The link form of a resource. */
export const linkCard: CardView<ResourceLink> = {
  title: ({type}) => type ?? 'resource',
  id: ({uri}) => uri,
  columns: [
    {name: 'uri', label: 'URI', value: ({uri}) => uri, id: true},
    {name: 'type', value: ({type}) => type},
  ],
}

/** The fields that metadata and catalog view share. */
const shared: readonly Column<ResourceMeta | CatalogView>[] = [
  {name: 'originalFileName', label: 'file name', value: ({originalFileName}) => originalFileName},
  {name: 'uuid', label: 'UUID', value: ({uuid}) => uuid, id: true},
  {name: 'platform', value: ({platform}) => platform},
  {name: 'description', value: ({description}) => description},
  {name: 'parents', value: ({parents}) => parents},
  {name: 'dataUrl', label: 'data URL', value: ({dataUrl}) => dataUrl},
  {name: 'owners', value: ({owners}) => owners, show: ({owners}) => listed(owners)},
]
const internalId: Column<ResourceMeta | CatalogView> = {
  name: '_id',
  label: 'Internal id',
  value: ({_id}) => _id,
  extra: true,
}

/** The metadata of a resource. Its timestamps have no zone, so they are shown as they come (product §9). */
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
    return [`It was put into the trash${when}${trashingUserId ? ` by ${trashingUserId}` : ''}.`]
  },
}

/** The catalog view of a bundle; what its `metaJson` holds is not shown in the document, so it is shown as it is. */
export const catalogCard: CardView<CatalogView> = {
  title: ({originalFileName, uuid}) => originalFileName ?? uuid ?? 'bundle',
  titleColumn: 'originalFileName',
  id: ({uuid}) => uuid ?? '',
  columns: [...shared, {name: 'metaJson', label: 'catalog', value: ({metaJson}) => metaJson, extra: true}, internalId],
  sections: ({metaJson}) =>
    metaJson === undefined || metaJson === null ? [] : [{heading: 'Catalog', draw: () => catalogText(metaJson)}],
}

/** A catalog that comes as text of JSON is laid out as one that comes as JSON. */
function catalogText(metaJson: unknown): string {
  if (typeof metaJson !== 'string') return jsonText(metaJson)
  try {
    return jsonText(JSON.parse(metaJson))
  } catch {
    return jsonText(metaJson)
  }
}
