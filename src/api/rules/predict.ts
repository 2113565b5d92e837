import {isCode} from '../contract/codes.js'
import {meaningOf} from '../contract/errorCatalog.js'
import {fillAdvice, type Values} from '../contract/operation.js'
import type {RoomDetail} from '../contract/room.js'
import {updatable} from '../contract/roomChanges.js'
import {type StatefulOperation, stateRule, stateRules} from '../contract/stateRules.js'
import {
  type Answer,
  type RoomState,
  roomStates,
  type StateRule,
  stateCode,
  stateCodes,
  type Who,
} from '../contract/states.js'
import {admissionRules} from './admissionRules.js'
import {again} from './attendeeRules.js'
import {argumentRules, requestRules} from './requestRules.js'
import {hostOf, recordOf, requesterContext, stateOf, whoMay, whyNoRule, whyVacant} from './room.js'
import type {JournalFacts, RefusalExplanation, RoomRule, RuleContext, RuledOperation, RuleResult} from './rule.js'

/** The prediction of the documents for an operation on a room in its current state. The service decides. */
export interface Prediction {
  readonly allowed: Answer
  readonly code?: string
  readonly why: string
  /** Whether the documents state the answer and its code. */
  readonly documented: boolean
}

export interface AppliedRule {
  readonly rule: RoomRule
  readonly finding: RuleResult
}

/** Operation validity by state, for refusals with this code. */
function stateCheck(rule: StateRule, code: RoomRule['code']): RoomRule['check'] {
  return (room) => {
    const state = stateOf(room)
    if (stateCode(rule, state) !== code) return undefined
    if (state === undefined) {
      return {allowed: 'unknown', why: whyNoRule(room)}
    }
    const {allowed, note, code: _, ...mark} = rule.in[state]
    if (allowed === 'no') {
      const where = roomStates.filter((other) => rule.in[other].allowed === 'yes').join(' and ')
      return {allowed, why: `the room is ${state}; it is allowed in ${where}`, ...mark}
    }
    return {allowed, why: note ? `the room is ${state}: ${note}` : `the room is ${state}`, ...mark}
  }
}

/** room, Errors, CE002: no record of the requester. It does not say whether the creator has one without being an attendee. */
function requesterRecord(room: RoomDetail, {requester}: RuleContext): RuleResult | undefined {
  if (requester === undefined || !isUnrecorded(room, requester)) return undefined
  return {allowed: 'no', why: `${requester} is not on the attendee list of the room`}
}

function isUnrecorded(room: RoomDetail, requester: string): boolean {
  return room.attendees != null && recordOf(room, requester) === undefined && requester !== room.created_by
}

/** room, Authentication rule 3, and the sections of the operations. */
function requesterCheck(operation: StatefulOperation): RoomRule['check'] {
  return (room, {requester, vacant, values}) => {
    if (vacant !== undefined) {
      const why = whyVacant(room, vacant)
      const answer = room.attendees == null ? 'unknown' : 'no'
      return openToCreator(operation, room, values, why) ?? {allowed: answer, why}
    }
    if (requester === undefined) return undefined
    const role = roleOf(room, requester, whoMay(operation, values))
    if (role === undefined) return notPermitted(operation, room, requester, values)
    return {allowed: 'yes', why: `${requester} is the ${role} of the room`, ...markOf(operation, role)}
  }
}

/** Whether the creator may change is_joinable: room §1 rule 7 and §4 rule 1 differ. */
function markOf(operation: StatefulOperation, role: 'host' | 'creator'): Pick<RuleResult, 'undocumented'> {
  return operation === 'room.update' && role === 'creator' ? {undocumented: 'answer'} : {}
}

function roleOf(room: RoomDetail, user: string, who: Who | undefined): 'host' | 'creator' | undefined {
  if (hostOf(room) === user) return 'host'
  return who === 'host or creator' && user === room.created_by ? 'creator' : undefined
}

function notPermitted(
  operation: StatefulOperation,
  room: RoomDetail,
  requester: string,
  values: Values,
): RuleResult | undefined {
  if (isUnrecorded(room, requester)) return undefined
  if (room.attendees == null && hostOf(room) === undefined) return {allowed: 'unknown', why: whyVacant(room, 'host')}
  const {who} = stateRules[operation]
  const why = `${requester} is not the ${who} of the room`
  const isCreator = requester === room.created_by
  return (isCreator ? openToCreator(operation, room, values, why) : undefined) ?? {allowed: 'no', why}
}

