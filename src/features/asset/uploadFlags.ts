import {join, resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {
  concurrencyFlag,
  failFastFlag,
  overwriteFlag,
  progressFlag,
  serviceFlags,
  switchFlag,
  valueFlag,
  withMeaning,
} from '../../cli/flags/flags.js'
import {parseByteCountFlag, readConcurrency} from '../../cli/flags/parseValues.js'
import type {ConfirmFlags} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {type VerifyLevel, verifyLevels} from '../../upload/download/presence.js'
import {smallestChunk} from '../../upload/engine/chunkSize.js'
import {type Ledger, openLedger} from '../../upload/ledger/ledger.js'
import {algorithms, type UploadSettings} from '../../upload/model/job.js'
import {UploadReport} from './uploadReport.js'

const sending = {helpGroup: 'SENDING'}

const checksums = [...algorithms, 'none'] as const

const mostFiles = 32
/** Retries without progress before an upload fails, by default more than those of a call. */
const usualRetries = 7

export const stateDirFlag = valueFlag('DIR', 'folder of the upload ledger, for a CI job to cache')

/** Whether to stamp descriptions, for commands that start uploads; a resumed one keeps its description. */
export const stampFlag = switchFlag('end descriptions with [sha256:DIGEST]', {...sending, allowNo: true})

/** One of a few words, `usual` unless another is given. */
function choiceFlag(
  choices: readonly string[],
  usual: string,
  helpValue: string,
  summary: string,
  more: {helpGroup?: string} = {},
) {
  return Flags.string({...more, options: [...choices], default: usual, helpValue, summary})
}

export const sendFlags = {
  checksum: choiceFlag(checksums, 'sha1', 'NAME', 'Upload-Checksum: sha1, sha256 or none', sending),
  'chunk-size': valueFlag('8MiB', 'bytes per request (default: a 16th of the file, 4–64MiB)', sending),
  concurrency: concurrencyFlag(mostFiles),
  fresh: switchFlag('start over, even for uploaded files', sending),
  'fail-fast': failFastFlag,
  verify: choiceFlag(verifyLevels, 'meta', 'LEVEL', 'proof: none, meta, catalog or download', sending),
  'limit-rate': valueFlag('5MiB', 'bytes per second, all files together (default: no limit)', sending),
  progress: progressFlag,
  result: valueFlag('FILE', 'write the results to FILE as JSON, even if the run fails', {exclusive: ['dry-run']}),
  overwrite: overwriteFlag('result'),
  'state-dir': stateDirFlag,
  timeout: withMeaning(serviceFlags.timeout, 'time without progress before a retry (default 60s)'),
  retries: withMeaning(serviceFlags.retries, `retries without progress, 0–10 (default ${usualRetries})`),
}

type SendFlags = InferredFlags<typeof sendFlags> & ConfirmFlags & {readonly stamp?: boolean | undefined}

export type SendOptions = ReturnType<typeof readSendFlags>

/** Slower, and several files at once would look stalled. */
const leastRate = '16KiB'
/** Reads the flags; `stamps`: the default for descriptions. Throws Failure: `usage`, or `file` for an unwritable file of results. */
export function readSendFlags(session: Session, flags: SendFlags, {stamps = false} = {}) {
  const {values, source} = session.resolved
  const {timeout, 'asset.headerEncoding': headerEncoding} = values
  const retries = source('retries') === 'default' ? usualRetries : values.retries
  const {'chunk-size': chunk, 'limit-rate': rate} = flags
  return {
    settings: {
      // The parser lets only the words of the options through.
      checksum: flags.checksum as UploadSettings['checksum'],
      ...(chunk === undefined ? {} : {chunkBytes: parseByteCountFlag('--chunk-size', chunk, smallestChunk)}),
      ...(rate === undefined ? {} : {bytesPerSecond: parseByteCountFlag('--limit-rate', rate, leastRate)}),
      fresh: flags.fresh,
      headerEncoding,
      stallMs: timeout,
      attempts: retries + 1,
    } satisfies UploadSettings,
    concurrency: readConcurrency(session, flags.concurrency, mostFiles),
    /** Whether each description ends with the digest of its file (upload/model/job.ts). */
    stamp: flags.stamp ?? values['asset.stamp'] ?? stamps,
    failFast: flags['fail-fast'],
    verify: flags.verify as VerifyLevel,
    stateDir: stateFolder(session, flags['state-dir']),
    report: new UploadReport(session, flags),
    answers: flags,
  }
}

/**
 * `--state-dir`, else a folder of its own; absolute. Throws Failure (usage): an unset variable of a CI job must not mean the
 * working folder.
 */
export function stateFolder({paths}: Session, flag: string | undefined): string {
  if (flag === undefined) return join(paths.state, 'uploads')
  if (flag !== '') return resolve(flag)
  throw wrongUsage('--state-dir names no folder', {try: 'name a folder after --state-dir'})
}

export async function withLedger<T>(
  {runtime, warn}: Session,
  stateDir: string,
  work: (ledger: Ledger) => T | Promise<T>,
): Promise<T> {
  const ledger = await openLedger(stateDir, {now: runtime.now, warn: (text) => warn(`warning: ${text}`)})
  try {
    return await work(ledger)
  } finally {
    await ledger.close()
  }
}
