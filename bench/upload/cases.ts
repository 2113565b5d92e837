import type {Subject} from '../measure.js'
import type {Result} from '../report.js'
import {bareHttp, curl, plain, roomctl, type Stage} from './subjects.js'

/** Programs that upload the same, to be measured in the same rounds. */
export interface Case extends Omit<Result, 'rounds'> {
  readonly subjects: readonly Subject[]
  /** The limit of rounds, if few are enough. */
  readonly most?: number
}

const [floor, ours] = ['bare node:http', 'roomctl']

/** One large file, without and with a checksum for each chunk. */
export function largeFile(stage: Stage, file: string, bytes: number): Case[] {
  const kinds = [
    {title: 'no checksum', checksum: 'none', atMost: 1.08},
    {title: 'sha1', checksum: 'sha1', atMost: 1.18},
  ] as const
  return kinds.map(({title, checksum, atMost}) => ({
    title: `${size(bytes)}, ${title}`,
    floor,
    subjects: [
      bareHttp(floor, stage, [file], 1, checksum),
      curl('curl', stage, file, bytes),
      plain('tus-js-client', stage, [file], 1),
      roomctl(ours, stage, [file], 1, checksum),
    ],
    aims: [{of: ours, figure: 'cpu x', atMost}],
  }))
}

/** Many small files at a time, each with both digests. */
export function smallFiles(stage: Stage, files: readonly string[], bytes: number): Case {
  return {
    title: `${files.length} x ${size(bytes)}, 8 at a time`,
    floor,
    subjects: [
      bareHttp(floor, stage, files, 8, 'sha1'),
      plain('tus-js-client', stage, files, 8),
      roomctl(ours, stage, files, 8, 'sha1'),
    ],
    aims: [{of: ours, figure: 'cpu x', atMost: 2}],
  }
}

/** Files so small that a slow service is all that counts. */
export function slowService(stage: Stage, files: readonly string[], delayMs: number): Case {
  return {
    title: `${files.length} files, 8 at a time, ${delayMs} ms for each request`,
    floor,
    subjects: [bareHttp(floor, stage, files, 8, 'sha1'), roomctl(ours, stage, files, 8, 'sha1')],
    aims: [{of: ours, figure: 'wall share', atLeast: 0.86}],
  }
}

/** Several large files at a time, for the memory that they take. */
export function largeFiles(stage: Stage, files: readonly string[], bytes: number): Case {
  return {
    title: `${files.length} x ${size(bytes)}, 8 at a time`,
    floor,
    subjects: [bareHttp(floor, stage, files, 8, 'sha1'), roomctl(ours, stage, files, 8, 'sha1')],
    aims: [{of: ours, figure: 'peak MiB', atMost: 100}],
    most: 3,
  }
}

function size(bytes: number): string {
  const unit = bytes >= 2 ** 30 ? 'GiB' : bytes >= 2 ** 20 ? 'MiB' : 'KiB'
  return `${bytes / 1024 ** ['', 'KiB', 'MiB', 'GiB'].indexOf(unit)} ${unit}`
}
