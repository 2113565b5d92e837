import type {Failure} from '../../api/contract/failure.js'
import type {Input, Operation, Output} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import type {Question} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import type {ListView} from '../../view/format/columns.js'
import type {BulkRow} from '../../view/format/outcome.js'
import type {Requester} from './requester.js'

/** One request of a change, prepared once: `--dry-run` shows it, a question is asked about it, and it is what is sent. */
export interface PreparedMutation<O extends Operation> {
  /** The id of what is changed. */
  readonly id: string
  readonly input: Input<O>
  /** Whom it is made as, where the operation names a requester. */
  readonly requester: Requester | undefined
  /** The room, where it was read. */
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

/** A change as data: what is sent, how it is confirmed (product §5), and how it is told of. */
export interface Mutation<O extends Operation> {
  readonly operation: O
  /** The id of what is changed, for `mutate`; empty where the operation names it otherwise. */
  readonly id?: string
  /** `requester` is empty where the operation names none, and in the words about a change that is not prepared yet. */
  input(id: string, requester: string): Input<O> | Promise<Input<O>>
  /** The change in words, to follow `cannot`, where they are not those of the operation. */
  readonly doing?: string
  /**
   * Who is asked: `yes`: everybody, and `--yes` answers; `word`: everybody has to type that word, and only `--confirm` answers.
   * Without it a protected profile alone asks.
   */
  readonly confirmation?: 'yes' | {readonly word: string} | undefined
  /** The question, where it is not the words of the change. A room is read for the question of `yes`. */
  question?(prepared: PreparedMutation<O>): Question | Promise<Question>
  /** Why the service will refuse it, as the documents let expect, for the question: a phrase without a full stop. */
  expectedRefusal?(session: Session, change: PreviewedMutation, to: PreparedMutation<O>): Promise<string | undefined>
  /** Says what is to be known before it is asked or sent. */
  announce?(willAsk: boolean): void
  /** What has changed about a room since it was decided upon, so that nothing is sent: a phrase without a full stop. */
  changedSince?(room: RoomDetail, id: string): string | undefined
  /** Raises a Failure for what is not to be sent; the room is read for it. */
  check?(prepared: PreparedMutation<O>): void
  /** What must hold right before it is sent, once it is confirmed. Raises a Failure where it does not. */
  beforeSend?(): Promise<void>
  /** Reads back what was made, before the journal has it. Raises a Failure with the outcome where that is another. */
  verify?(): Promise<void>
  /** `host`, `creator` or a user, where not as flags and profile say. */
  readonly requestedRole?: string | undefined
  /** The id of the journal's entry that this change undoes. */
  readonly undoes?: string | undefined
  /** What a dry run shows beside the request. */
  readonly previewed?: Readonly<Record<string, unknown>>
  /** The members of the result; without them one row of the list of several is the result (docs/decisions/0004). */
  readonly members?: readonly string[]
  /** What the change did, where it was made to one target alone. */
  result(completed: CompletedMutation<O>): MutationResult | Promise<MutationResult>
}

/** A change that can be made to several targets, one request for each. */
export interface BulkMutation<O extends Operation, Row extends BulkRow> extends Mutation<O> {
  /** `room`; of several an s is added. */
  readonly noun: string
  /** `End` and `ended`, for questions about several targets and for results. */
  readonly verb: string
  readonly past: string
  readonly view: ListView<Row>
  row(id: string, ended: BulkRow, requester: string | null): Row
  /** What a question about several targets shows of them, by their ids. */
  table(rooms: ReadonlyMap<string, RoomDetail | Failure>): ListView<string> | Promise<ListView<string>>
  /** Reads what is known of the targets and shows it, before they are asked about. */
  preview(session: Session, ids: readonly string[], options: PreviewOptions): Promise<PreviewedTargets>
}

export interface PreviewOptions {
  readonly concurrency: number
  readonly mutation: PreviewedMutation
}

/** What a preview must know of a change; a room that has changed since is left out of what is shown. */
export type PreviewedMutation = Pick<Mutation<Operation>, 'operation' | 'input' | 'changedSince' | 'requestedRole'>

/** What was read for a question about several targets. */
export interface PreviewedTargets {
  /** How many are left to be changed. */
  readonly left: number
  /** What the service will refuse of it, as the documents let expect: `3 are IDLE and will be refused`. */
  readonly refused?: string | undefined
  readonly rooms: ReadonlyMap<string, RoomDetail | Failure>
}
