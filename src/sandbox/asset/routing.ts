/** The first segment of the paths: of the service, and of the bytes of its files, which need no credential. */
export const assetPrefix = {service: '/asset', data: '/asset-data'} as const

/** What a path names. */
export interface AssetPath {
  readonly segments: readonly string[]
  /** With a slash at the end it names a container, without one a file or where an upload begins (asset, Endpoints). */
  readonly slash: boolean
}

/** Reads a path below the prefix; undefined for empty segments, and for escapes that hide a slash or are none. */
export function readPath(prefix: string, pathname: string): AssetPath | undefined {
  const slash = pathname.endsWith('/')
  const segments = pathname
    .slice(prefix.length + 1, slash ? -1 : undefined)
    .split('/')
    .map(decoded)
  if (segments.some((segment) => segment === '' || segment.includes('/'))) return undefined
  return {segments, slash}
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

/** `/asset/games/puzzle/`: "the URI of a container always ends with /". */
export function containerUri(path: string): string {
  return `${assetPrefix.service}/${encoded(path)}/`
}

/** `/asset/games/puzzle/{uuid}`. */
export function resourceUri(container: string, uuid: string): string {
  return `${assetPrefix.service}/${encoded(`${container}/${uuid}`)}`
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
