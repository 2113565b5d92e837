import type {Input, Operation, Output, Values} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import type {Question} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import type {Failure} from '../../failure.js'
import type {RunItem} from '../../selection/run.js'
import type {ListView} from '../../view/format/columns.js'
import type {Requester} from './requester.js'

/** One request of a change: the same for `--dry-run`, the question and the sending. */
export interface PreparedMutation<O extends Operation> {
  readonly id: string
  readonly input: Input<O>
  /** Undefined if the operation names none. */
  readonly requester: Requester | undefined
  readonly room: RoomDetail | undefined
}

export interface CompletedMutation<O extends Operation> extends PreparedMutation<O> {
  readonly reply: Output<O>
  /** Whether a question has shown the target. */
  readonly asked: boolean
}

/** The result of a change: an object for programs, a sentence for people, and the text of `-q`. */
export interface MutationResult {
  readonly value: Readonly<Record<string, unknown>>
  readonly id: string | readonly string[]
  readonly sentence: string
}

/**
 * `yes`: everybody is asked, and `--yes` answers; `typed`: the same, but the question expects a text, which `--confirm` may give;
 * `word`: to be typed, and only `--confirm` answers; none: a protected profile asks.
 */
export type Confirmation = 'yes' | 'typed' | {readonly word: string} | undefined

/** An input without the requester, which is added later. */
export type UnpreparedInput<O extends Operation> = WithoutRequester<Input<O>>
type WithoutRequester<I> = I extends {readonly body: infer Body}
  ? Omit<I, 'body'> & {readonly body: Omit<Body, 'requester_id'>}
  : I

/** A change as data: its request, confirmation, and result. */
export interface Mutation<O extends Operation> {
  readonly operation: O
  input(id: string): UnpreparedInput<O> | Promise<UnpreparedInput<O>>
  /** The change in words, after `cannot`; default: those of the operation. */
  readonly doing?: string
  readonly confirmation?: Confirmation
  /** The question; default: the words of the change. A room is read for the question of `yes` and `typed`. */
  question?(prepared: PreparedMutation<O>): Question | Promise<Question>
  /** A note of a dry run. */
  readonly note?: string
  /** A reason to send nothing to a room, which is read for it. */
  unfit?(room: RoomDetail, id: string): Failure | undefined
  /** The members of the result; without them one row of the list of several is the result (docs/decisions/0004). */
  readonly members?: readonly string[]
  result(completed: CompletedMutation<O>): MutationResult | Promise<MutationResult>
}

/** A target and, if it was read, its room; the Failure of one that is not there, or that no path can carry. */
export interface KnownTarget {
  readonly id: string
  readonly room?: RoomDetail | Failure | undefined
}

/** A change that can be made to several targets, one request for each. */
export interface BulkMutation<O extends Operation, Row extends RunItem> extends Mutation<O> {
  /** `room`; of several an s is added. */
  readonly noun: string
  /** `End` and `ended`, for questions about several targets and for results. */
  readonly verb: string
  readonly past: string
  readonly view: ListView<Row>
  row(id: string, ended: RunItem, requester: string | null): Row
  /** The targets as a question about several shows them. */
  table(): ListView<KnownTarget> | Promise<ListView<KnownTarget>>
  /** Reads the targets and shows them before the question. */
  preview(
    session: Session,
    ids: readonly string[],
    mutation: PreviewedMutation,
    concurrency: number,
  ): Promise<PreviewedTargets>
}

/** The change, for a preview, which omits unfit rooms. */
export interface PreviewedMutation extends Pick<Mutation<Operation>, 'operation' | 'unfit'> {
  input(id: string): Parts | Promise<Parts>
}

export type Parts = Readonly<Partial<Record<'path' | 'body', Values>>>

export interface PreviewedTargets {
  readonly left: number
  /** The predicted refusals: `3 are IDLE and will be refused`. */
  readonly refused?: string | undefined
  readonly rooms: ReadonlyMap<string, RoomDetail | Failure>
}
