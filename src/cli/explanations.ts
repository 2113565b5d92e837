import {suggest} from '../bulk/suggest.js'
import {catalogue, type Meaning, meaningOf} from '../contract/catalogue.js'
import {type Code, codes, commonCodes, isCode} from '../contract/codes.js'
import {exits} from '../contract/exits.js'
import {Failure} from '../contract/failure.js'
import {operations} from '../contract/operations.js'
import type {Explanation} from '../view/explanation.js'
import {
  type Codeless,
  explainEverywhere,
  explainStatus,
  explainStatuses,
  noCodes,
  withoutCodes,
} from './explainStatus.js'

/**
 * The meanings of a code, or of all: the general one, or one for each operation that has its own. An operation without codes
 * has those of HTTP statuses. Raises a Failure (usage) for a code or an operation that the documents do not have.
 */
export function explanations(code?: string, operation?: string): Explanation[] {
  if (operation !== undefined) assertOperation(operation)
  const codeless = operation === undefined ? undefined : withoutCodes(operation)
  if (codeless) return byStatus(codeless, code)
  if (operation === undefined && code !== undefined && isStatus(code)) return explainEverywhere(Number(code))
  const asked = code === undefined ? codes : [readCode(code)]
  return asked.flatMap((one) =>
    operation === undefined ? meaningsOf(one) : [explain(one, meaningOf(one, operation), [operation])],
  )
}

function byStatus(codeless: Codeless, code: string | undefined): Explanation[] {
  return code === undefined
    ? explainStatuses(codeless)
    : [explainStatus(readStatus(code, codeless), codeless.operation)]
}

/** One explanation for each different meaning, with the operations that share it. */
function meaningsOf(code: Code): Explanation[] {
  const {general} = catalogue[code]
  const own = operations.filter(
    ({id, fails}) => (fails as readonly Code[]).includes(code) || meaningOf(code, id) !== general,
  )
  const groups = new Map<Meaning, string[]>(isCommon(code) || own.length === 0 ? [[general, []]] : [])
  for (const {id} of own) {
    const meaning = meaningOf(code, id)
    if (meaning === general && isCommon(code)) continue
    groups.set(meaning, [...(groups.get(meaning) ?? []), id])
  }
  return [...groups].map(([meaning, ids]) => explain(code, meaning, ids))
}

function explain(code: Code, {condition, why, try: advice}: Meaning, ids: readonly string[]): Explanation {
  const {exit, retryable} = catalogue[code]
  return {
    code,
    operations: ids.length === 0 && isCommon(code) ? ['every room operation'] : ids,
    condition,
    why: why ?? null,
    try: advice === undefined ? null : placeholders(advice),
    exit_code: exits[exit].code,
    exit_meaning: exits[exit].meaning,
    retryable,
  }
}

/** Whether every operation of the room service can answer with it (room, Errors, Common). */
function isCommon(code: Code): boolean {
  return (commonCodes as readonly Code[]).includes(code)
}

/** Without a call there are no values: the names of the arguments stand in. */
function placeholders(text: string): string {
  return text.replaceAll('{roomId}', 'ROOM').replaceAll('{userId}', 'USER')
}

/** Statuses of refusals. */
function isStatus(text: string): boolean {
  return /^[45]\d\d$/u.test(text)
}

function readStatus(text: string, codeless: Codeless): number {
  if (isStatus(text)) return Number(text)
  throw new Failure({
    exit: 'usage',
    message: `${codeless.operation.id} answers with no such code as ${text}`,
    why: noCodes(codeless),
    try: `roomctl explain --operation ${codeless.operation.id}`,
  })
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
