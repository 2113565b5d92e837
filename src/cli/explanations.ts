import {suggest} from '../bulk/suggest.js'
import {catalogue, meaningOf} from '../contract/catalogue.js'
import {type Code, codes, commonCodes, isCode} from '../contract/codes.js'
import {exits} from '../contract/exits.js'
import {Failure} from '../contract/failure.js'
import {operations} from '../contract/operations.js'
import type {Explanation} from '../view/explanation.js'

/**
 * The meanings of a code, or of all: the general one, or one for each operation that has its own.
 * Raises a Failure (usage) for a code or an operation that the documents do not have.
 */
export function explanations(code?: string, operation?: string): Explanation[] {
  if (operation !== undefined) assertOperation(operation)
  const asked = code === undefined ? codes : [readCode(code)]
  return asked.flatMap((one) => (operation === undefined ? meaningsOf(one) : [explain(one, operation)]))
}

function meaningsOf(code: Code): Explanation[] {
  if (isCommon(code)) {
    const special = operations.filter(({id}) => meaningOf(code, id) !== catalogue[code].general)
    return [explain(code, undefined), ...special.map(({id}) => explain(code, id))]
  }
  const own = operations.filter(({fails}) => (fails as readonly Code[]).includes(code))
  const differs = new Set(own.map(({id}) => meaningOf(code, id)))
  if (own.length === 0 || (differs.size === 1 && differs.has(catalogue[code].general)))
    return [explain(code, undefined, own)]
  return own.map(({id}) => explain(code, id))
}

function explain(code: Code, operation: string | undefined, of: readonly {id: string}[] = []): Explanation {
  const {condition, why, try: advice} = meaningOf(code, operation)
  const {exit, retryable} = catalogue[code]
  const listed = operation === undefined ? of.map(({id}) => id) : [operation]
  return {
    code,
    operations: listed.length === 0 && isCommon(code) ? ['every operation'] : listed,
    condition,
    why: why ?? null,
    try: advice === undefined ? null : placeholders(advice),
    exit_code: exits[exit].code,
    exit_meaning: exits[exit].meaning,
    retryable,
  }
}

/** Whether every operation can answer with it (room, Errors, Common). */
function isCommon(code: Code): boolean {
  return (commonCodes as readonly Code[]).includes(code)
}

/** Without a call there are no values: the names of the arguments stand in. */
function placeholders(text: string): string {
  return text.replaceAll('{roomId}', 'ROOM').replaceAll('{userId}', 'USER')
}

function readCode(text: string): Code {
  const code = text.toUpperCase()
  if (isCode(code)) return code
  const guess = suggest(code, codes)
  throw new Failure({
    exit: 'usage',
    message: `the documents have no code ${text}`,
    why: 'a service may answer codes that its document does not name; the tool shows those as they come',
    try: guess === undefined ? 'roomctl explain lists them all' : `roomctl explain ${guess}`,
  })
}

function assertOperation(id: string): void {
  const ids = operations.map((operation) => operation.id)
  if ((ids as readonly string[]).includes(id)) return
  const guess = suggest(id, ids)
  throw new Failure({
    exit: 'usage',
    message: `there is no operation ${id}`,
    try: guess === undefined ? 'roomctl config route list shows every id' : `--operation ${guess}`,
  })
}
