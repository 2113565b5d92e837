import {isUtf8} from 'node:buffer'
import {type Advice, adviceText} from '../../advice.js'
import type {BodyPrefix} from '../../api/client/readPrefix.js'
import {parseResponseJson} from '../../api/client/response/response.js'
import {bytes, catalog, getResource, meta} from '../../api/contract/asset.js'
import type {Shown} from '../../cli/app/baseCommand.js'
import {presentOne} from '../../cli/output/present.js'
import type {Session} from '../../cli/session/session.js'
import type {ResourcePath} from '../../upload/download/openBytes.js'
import {type AnsweredFile, catalogCard, fileCard, linkCard, resourceCard} from '../../view/asset/cards.js'
import {jsonText} from '../../view/format/json.js'
import {escapePath, pathArgument} from './paths.js'

/** The forms in which the document lets a resource be read (asset, Resource operations). */
export const resourceViews = ['link', 'meta', 'catalog', 'asset'] as const
export type ResourceView = (typeof resourceViews)[number]

const cards: Readonly<Record<string, Shown>> = {asset: fileCard, catalog: catalogCard, link: linkCard}

/** The card of a view. */
export function cardOf(view = ''): Shown {
  return cards[view] ?? resourceCard
}

/** The most to read of an answer that may be a file of any size. Longer JSON is not shown. */
const shownBytes = 1024 * 1024

export async function showResource(session: Session, place: ResourcePath, view: ResourceView): Promise<void> {
  const {container, uuid} = place
  const {api} = session
  if (view === 'asset') return showAssetForm(session, place)
  if (view === 'catalog') {
    const path = {container, common_uuid: uuid}
    return presentOne(session, await api.call(catalog, {path, query: {type: 'catalog'}}), catalogCard)
  }
  const path = {container, common_resource_uuid: uuid}
  if (view === 'link') return presentOne(session, await api.call(getResource, {path}), linkCard)
  await presentOne(session, await api.call(meta, {path, query: {type: 'meta'}}), resourceCard)
}

/** The answer to `?type=asset`: JSON as JSON; of a file only the beginning is read, and none of it is shown. */
async function showAssetForm(session: Session, {container, uuid}: ResourcePath): Promise<void> {
  const beginning = await session.api.readPrefix(bytes, {path: {container, uuid}, query: {type: 'asset'}}, shownBytes)
  const json = jsonIn(beginning)
  const isDrawn = session.output.columns !== undefined || ['csv', 'tsv', 'ids'].includes(session.output.format)
  if (json !== undefined && !isDrawn) {
    if (session.output.format === 'table') return session.runtime.stdout.write(jsonText(json))
    return presentOne(session, json, {title: () => '', id: () => '', columns: []})
  }
  const place = `${container}/${uuid}`
  const file: AnsweredFile = {
    resource: escapePath(place),
    content_type: beginning.contentType ?? null,
    size: beginning.size ?? null,
  }
  await presentOne(session, file, fileCard)
  const advice: Advice = {sentence: 'to write the bytes', command: ['asset download', pathArgument(place)]}
  session.view.note?.(adviceText(session.advise(advice)))
}

/** An answer as JSON; without a JSON content type, as of a catalog file, only an object or a list. */
function jsonIn({contentType, bytes: read, whole}: BodyPrefix): unknown {
  if (!whole || !isUtf8(read)) return undefined
  const json = parseResponseJson(read.toString('utf8'))
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/iu.test(contentType ?? '')
  return isJson || typeof json === 'object' ? (json ?? undefined) : undefined
}
