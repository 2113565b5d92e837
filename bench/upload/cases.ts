import type {Subject} from '../measure.js'
import type {Aim} from './report.js'
import {bareHttp, curl, type Digests, engine, plain, roomctl, type Stage} from './subjects.js'

/** Programs that do the same, to be measured in the same rounds. */
export interface Case {
  readonly title: string
  readonly subjects: readonly Subject[]
  readonly bases: readonly string[]
  readonly aims: readonly Aim[]
  /** At most so many rounds, where one is enough to see what is asked. */
  readonly most?: number
}

const bare: Digests = {checksum: 'none', sha256: false}
const sha1: Digests = {checksum: 'sha1', sha256: false}
const usual: Digests = {checksum: 'sha1', sha256: true}

/** One large file: without digests, with a checksum for each chunk, and as the tool does it unasked. */
export function largeFile(where: string, stage: Stage, file: string, bytes: number): Case {
  return {
    title: `${size(bytes)}, ${where}`,
    subjects: [
      curl('curl', stage, file, bytes),
      plain('plain', stage, [file], 1),
      roomctl('roomctl, no checksum', stage, [file], 1, bare),
      engine('engine, no checksum', stage, [file], 1, bare),
      roomctl('roomctl, sha1', stage, [file], 1, sha1),
      engine('engine, sha1', stage, [file], 1, sha1),
      roomctl('roomctl, sha1 and sha256', stage, [file], 1, usual),
    ],
    bases: ['curl', 'plain'],
    aims: [
      {of: 'roomctl, no checksum', timesAsFastAs: 'curl', atLeast: 0.95},
      {of: 'roomctl, no checksum', timesAsFastAs: 'plain', atLeast: 1.6},
      {of: 'roomctl, no checksum', peakMiB: 64},
      {of: 'roomctl, sha1', timesAsFastAs: 'curl', atLeast: 0.75},
    ],
  }
}

/** Many small files at a time. Ours always keep what is needed to resume; plain does only where it is told to. */
export function smallFiles(where: string, stage: Stage, files: readonly string[], bytes: number): Case {
  return {
    title: `${files.length} x ${size(bytes)}, 8 at a time, ${where}`,
    subjects: [
      bareHttp('floor', stage, files, 8),
      plain('plain', stage, files, 8),
      plain('plain, resumable', stage, files, 8, true),
      roomctl('roomctl', stage, files, 8, usual),
      roomctl('roomctl, no digests', stage, files, 8, bare),
      engine('engine', stage, files, 8, usual),
    ],
    bases: ['plain', 'plain, resumable'],
    aims: [
      {of: 'roomctl', timesAsFastAs: 'plain', atLeast: 1.5},
      {of: 'roomctl', timesAsFastAs: 'plain, resumable', atLeast: 5},
    ],
  }
}

/** Files so small that a slow service is all that counts. */
export function slowService(stage: Stage, files: readonly string[], delayMs: number): Case {
  return {
    title: `${files.length} files, ${delayMs} ms for each request, sink`,
    subjects: [
      bareHttp('floor, 8 at a time', stage, files, 8),
      plain('plain, one at a time', stage, files, 1),
      roomctl('roomctl, 8 at a time', stage, files, 8, usual),
      engine('engine, 8 at a time', stage, files, 8, usual),
    ],
    bases: ['plain, one at a time'],
    aims: [{of: 'roomctl, 8 at a time', timesAsFastAs: 'plain, one at a time', atLeast: 7.5}],
  }
}

/** Several large files at a time, for the memory that they take. */
export function largeFiles(stage: Stage, files: readonly string[], bytes: number): Case {
  return {
    title: `${files.length} x ${size(bytes)}, 8 at a time, sink`,
    subjects: [
      plain('plain', stage, files, 8),
      roomctl('roomctl', stage, files, 8, usual),
      roomctl('roomctl, no checksum', stage, files, 8, bare),
    ],
    bases: ['plain'],
    aims: [
      {of: 'roomctl', peakMiB: 100},
      {of: 'roomctl, no checksum', peakMiB: 100},
    ],
    most: 3,
  }
}

function size(bytes: number): string {
  return bytes >= 2 ** 30
    ? `${bytes / 2 ** 30} GiB`
    : bytes >= 2 ** 20
      ? `${bytes / 2 ** 20} MiB`
      : `${bytes / 1024} KiB`
}
