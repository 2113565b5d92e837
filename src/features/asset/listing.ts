import type {AssetEntry, CommonEntry, ContainerEntry, Listing} from '../../api/contract/assetShapes.js'
import {Failure} from '../../api/contract/failure.js'
import type {AssetRow} from '../../view/asset/asset.js'
import {containerOf, escapedPlace, resourceOf} from './assetPath.js'

/** An entry of a listing, with the container that it is where it is one. */
export interface Listed {
  readonly row: AssetRow
  /** Decoded, to be listed in its turn; absent for a resource, and for a container that lies elsewhere. */
  readonly container?: string
}

/** The entries of a listing in its order: containers, asset resources, common resources. */
export function entriesOf({contains, resources}: Listing, base: URL): Listed[] {
  return [
    ...(contains ?? []).map((entry) => containerEntry(entry, base)),
    ...(resources?.assetResources ?? []).map((entry) => ({row: resourceRow('asset', entry, base)})),
    ...(resources?.commonResources ?? []).map((entry) => ({row: resourceRow('common', entry, base)})),
  ]
}

/** The document gives a child container no name: it is called as its path ends. */
function containerEntry({type, uri}: ContainerEntry, base: URL): Listed {
  const container = readable(() => containerOf(uri, base))
  const row: AssetRow = {
    kind: 'container',
    path: container === undefined ? null : escapedPlace(container),
    name: container?.split('/').at(-1) ?? null,
    type: type ?? null,
    platform: null,
    uuid: null,
    uri,
    description: null,
  }
  return container === undefined ? {row} : {row, container}
}

function resourceRow(kind: 'asset' | 'common', entry: AssetEntry | CommonEntry, base: URL): AssetRow {
  const place = readable(() => resourceOf(entry.uri, base))
  return {
    kind,
    path: place ? escapedPlace(`${place.container}/${place.uuid}`) : null,
    name: entry.name ?? null,
    type: entry.type ?? null,
    platform: 'platform' in entry && typeof entry.platform === 'string' ? entry.platform : null,
    uuid: place?.uuid ?? null,
    uri: entry.uri,
    description: 'description' in entry && typeof entry.description === 'string' ? entry.description : null,
  }
}

/** What a uri names; undefined where it names nothing below the service's address. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
