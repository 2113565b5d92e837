import {Failure} from '../../api/contract/failure.js'
import {consequencesOf, type NotUndoable} from '../../api/rules/consequences.js'
import {fillAdvice} from '../../api/rules/templates.js'
import type {JournalEntry} from '../../storage/journal/entry.js'

const unknownInverse: NotUndoable = {why: 'there is no known way to undo it'}

/** The failure that says why there is no inverse, with what can be done instead. */
export function notUndoable(entry: JournalEntry, {why, try: advice}: NotUndoable = reasonOf(entry)): Failure {
  return new Failure({
    exit: 'state',
    code: 'no-inverse',
    message: `cannot undo ${describeEntryId(entry)}`,
    why,
    ...(advice === undefined ? {} : {try: fillAdvice(advice, entry.targets)}),
  })
}

function reasonOf({operation}: JournalEntry): NotUndoable {
  const undo = consequencesOf(operation)?.undo
  return undo === undefined || undo === 'inverse' ? unknownInverse : undo
}

/** The failure that says what has changed since, so that nothing is sent. `what`: a clause without a full stop. */
export function stateChanged(entry: JournalEntry, what: string, advice?: string): Failure {
  return new Failure({
    exit: 'state',
    code: 'moved-on',
    message: `cannot undo ${describeEntryId(entry)}: ${what}`,
    why: 'the state has changed since; nothing was sent',
    ...(advice === undefined ? {} : {try: advice}),
  })
}

/** The failure that says why the service would not accept the inverse now, so that it is not sent. */
export function notAccepted(entry: JournalEntry, doing: string, why: string): Failure {
  return new Failure({
    exit: 'state',
    code: 'not-accepted',
    message: `cannot undo ${describeEntryId(entry)}: ${why}`,
    why: `the service would refuse to ${doing}; nothing was sent`,
  })
}

/** An entry as sentences name it: `attendee.block 1m8rqkqg0mg1`. */
function describeEntryId({operation, id}: JournalEntry): string {
  return id === undefined ? operation : `${operation} ${id}`
}
