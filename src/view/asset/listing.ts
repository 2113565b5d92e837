import type {FailureJson} from '../../failure.js'
import {safeText} from '../../text/text.js'
import {type Column, colouredColumn, type ListView} from '../format/columns.js'

/** The contents of a container: child containers, asset resources, common resources (asset, Container listing). */
export const assetKinds = ['container', 'asset', 'common'] as const
export type AssetKind = (typeof assetKinds)[number]

export interface AssetRow {
  readonly kind: AssetKind
  /** The argument CONTAINER or CONTAINER/UUID; null if the uri leads elsewhere. */
  readonly path: string | null
  readonly name: string | null
  readonly type: string | null
  readonly platform: string | null
  readonly uuid: string | null
  readonly uri: string
  readonly description: string | null
  /** The depth below the requested container; of a tree only. */
  readonly depth?: number
  /** The target of a container whose content is elsewhere in the tree. */
  readonly repeated?: true
  readonly error?: FailureJson
}

const kind: Column<AssetRow> = colouredColumn('kind', {container: 'cyan', asset: 'green', common: 'dim'})
const description: Column<AssetRow> = {
  name: 'description',
  show: (row) => remarkOn(row) ?? row.description ?? '',
  paint: (text, row, style) => (row.error ? style.red(text) : text),
  fit: 'prose',
}
const others: readonly Column<AssetRow>[] = [{name: 'type'}, {name: 'platform'}, {name: 'uuid', id: true}, description]
const extras: readonly Column<AssetRow>[] = [
  {name: 'uri', extra: true},
  {name: 'depth', right: true, extra: true},
  {name: 'error', value: (row) => row.error?.message, fit: 'prose', extra: true},
]
const path: Column<AssetRow> = {name: 'path', fit: 'path'}

export const assetList: ListView<AssetRow> = {
  id: ({path, uri}) => path ?? uri,
  empty: 'the container is empty',
  columns: [kind, {name: 'name', fit: 'name'}, ...others, {...path, extra: true}, ...extras],
}

/** The entries of a container and of all containers in it, each name indented below its container's. */
export const assetTree: ListView<AssetRow> = {
  ...assetList,
  columns: [
    {
      name: 'name',
      show: (row) =>
        `${'  '.repeat(row.depth ?? 0)}${safeText(row.name ?? row.uri)}${row.kind === 'container' ? '/' : ''}`,
      paint: (text, row, style) => (row.kind === 'container' ? style.cyan(text) : text),
    },
    kind,
    ...others,
    {...path, extra: true},
    ...extras,
  ],
}

/** The same for a part of the rows: each shows its whole path. */
export const assetPaths: ListView<AssetRow> = {
  ...assetList,
  empty: 'the container has nothing of this kind and platform',
  columns: [kind, {...path, id: true}, {name: 'name', fit: 'name'}, ...others, ...extras],
}

function remarkOn({error, repeated}: AssetRow): string | undefined {
  if (error) return `(not listed: ${error.message})`
  return repeated ? '(its content is shown elsewhere in the tree)' : undefined
}