/** An update without values may be one of is_joinable alone, which the creator can make (room §1 rule 7). */
function openToCreator(
  operation: StatefulOperation,
  room: RoomDetail,
  values: Values,
  why: string,
): RuleResult | undefined {
  const isOfAnyValue = operation === 'room.update' && updatable.every((name) => values[name] === undefined)
  if (!isOfAnyValue || stateOf(room) !== 'RESERVED' || !room.created_by) return undefined
  return {allowed: 'unknown', why: `${why}; the creator may change is_joinable alone`, undocumented: 'answer'}
}

const stateful = Object.keys(stateRules) as StatefulOperation[]

/**
 * Every rule of the room document by precedence: the state (room, Operation validity by state), the requester (room §4 to §15), and
 * the request.
 */
export const roomRules: readonly RoomRule[] = [
  ...stateful.flatMap((operation): RoomRule[] => {
    const rule: StateRule = stateRules[operation]
    return stateCodes(rule).map((code) => ({
      operation,
      about: 'state',
      code,
      source: rule.source,
      check: stateCheck(rule, code),
    }))
  }),
  ...stateful
    .filter((operation) => stateRules[operation].who.startsWith('host'))
    .flatMap((operation): RoomRule[] => {
      const {source} = stateRules[operation]
      return [
        {operation, about: 'requester', code: 'CE002', source: 'room, Errors', check: requesterRecord},
        {operation, about: 'requester', code: 'CE003', source, check: requesterCheck(operation)},
      ]
    }),
  ...requestRules,
  ...admissionRules,
]

function rulesOf(operation: string, values: Values): RoomRule[] {
  return roomRules.filter(
    (rule) => rule.operation === operation && (rule.fields?.some((name) => values[name] !== undefined) ?? true),
  )
}

function applyRules(operation: string, room: RoomDetail, context: RuleContext): AppliedRule[] {
  const findings: AppliedRule[] = []
  for (const rule of rulesOf(operation, context.values)) {
    const finding = rule.check(room, context)
    if (finding?.isFinal) return [{rule, finding}]
    if (finding) findings.push({rule, finding})
  }
  return findings
}

/** Precedence: no, unknown, yes; among several for yes, an undocumented one. */
function decisive(findings: readonly AppliedRule[]): AppliedRule | undefined {
  const first = (answer: Answer) => findings.find(({finding}) => finding.allowed === answer)
  const open = findings.find(({finding}) => finding.undocumented !== undefined)
  return first('no') ?? first('unknown') ?? open ?? first('yes')
}

/** Whether the documents predict that a request is accepted, or that a user can enter, and why. */
export function predict(
  operation: RuledOperation | (string & {}),
  room: RoomDetail,
  context: RuleContext,
): Prediction & {readonly findings: readonly AppliedRule[]} {
  const findings = applyRules(operation, room, context)
  return {...verdictOf(operation, findings, context), findings}
}

function verdictOf(operation: string, findings: readonly AppliedRule[], context: RuleContext): Prediction {
  const decides = decisive(findings)
  const argument = argumentFinding(operation, context.values)
  if (argument && decides?.finding.allowed !== 'no') return {...resultOf(argument), code: 'CE001'}
  if (decides === undefined) return {allowed: 'yes', why: 'any state', documented: true}
  const {code} = decides.rule
  if (!isRefusal(decides, context) || code === undefined) return resultOf(decides.finding)
  const result = resultOf(decides.finding, code)
  const others = findings.filter(
    (finding) => isRefusal(finding, context) && finding.rule.code && finding.rule.code !== code,
  )
  const also = others.map(
    ({rule, finding}) =>
      `; also, ${finding.undocumented ? markedWhy(finding, rule.code) : `${finding.why} (${rule.code})`}`,
  )
  return {...result, code, why: `${result.why}${also.join('')}`}
}

/** Without a user in the role, nothing is sent that could be refused. */
function isRefusal({rule, finding}: AppliedRule, {vacant}: RuleContext): boolean {
  return finding.allowed === 'no' && (rule.about !== 'requester' || vacant === undefined)
}

