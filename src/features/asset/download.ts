import {readConcurrency} from '../../cli/flags/parseValues.js'
import {maskErrorJson} from '../../cli/output/failures.js'
import {showReading} from '../../cli/output/progress.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {fileSize} from '../../text/text.js'
import type {DownloadRow} from '../../upload/download/download.js'
import {downloadResults, downloadSum} from '../../view/asset/transfers.js'
import {presentRun} from '../bulk/present.js'

export const mostDownloads = 32

/** Reads the flags of a download of `count` resources. Throws Failure (usage) for a contradiction. */
export function readDownloadFlags(
  session: Session,
  {to, expect, concurrency}: Readonly<Partial<Record<'to' | 'expect' | 'concurrency', string | undefined>>>,
  count: number,
): {readonly concurrency: number; readonly expect?: string} {
  if (to !== undefined && count !== 1) throw singleResourceOnly('--to', count)
  if (expect !== undefined && count !== 1) throw singleResourceOnly('--expect', count)
  if (to === '' || to?.endsWith('/') || /(?:^|\/)\.{1,2}$/u.test(to ?? '')) {
    throw wrongUsage('--to names no file', {try: 'use --dir to name a folder'})
  }
  if (expect !== undefined && !/^[0-9a-f]{64}$/iu.test(expect)) {
    throw wrongUsage('--expect must be a sha256: 64 hexadecimal digits')
  }
  return {
    concurrency: readConcurrency(session, concurrency, mostDownloads),
    ...(expect === undefined ? {} : {expect: expect.toLowerCase()}),
  }
}

/** Shows how far downloads are, from the start; `text` is of `count` files. */
export async function startDownloadProgress(session: Session, count: number) {
  let [bytes, done] = [0, 0]
  const files = () => (count === 1 ? '' : `, ${done} of ${count} files`)
  return {
    moved: (more: number) => {
      bytes += more
    },
    ended: () => {
      done += 1
    },
    stop: showReading(session, () => `downloaded ${fileSize(bytes)}${files()}`),
  }
}

/** Stdout as the target of the bytes. Throws Failure (usage) on a terminal. */
export function openStdout({runtime, warn}: Session) {
  const {stdout} = runtime
  if (stdout.isTerminal) {
    throw wrongUsage('refusing to write binary data to a terminal', {
      why: 'it may contain control sequences',
      try: 'pipe the output, or name a file with --to',
    })
  }
  return {
    /** False once the reader is gone. */
    write: async (chunk: Uint8Array) => {
      await stdout.write(chunk)
      return !stdout.closed
    },
    close: ({bytes, sha256}: {readonly bytes: number; readonly sha256: string}) => {
      if (!stdout.closed) warn(`wrote ${fileSize(bytes)} to stdout, sha256 ${sha256}`)
    },
  }
}

function singleResourceOnly(flag: string, count: number): Failure {
  return wrongUsage(`${flag} takes one resource, but ${count} are named`, {
    try: 'download them one by one, or into a folder with --dir',
  })
}

/** Presents one result for each download. */
export async function presentDownloads(session: Session, downloads: readonly DownloadRow[]): Promise<void> {
  const rows = downloads.map((row) => (row.error ? {...row, error: maskErrorJson(session, row.error)} : row))
  // A skipped resource is unchanged here, or in the trash there.
  const isUndone = ({outcome, file}: DownloadRow) => outcome !== 'done' && file === null
  const isForPeople = !isMachineFormat(session.output.format)
  const isCut = session.runtime.signal.aborted && rows.some(isUndone)
  await presentRun(session, {
    ...{rows, view: downloadResults, isUndone, see: 'their files are in the folder'},
    sum: isForPeople && rows.length > 1 ? downloadSum(rows) : undefined,
    rest: isForPeople && isCut ? 'to resume, run the same command again' : undefined,
  })
}
