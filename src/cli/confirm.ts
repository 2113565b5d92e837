import {Failure} from '../contract/failure.js'
import type {Session} from './session.js'

/** The answers that flags give in advance. */
export interface Answers {
  readonly yes?: boolean
  readonly confirm?: string | undefined
}

export interface Question {
  /** What is about to happen, as a question. */
  readonly text: string
  /** How much it takes: nothing, a yes, or typing `expected` (product §5). */
  readonly weight: 'none' | 'yes' | 'type'
  readonly expected?: string
}

/** Refuses every change on a read-only profile. Raises a Failure (unconfirmed). */
export function assertWritable({resolved}: Session): void {
  if (!resolved.values.readOnly) return
  throw new Failure({
    exit: 'unconfirmed',
    code: 'read-only',
    message: `profile ${resolved.name} is read-only, nothing was sent`,
    why: 'a read-only profile sends no change at all',
    try: `use another profile with -p, or roomctl config set readOnly false -p ${resolved.name}`,
  })
}

/**
 * Asks before a change, by its weight (product §5). `--yes` answers every question but that of a protected profile,
 * which only `--confirm` answers. Raises a Failure (unconfirmed) when it is declined or nobody can be asked.
 */
export async function confirmChange(session: Session, answers: Answers, question: Question): Promise<void> {
  assertWritable(session)
  if (session.resolved.values.protected) return confirmProtected(session, answers, question)
  if (question.weight === 'none' || answers.yes) return
  if (!session.mayAsk) throw unanswered(question, 'add --yes to say yes to it')
  const {ask} = session.runtime
  const {expected} = question
  if (question.weight === 'yes' || expected === undefined) {
    if (!(await ask.confirm(question.text))) throw declined()
    return
  }
  const typed = await ask.text(`${question.text} Type ${expected} to go on:`)
  if (typed.trim() !== expected) throw declined(`${expected} was not typed`)
}

async function confirmProtected(session: Session, {confirm}: Answers, question: Question): Promise<void> {
  const {name} = session.resolved
  if (confirm !== undefined) {
    if (confirm === name) return
    throw declined(`--confirm names another profile than ${name}`)
  }
  if (!session.mayAsk) throw unanswered(question, `add --confirm ${name}: the profile is protected`)
  const typed = await session.runtime.ask.text(`${question.text} Profile ${name} is protected; type its name to go on:`)
  if (typed.trim() !== name) throw declined(`${name} was not typed`)
}

function unanswered({text}: Question, flag: string): Failure {
  return new Failure({
    exit: 'unconfirmed',
    code: 'unconfirmed',
    message: 'this change needs a confirmation, nothing was sent',
    why: `there is no terminal to ask on: ${text}`,
    try: flag,
  })
}

function declined(why?: string): Failure {
  return new Failure({exit: 'unconfirmed', code: 'declined', message: 'not confirmed, nothing was sent', why})
}
