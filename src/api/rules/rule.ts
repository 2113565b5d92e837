import type {Code} from '../contract/operation.js'
import type {OperationId} from '../contract/operations.js'
import type {RoomDetail} from '../contract/room.js'
import type {Answer} from '../contract/states.js'
import type {Values} from './templates.js'

/** What the journal last says of a fact that the service has no field for (product §5). */
export interface Trace {
  readonly holds: 'yes' | 'no' | 'maybe'
  /** RFC 3339. */
  readonly at: string
  /** A change that was made from here, or a request that was refused. */
  readonly by: 'change' | 'refusal'
}

/** The traces of a room: which users are blocked, whether a recording runs, who presents. */
export interface RoomTraces {
  readonly blocks: ReadonlyMap<string, Trace>
  readonly recording?: Trace | undefined
  readonly presenter?: (Trace & {readonly user: string}) | undefined
}

/** What a rule is asked with, beside the room. */
export interface RuleContext {
  /** The values of the request by their document names; none where the operation as such is asked about. */
  readonly values: Values
  /** Who makes the request. Absent where it is not asked whether that user may. */
  readonly requester?: string | undefined
  /** The role that is to make the request, where nobody in the room has it. */
  readonly vacant?: 'host' | 'creator' | undefined
  readonly traces?: RoomTraces | undefined
  readonly now?: Date
}

/** Why a call was refused, and the command that helps, with all values filled in. */
export interface RefusalExplanation {
  readonly why: string
  readonly try?: string | undefined
}

/** What a rule says of a request. */
export interface RuleResult {
  readonly allowed: Answer
  /** A phrase without a full stop. */
  readonly why: string
  /** The command that puts it right. */
  readonly try?: string
  /** What is left to say where the service refuses with the rule's code all the same, or has done so. */
  readonly ifRefused?: RefusalExplanation & Pick<RuleResult, 'by'>
  /** Who may put it right. */
  readonly by?: string
  /** The word for it in `attendee why`; a finding without one is not among the reasons there. */
  readonly reason?: string
  /** Where the document says so, if that is another place than the rule's. */
  readonly source?: string
  /** Where it holds, no other rule counts. */
  readonly isFinal?: boolean
}

/** What is asked about: an operation, or entering with a token, which is no operation of the service (room §7). */
export type RuledOperation = OperationId | 'enter'

/** One rule of the room document for one operation. */
export interface RoomRule {
  readonly operation: RuledOperation
  /** What it looks at beside the room. */
  readonly about: 'state' | 'requester' | 'request'
  /** The code with which the service refuses; undefined where the document names none. */
  readonly code: Code | undefined
  /** The section of the document. */
  readonly source: string
  /** The values that it is about, of which the request must have one. */
  readonly fields?: readonly string[]
  /** Undefined where the rule plays no part. */
  readonly check: (room: RoomDetail, context: RuleContext) => RuleResult | undefined
}
