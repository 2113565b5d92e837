import type {Subject} from '../measure.js'

/** The container that everything is uploaded to. */
export const container = 'games/foo'

export interface Stage {
  /** Address of the asset service. */
  readonly url: string
  /** A folder for what the clients remember, emptied before each run. */
  readonly state: string
  readonly programs: Programs
}

/** Scripts that Node runs. */
export interface Programs {
  readonly roomctl: string
  readonly plain: string
  readonly bareHttp: string
}

/** Of each PATCH of our own uploads; the digest of the whole file is always in the result. */
export type Checksum = 'sha1' | 'none'

/** curl sends the whole file in one PATCH to an upload that was created before, which is not measured. */
export function curl(name: string, stage: Stage, file: string, bytes: number): Subject {
  const common = ['-sS', '--fail', '-H', 'Expect:', '-H', 'Tus-Resumable: 1.0.0', '-H', 'Authorization: Bearer bench']
  const creates = [`Upload-Length: ${bytes}`, 'Original_File_Name: a.bundle', 'Platform: ios', 'Description: bench']
  const sends = ['Upload-Offset: 0', 'Content-Type: application/offset+octet-stream']
  const headers = (lines: readonly string[]) => lines.flatMap((line) => ['-H', line])
  return {
    name,
    empty: [stage.state],
    made: [
      'curl',
      ...common,
      ...headers(creates),
      '-X',
      'POST',
      '-w',
      '%header{location}',
      `${stage.url}/${container}`,
    ],
    argv: ['curl', ...common, ...headers(sends), '-X', 'PATCH', '-T', file, '{made}'],
  }
}

/** Plain tus-js-client. */
export function plain(name: string, stage: Stage, files: readonly string[], width: number): Subject {
  const argv = [process.execPath, stage.programs.plain, `${stage.url}/${container}`, `${width}`, ...files]
  return {name, empty: [stage.state], argv}
}

/** The least that uploads can cost over node:http: reading, digests and requests, and nothing else. */
export function bareHttp(
  name: string,
  stage: Stage,
  files: readonly string[],
  width: number,
  checksum: Checksum,
): Subject {
  const settings = [`${stage.url}/${container}`, `${width}`, checksum, 'sha256']
  return {name, empty: [stage.state], argv: [process.execPath, stage.programs.bareHttp, ...settings, ...files]}
}

/** The command, as a person types it. */
export function roomctl(
  name: string,
  stage: Stage,
  files: readonly string[],
  width: number,
  checksum: Checksum,
): Subject {
  return {
    name,
    empty: [stage.state],
    env: {ROOMCTL_ASSET_URL: stage.url, ROOMCTL_ASSET_TOKEN: 'bench'},
    argv: [
      process.execPath,
      stage.programs.roomctl,
      ...['asset', 'upload', container, ...files],
      ...['--platform', 'ios', '--description', 'bench', '--state-dir', stage.state],
      // The others do not read back, and the service has no metadata.
      ...['--verify', 'none'],
      ...['--concurrency', `${width}`, '--checksum', checksum],
    ],
  }
}
