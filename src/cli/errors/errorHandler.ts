import {CLIError} from '@oclif/core/errors'
import {Failure} from '../../api/contract/failure.js'
import {AddressError} from '../../api/http/network/address.js'
import {RouteError} from '../../api/http/route/route.js'
import {FormError} from '../../selection/form.js'
import {ProfileProblem} from '../../storage/profile/problem.js'
import {Interrupted} from '../../terminal/ask.js'
import {InputError} from '../../terminal/input.js'
import {OutputError} from '../../terminal/output.js'
import {ViewProblem} from '../../text/problem.js'
import type {Style} from '../../text/style.js'
import {failureLine, failureText} from '../../view/tool/failure.js'
import {type AdviceContext, advised} from './advice.js'
import {usageFailure} from './usageErrors.js'

/** How a command ends; filled in as it learns its settings. */
export interface CommandOutcome extends AdviceContext {
  /** Whether stderr carries the failure as one JSON object (product §3). */
  machine: boolean
  style: Style
  /** A screen reader reads: a place is said in words, and not pointed at. */
  plain?: boolean
  debug: boolean
  /** What was said beside the result and waits for the end of the command; undefined where it is told at once. */
  held: string[] | undefined
  /** The exit code of a command that ended well and yet not with 0: some targets failed, a check said no. */
  exitCode: number
}

/** Formats whose readers are programs: under them a failure is one JSON object on stderr. */
const machineFormats = new Set(['json', 'ndjson', 'yaml', 'csv', 'tsv'])

export function isMachineFormat(format: string): boolean {
  return machineFormats.has(format)
}

/** What argv alone says about the format: a command that cannot be parsed must fail in the form that was asked for. */
export function requestsMachineFormat(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  if (own.includes('--json')) return true
  const given = own.flatMap((word, at) => {
    if (word === '-o' || word === '--output') return [own[at + 1] ?? '']
    return /^(?:--output=|-o=?)(.+)$/.exec(word)?.[1] ?? []
  })
  return isMachineFormat(given.at(-1) ?? env.ROOMCTL_OUTPUT ?? 'table')
}

/** Turns whatever was thrown into the failure that a person or a script is shown. */
export function toFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  if (error instanceof ProfileProblem) {
    return new Failure({exit: error.kind, message: error.message, why: error.why, try: error.advice}, {cause: error})
  }
  if (error instanceof FormError) return formFailure(error, error)
  if (error instanceof ViewProblem) {
    return new Failure({exit: 'usage', message: error.message, try: error.advice}, {cause: error})
  }
  if (error instanceof AddressError || error instanceof RouteError) {
    return new Failure({exit: 'usage', message: error.message}, {cause: error})
  }
  if (error instanceof Interrupted) {
    return new Failure({exit: 'interrupted', message: 'interrupted'}, {cause: error})
  }
  if (error instanceof InputError) {
    return new Failure({exit: 'usage', message: error.message}, {cause: error})
  }
  if (error instanceof CLIError) return usageFailure(error)
  if (error instanceof OutputError) {
    return new Failure({exit: 'file', code: 'output', message: error.message}, {cause: error})
  }
  return bug(error)
}

/** The advice of a selector is its text with a caret below, for people; a program is told the character. */
function formFailure({message, why, advice, position}: FormError, cause: Error): Failure {
  if (position === undefined) return new Failure({exit: 'usage', message, why, try: advice}, {cause})
  const place = `look at character ${position + 1} of the expression`
  return new Failure({exit: 'usage', message, why, try: place, pointer: advice?.split('\n')}, {cause})
}

function bug(error: unknown): Failure {
  const said = error instanceof Error ? error.message : String(error)
  return new Failure(
    {
      exit: 'bug',
      message: `roomctl failed in a way it should not: ${said}`,
      why: 'this is a bug in roomctl, not something you did',
      try: 'run the same command with --debug and report what it prints',
    },
    {cause: error},
  )
}

/** The text for stderr, where secrets are masked as it leaves. What is held stands in the object of a machine format. */
export function renderFailure(raised: Failure, outcome: CommandOutcome): string {
  const failure = new Failure({...raised.facts, try: advised(raised.facts.try, outcome)}, {cause: raised.cause})
  const text = outcome.machine
    ? failureLine(failure, outcome.held)
    : failureText(outcome.plain ? inWords(failure) : failure, outcome.style)
  const stack = outcome.debug && failure.facts.exit === 'bug' ? `\n${stackOf(failure)}` : ''
  return `${text.trimEnd()}${outcome.machine ? '' : stack}\n`
}

/** What is still held when a command has ended well, as lines for stderr. */
export function renderHeldWarnings({held = []}: CommandOutcome): string {
  return held.map((one) => `${one}\n`).join('')
}

function inWords({facts, cause}: Failure): Failure {
  return new Failure({...facts, pointer: undefined}, {cause})
}

function stackOf({cause}: Failure): string {
  return cause instanceof Error && cause.stack ? cause.stack : ''
}
