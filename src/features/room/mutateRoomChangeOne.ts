import type {Input, Operation} from '../../api/contract/operation.js'
import type {RoomDetail} from '../../api/contract/room.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {
  askChange,
  type ConfirmFlags,
  describeChange,
  mustAsk,
  type Question,
  questionOf,
} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {presentPreviews, previewRequest} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {describeRequester, type Requester, readRoom, resolveRequester} from '../mutation/requester.js'

/** A change to one room, made by a requester. */
export interface HostChange<O extends Operation> {
  readonly operation: O
  readonly roomId: string
  readonly input: (requester: string) => Input<O>
  /** The document lets the creator do it too, where there is no host. */
  readonly creatorWillDo?: boolean
  /** The question, where the change asks one on every profile. */
  readonly question?: (room: RoomDetail) => Question
  /** Members of the result beside `room_id` and `requester_id`. */
  readonly result: Readonly<Record<string, unknown>>
  /** What was done, for people; ` as WHOM` is added. */
  readonly done: string
}

/** Settles whom to act as, asks, sends, journals and says what was done; with `--dry-run` shows the request instead. */
export async function changeOne<O extends Operation>(
  session: Session,
  flags: ConfirmFlags & {readonly 'dry-run'?: boolean},
  change: HostChange<O>,
): Promise<void> {
  const {operation, roomId, input, creatorWillDo = false, result, done} = change
  if (flags['dry-run']) {
    const room = await readRoom(session, roomId)
    const {requester_id: requester} = await resolveRequester(session, roomId, {creatorWillDo, known: room})
    return presentPreviews(session, [await previewRequest(session, operation, input(requester), {room, requester})])
  }
  const view = await resultView(session, ['room_id', 'requester_id', ...Object.keys(result)])
  const acting = await confirmedActing(session, flags, {...change, creatorWillDo})
  const {requester_id} = acting
  await sendJournaled(session, operation, input(requester_id), {room: acting.room})
  const sentence = `${done} as ${safeText(describeRequester(acting))}`
  await presentDone(session, view, {room_id: roomId, requester_id, ...result}, roomId, sentence)
}

/**
 * Whom a change is made as, once it is confirmed. Nothing is read where it is refused or answered by flags; where a
 * question shows the room, the room is read once, for both. Raises a Failure.
 */
export async function confirmedActing<O extends Operation>(
  session: Session,
  flags: ConfirmFlags,
  {operation, roomId, input, creatorWillDo = false, question}: Omit<HostChange<O>, 'result' | 'done'>,
): Promise<Requester> {
  const doing = describeChange(operation, input(''))
  const asks = mustAsk(session, flags, doing, question !== undefined)
  const known = asks && question ? await readRoom(session, roomId, doing) : undefined
  const acting = await resolveRequester(session, roomId, {creatorWillDo, doing, ...(known ? {known} : {})})
  if (asks) await askChange(session, known && question ? question(known) : {text: questionOf(doing)})
  return acting
}
