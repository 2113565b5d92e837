import {Failure, failureWith, interruptedUnsent} from '../../failure.js'
import {Cancelled, Interrupted} from '../../terminal/questions.js'
import {withTimes} from '../../text/time.js'
import {failureLine, failureText} from '../../view/system/failure.js'
import type {CommandOutcome, OutputMode, Runtime} from '../runtime/runtime.js'
import {adviceFor, maskFailure} from './advice.js'

export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof Interrupted) {
    return failureWith('interrupted', 'interrupted', {}, {cause: error})
  }
  if (error instanceof Cancelled) {
    return failureWith('unconfirmed', 'cancelled', {code: 'cancelled', isNotice: true}, {cause: error})
  }
  return bug(error)
}

function bug(error: unknown): Failure {
  const said = error instanceof Error ? error.message : String(error)
  return failureWith(
    'bug',
    `internal error: ${said}`,
    {why: 'this is a bug in roomctl', try: 'run the same command with --debug and report what it prints'},
    {cause: error},
  )
}

/** Writes the failure to stderr and returns its exit code; after an interruption, the signal's. */
export async function reportFailure(error: unknown, outcome: CommandOutcome, runtime: Runtime): Promise<number> {
  const failure = withoutChange(toFailure(error), outcome)
  const signalExit = failure.facts.exit === 'interrupted' ? runtime.interruption() : undefined
  const reported = signalExit ? new Failure({...failure.facts, exit: signalExit}, {cause: failure}) : failure
  const {stderr, stdout} = runtime
  const code = reported.facts.code && stdout.masked(reported.facts.code)
  const mask = (text: string) => stderr.masked(text)
  const columns = outcome.mode.plain ? undefined : stderr.columns
  const text = renderFailure(new Failure({...reported.facts, code}, {cause: reported.cause}), outcome, {mask, columns})
  // Its parts are masked one by one: an error code that contains part of a password is not a secret.
  await stderr.write(text, true)
  return reported.exitCode
}

/** An interrupted read needs only one message: nothing was changed. */
function withoutChange(failure: Failure, {hasChanged}: CommandOutcome): Failure {
  const {exit, outcome = 'none', why, try: advice, isNotice} = failure.facts
  const isBare = exit === 'interrupted' && !isNotice && outcome === 'none' && why === undefined && advice === undefined
  if (!isBare || hasChanged) return failure
  return new Failure({...failure.facts, message: interruptedUnsent, isNotice: true}, {cause: failure})
}

interface Rendering {
  readonly mask: (text: string) => string
  readonly columns: number | undefined
}

function renderFailure(raised: Failure, outcome: CommandOutcome, {mask, columns}: Rendering): string {
  const {mode, held} = outcome
  const failure = ownFailure(raised, mode, mask)
  const text = mode.machine ? failureLine(failure, held.map(mask)) : failureText(failure, mode.style, columns)
  const {cause} = failure
  const trace = cause instanceof Error && cause.stack ? cause.stack : ''
  const stack = mode.debug && failure.facts.exit === 'bug' ? `\n${mask(trace)}` : ''
  return `${text.trimEnd()}${mode.machine ? '' : stack}\n`
}

/** The failure with secrets masked, with times as the output has them, and with advice for the profile that was used. */
function ownFailure(raised: Failure, mode: OutputMode, mask: (text: string) => string): Failure {
  const {facts, cause} = maskFailure(raised, mask, (advice) => adviceFor(advice, mode))
  const own = {
    message: withTimes(facts.message, mode.time),
    why: facts.why === undefined ? undefined : withTimes(facts.why, mode.time),
  }
  return new Failure({...facts, ...own}, {cause})
}