/** The reason, marked if the answer, or `code`, is not documented. */
export function markedWhy({why, undocumented}: RuleResult, code?: string): string {
  if (undocumented === undefined) return why
  if (undocumented === 'answer') return `${why} (${code === undefined ? '' : `${code}, `}not documented)`
  return `${why} (${code === undefined ? 'code not documented' : `probably ${code}`})`
}

function resultOf(finding: RuleResult, code?: string): Prediction {
  const {allowed, undocumented} = finding
  return {allowed, why: markedWhy(finding, code), documented: undocumented === undefined}
}

/** The abilities of a user in a room, by operation. `as`: a user, or the role `host` or `creator`. */
export function abilitiesIn(room: RoomDetail, as: string, journalFacts: JournalFacts | undefined) {
  return stateful.map((action) => {
    const {requester = null, allowed, why, code = null, documented} = predictAs(action, room, as, {journalFacts})
    return {action, allowed, why, as: requester, code, documented, source: stateRules[action].source}
  })
}

/**
 * The prediction of a request that `as` makes, a user or the role `host` or `creator`: dry run, question and picker ask here.
 * `isVacant`: no user has the role.
 */
export function predictAs(
  operation: string,
  room: RoomDetail,
  as: string,
  {values = {}, journalFacts}: Partial<Pick<RuleContext, 'values' | 'journalFacts'>> = {},
): Prediction & {readonly requester: string | undefined; readonly isVacant: boolean} {
  const by = requesterContext(operation, room, as, values)
  const {findings: _, ...prediction} = predict(operation, room, {values, journalFacts, ...by})
  return {...prediction, requester: by.requester, isVacant: by.vacant !== undefined}
}

/** Why a call was refused with this code, by its own values. */
export function explainFromArguments(operation: string, code: string, values: Values): RefusalExplanation | undefined {
  const finding = code === 'CE001' ? argumentFinding(operation, values) : undefined
  return finding && {why: finding.why, try: finding.try}
}

function argumentFinding(operation: string, values: Values): RuleResult | undefined {
  for (const check of argumentRules[operation] ?? []) {
    const finding = check(values)
    if (finding) return finding
  }
  return undefined
}

/** What the room can show about a refusal, by the rules with its code. */
export function roomPlaysPart(operation: string, code: string, values: Values): 'none' | 'state' | 'attendees' {
  if (code === 'CE003') return 'none'
  const rules = rulesOf(operation, values).filter((rule) => rule.code === code)
  if (rules.length === 0) return 'none'
  return rules.every(({about}) => about === 'state') ? 'state' : 'attendees'
}

/** Whether the state of a room is the reason for a refusal with this code. */
export function isRefusedByState(operation: string, code: string, state: RoomState | undefined): boolean {
  const rule = stateRule(operation)
  if (rule === undefined || state === undefined) return false
  if (!isCode(code) || !stateCodes(rule).includes(code)) return false
  const {allowed} = rule.in[state]
  // In a state that the document leaves open, the code may have its other reason: no recording is running.
  return allowed === 'no' || (allowed === 'unknown' && meaningOf(code, operation).otherwise === undefined)
}

/** Why a call was refused with the code of a state, though the room is in one that allows it. */
export function explainAllowed(
  operation: string,
  code: string,
  state: RoomState | undefined,
  values: Values,
): RefusalExplanation | undefined {
  const rule = stateRule(operation)
  if (!rule || state === undefined || !isCode(code) || !stateCodes(rule).includes(code)) return undefined
  const {otherwise} = meaningOf(code, operation)
  if (otherwise) return {why: otherwise.why, try: fillAdvice(otherwise.try, values)}
  return {why: `the room is ${state} now, which allows it; that may have just changed`, try: again}
}

/** Why a call was refused with this code, as the room with its attendees shows it. */
export function explainFromRoom(
  operation: string,
  code: string,
  room: RoomDetail,
  context: RuleContext,
): RefusalExplanation | undefined {
  const findings = applyRules(operation, room, context).filter(({rule}) => rule.code === code && rule.about !== 'state')
  const telling = findings.filter(({finding}) => finding.allowed !== 'yes' || finding.ifRefused !== undefined)
  const finding = decisive(telling)?.finding
  return finding && (finding.ifRefused ?? {why: finding.why, try: finding.try})
}
