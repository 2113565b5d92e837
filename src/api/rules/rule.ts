import type {Advice} from '../../advice.js'
import type {Code} from '../contract/codes.js'
import type {Values} from '../contract/operation.js'
import type {OperationId} from '../contract/operations.js'
import type {RoomDetail} from '../contract/room.js'
import type {Answer, Undocumented} from '../contract/states.js'

/** The last journal entry on a fact that no field of the service shows. */
export interface JournalFact {
  readonly holds: 'yes' | 'no' | 'maybe'
  /** RFC 3339. */
  readonly at: string
  /** A change from here, or a refused request; `earlier refusal`: before this machine added the user or made the room public. */
  readonly by: 'change' | 'refusal' | 'earlier refusal'
}

/** Which users are blocked, whether a recording runs, who presents. */
export interface JournalFacts {
  readonly blocks: ReadonlyMap<string, JournalFact>
  readonly recording?: JournalFact | undefined
  readonly presenter?: (JournalFact & {readonly user: string}) | undefined
}

export interface RuleContext {
  /** The values of the request by their document names; empty for the operation as such. */
  readonly values: Values
  /** Absent if the requester does not matter. */
  readonly requester?: string | undefined
  /** The role of the requester, if no user in the room has it. */
  readonly vacant?: 'host' | 'creator' | undefined
  readonly journalFacts?: JournalFacts | undefined
  readonly now?: Date
}

export interface RefusalExplanation {
  readonly why: string
  readonly try?: Advice | undefined
}

export interface RuleResult {
  readonly allowed: Answer
  /** A phrase without a full stop. */
  readonly why: string
  readonly undocumented?: Undocumented
  readonly try?: Advice
  /** The explanation if the service still refuses with the rule's code. */
  readonly ifRefused?: RefusalExplanation & Pick<RuleResult, 'by'>
  /** Who may fix it. */
  readonly by?: string
  /** The word in `attendee why`; a finding without one is not among the reasons there. */
  readonly reason?: string
  /** The section of the document, if not the rule's. */
  readonly source?: string
  /** No other rule counts. */
  readonly isFinal?: boolean
}

/** An operation, or entering with a token, which is no operation of the service (room §7). */
export type RuledOperation = OperationId | 'enter'

export interface RoomRule {
  readonly operation: RuledOperation
  /** What it depends on besides the room. */
  readonly about: 'state' | 'requester' | 'request'
  /** Undefined if the document names none. */
  readonly code: Code | undefined
  readonly source: string
  /** The rule applies to requests with one of these values. */
  readonly fields?: readonly string[]
  /** Undefined if the rule does not apply. */
  readonly check: (room: RoomDetail, context: RuleContext) => RuleResult | undefined
}
