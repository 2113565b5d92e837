import type {Input, Operation, Output, Values} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import type {Question} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import type {Failure} from '../../failure.js'
import type {RunItem} from '../../selection/run.js'
import type {ListView} from '../../view/format/columns.js'
import type {Requester} from './requester.js'

/** One request of a change: `--dry-run` shows it, a question is asked about it, and it is what is sent. */
export interface PreparedMutation<O extends Operation> {
  readonly id: string
  readonly input: Input<O>
  /** Undefined if the operation names none. */
  readonly requester: Requester | undefined
  readonly room: RoomDetail | undefined
}

export interface CompletedMutation<O extends Operation> extends PreparedMutation<O> {
  readonly reply: Output<O>
  /** Whether somebody was asked, and so has seen what is changed. */
  readonly asked: boolean
}

/** What a change did: an object for programs, a sentence for people, and what `-q` prints. */
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

/** An input without the requester, whom the preparation of the request adds. */
export type UnpreparedInput<O extends Operation> = WithoutRequester<Input<O>>
type WithoutRequester<I> = I extends {readonly body: infer Body}
  ? Omit<I, 'body'> & {readonly body: Omit<Body, 'requester_id'>}
  : I

/** A change as data: what is sent, how it is confirmed (product §5), and its result. */
export interface Mutation<O extends Operation> {
  readonly operation: O
  input(id: string): UnpreparedInput<O> | Promise<UnpreparedInput<O>>
  /** The change in words, to follow `cannot`, where they are not those of the operation. */
  readonly doing?: string
  readonly confirmation?: Confirmation
  /** The question, where it is not the words of the change. A room is read for the question of `yes` and `typed`. */
  question?(prepared: PreparedMutation<O>): Question | Promise<Question>
  /** What a dry run says beside the request. */
  readonly note?: string
  /** Why nothing is to be sent to a room, which is read for it. */
  unfit?(room: RoomDetail, id: string): Failure | undefined
  readonly undoes?: string | undefined
  /** The members of the result; without them one row of the list of several is the result (docs/decisions/0004). */
  readonly members?: readonly string[]
  result(completed: CompletedMutation<O>): MutationResult | Promise<MutationResult>
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
  /** What a question about several targets shows of them, by their ids. */
  table(rooms: ReadonlyMap<string, RoomDetail | Failure>): ListView<string> | Promise<ListView<string>>
  /** Reads what is known of the targets and shows it, before they are asked about. */
  preview(
    session: Session,
    ids: readonly string[],
    mutation: PreviewedMutation,
    concurrency: number,
  ): Promise<PreviewedTargets>
}

/** What a preview must know of a change; an unfit room is left out of what is shown. */
export interface PreviewedMutation extends Pick<Mutation<Operation>, 'operation' | 'unfit'> {
  input(id: string): Parts | Promise<Parts>
}

type Parts = Readonly<Partial<Record<'path' | 'body', Values>>>

export interface PreviewedTargets {
  readonly left: number
  /** What the service will refuse of it, as the documents let expect: `3 are IDLE and will be refused`. */
  readonly refused?: string | undefined
  readonly rooms: ReadonlyMap<string, RoomDetail | Failure>
}
