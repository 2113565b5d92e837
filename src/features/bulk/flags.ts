import type {InferredFlags} from '@oclif/core/interfaces'
import {
  concurrencyFlag,
  type ProgressKind,
  progressFlag,
  roomSelectionFlags,
  rowFlags,
  severalTargetsFlags,
} from '../../cli/flags/flags.js'
import {parseWholeNumber, readConcurrency} from '../../cli/flags/parseValues.js'
import type {Session} from '../../cli/session/session.js'
import {failureWith, wrongUsage} from '../../failure.js'
import {counted} from '../../text/text.js'

const mostParallel = 64

export const runFlags = {
  ...rowFlags,
  ...severalTargetsFlags,
  concurrency: concurrencyFlag(mostParallel),
  progress: progressFlag,
}

export const bulkFlags = {
  ...runFlags,
  ...roomSelectionFlags,
}

export type RunFlags = InferredFlags<typeof runFlags>
export type BulkFlags = InferredFlags<typeof bulkFlags>

export type BulkSettings = ReturnType<typeof readRunFlags>

/** Reads the flags. Throws Failure: `usage` for a value that cannot be one, `file` for a file that cannot be written. */
export function readRunFlags(session: Session, flags: RunFlags) {
  return {
    most: parseWholeNumber('--max', flags.max),
    concurrency: readConcurrency(session, flags.concurrency, mostParallel),
    failFast: flags['fail-fast'] === true,
    // The parser lets only the words of the options through.
    progress: flags.progress as ProgressKind,
  }
}

/** Throws Failure (usage) if stdin would be read twice: the second read finds it empty. */
export function assertStdinOnce(sources: readonly (string | undefined)[], advice: {why: string; try: string}): void {
  if (sources.filter((source) => source === '-').length <= 1) return
  throw wrongUsage('- (stdin) is used twice; nothing was sent', advice)
}

export interface Targets {
  readonly ids: readonly string[]
  /** Whether the answer is about one target alone: it fails with its own exit code. */
  readonly single: boolean
}

interface LimitedChange {
  readonly limit: number
  readonly noun: string
  readonly verb?: string
}

/** Throws Failure (unconfirmed) for more targets than `--max` allows. */
export function assertWithinLimit(count: number, {limit, noun, verb = 'change'}: LimitedChange): void {
  const message = `refusing to ${verb} ${counted(count, noun)} (limit ${limit}); if intended: --max ${count}`
  if (count <= limit) return
  throw failureWith('unconfirmed', message, {code: 'too-many'})
}

/** Says after a dry run, which shows all targets, that the real run would refuse them. */
export function warnOverLimit({warn}: Session, count: number, {limit, noun}: LimitedChange): void {
  if (count > limit) warn(`the real run refuses more than ${counted(limit, noun)}; add --max ${count}`)
}
