import {join, resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {wrongUsage} from '../../api/contract/failure.js'
import {
  concurrencyFlag,
  failFastFlag,
  overwriteFlag,
  type ProgressKind,
  progressFlag,
  serviceFlags,
  withMeaning,
} from '../../cli/flags/flags.js'
import {parseByteCountFlag, readConcurrency} from '../../cli/flags/parseValues.js'
import type {Session} from '../../cli/session/session.js'
import {type VerifyLevel, verifyLevels} from '../../upload/bytes/presence.js'
import {type Ledger, openLedger} from '../../upload/ledger/ledger.js'
import {algorithms, type UploadSettings} from '../../upload/model/job.js'
import {ciKinds} from './ciLog.js'
import {readReportFlags} from './uploadReport.js'

const sendingGroup = 'SENDING'

const checksums = [...algorithms, 'none'] as const

const mostFiles = 32
/** Retries without progress before an upload fails, where no setting says more: an upload is worth more patience than a call. */
const usualRetries = 7

export const stateDirFlag = Flags.string({
  helpValue: 'DIR',
  summary: 'folder of the upload ledger, for a CI job to cache',
})

/** Whether descriptions are stamped, for the commands that start uploads; a resumed one keeps the description that it has. */
export const stampFlag = Flags.boolean({
  helpGroup: sendingGroup,
  allowNo: true,
  summary: 'end descriptions with [sha256:DIGEST]',
})

export const sendFlags = {
  checksum: Flags.string({
    options: [...checksums],
    default: 'sha1',
    helpGroup: sendingGroup,
    helpValue: 'NAME',
    summary: 'Upload-Checksum: sha1, sha256 or none',
  }),
  'chunk-size': Flags.string({
    helpGroup: sendingGroup,
    helpValue: '64MiB',
    summary: 'bytes per request (default 64MiB, or 16MiB without HEAD)',
  }),
  concurrency: concurrencyFlag(mostFiles),
  fresh: Flags.boolean({
    helpGroup: sendingGroup,
    summary: 'start over, even for uploaded files',
  }),
  sha256: Flags.boolean({
    helpGroup: sendingGroup,
    allowNo: true,
    default: true,
    summary: 'include the sha256 of each file in its result',
  }),
  'fail-fast': failFastFlag,
  verify: Flags.string({
    options: [...verifyLevels],
    default: 'meta',
    helpGroup: sendingGroup,
    helpValue: 'LEVEL',
    summary: 'proof: none, meta, catalog or download',
  }),
  'limit-rate': Flags.string({
    helpGroup: sendingGroup,
    helpValue: '5MiB',
    summary: 'bytes per second, all files together (default: no limit)',
  }),
  progress: progressFlag,
  ci: Flags.string({
    options: [...ciKinds],
    default: 'auto',
    helpValue: 'SYSTEM',
    summary: 'CI log on stderr: github, gitlab or none',
  }),
  result: Flags.string({
    helpValue: 'FILE',
    exclusive: ['dry-run'],
    summary: 'write the results to FILE as JSON, even if the run fails',
  }),
  overwrite: overwriteFlag('result'),
  'state-dir': stateDirFlag,
  timeout: withMeaning(serviceFlags.timeout, 'time without progress before a retry (default 60s)'),
  retries: withMeaning(serviceFlags.retries, `retries without progress, 0–10 (default ${usualRetries})`),
}

type SendFlags = InferredFlags<typeof sendFlags> & {readonly stamp?: boolean | undefined}

export type SendOptions = ReturnType<typeof readSendFlags>

const leastChunk = '64KiB'
/** Slower, and several files at once would look stalled. */
const leastRate = '16KiB'
/** Reads the flags; `stamps`: the default for descriptions. Raises a Failure: `usage`, or `file` for an unwritable file of results. */
export function readSendFlags(session: Session, flags: SendFlags, {stamps = false} = {}) {
  const {values, source} = session.resolved
  const {timeout, 'asset.headerEncoding': headerEncoding} = values
  const retries = source('retries') === 'default' ? usualRetries : values.retries
  const {'chunk-size': chunk, 'limit-rate': rate} = flags
  return {
    settings: {
      // The parser lets only the words of the options through.
      checksum: flags.checksum as UploadSettings['checksum'],
      ...(chunk === undefined ? {} : {chunkBytes: parseByteCountFlag('--chunk-size', chunk, leastChunk)}),
      ...(rate === undefined ? {} : {bytesPerSecond: parseByteCountFlag('--limit-rate', rate, leastRate)}),
      sha256: flags.sha256,
      fresh: flags.fresh,
      headerEncoding,
      stallMs: timeout,
      attempts: retries + 1,
    } satisfies UploadSettings,
    concurrency: readConcurrency(session, flags.concurrency, mostFiles),
    /** Whether each description ends with the digest of its file (upload/model/stamp.ts). */
    stamp: flags.stamp ?? values['asset.stamp'] ?? stamps,
    failFast: flags['fail-fast'],
    verify: flags.verify as VerifyLevel,
    progress: flags.progress as ProgressKind,
    stateDir: stateFolder(session, flags['state-dir']),
    ...readReportFlags(session, flags),
  }
}

/**
 * `--state-dir`, else a folder of its own; absolute. Raises a Failure (usage): an unset variable of a CI job must not mean the
 * working folder.
 */
export function stateFolder({places}: Session, flag: string | undefined): string {
  if (flag === undefined) return join(places.state, 'uploads')
  if (flag !== '') return resolve(flag)
  throw wrongUsage('--state-dir names no folder', {try: 'add its name: --state-dir DIR'})
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
