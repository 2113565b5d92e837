import type {Input, Operation, Output} from '../contract/operation.js'
import {safeText} from '../view/text.js'
import {type Acting, actAs, actingWords} from './acting.js'
import {carryOut} from './change.js'
import {type Answers, confirmChange, type Question} from './confirm.js'
import {planOf, presentPlans} from './dryRun.js'
import {presentDone} from './present.js'
import type {Session} from './session.js'

/** A change to one room, made by a requester. */
export interface HostChange<O extends Operation> {
  readonly operation: O
  readonly roomId: string
  readonly input: (requester: string) => Input<O>
  /** The document lets the creator do it too, where there is no host. */
  readonly creatorWillDo?: boolean
  /** The question, where the change asks one. */
  readonly ask?: (acting: Acting) => Question
  /** Members of the result beside `room_id` and `requester_id`. */
  readonly result: (reply: Output<O>) => object
  /** What was done, for people; ` as WHOM` is added. */
  readonly done: string
}

/** Settles whom to act as, asks, sends, journals and says what was done; with `--dry-run` shows the request instead. */
export async function changeOne<O extends Operation>(
  session: Session,
  flags: Answers & {readonly 'dry-run'?: boolean},
  {operation, roomId, input, creatorWillDo = false, ask, result, done}: HostChange<O>,
): Promise<void> {
  const acting = await actAs(session, roomId, {creatorWillDo})
  const {requester_id} = acting
  const wanted = input(requester_id)
  if (flags['dry-run']) {
    const plan = await planOf(session, operation, wanted, {room: acting.room, requester: requester_id})
    return presentPlans(session, [plan])
  }
  await confirmChange(session, flags, ask?.(acting) ?? {text: `${operation.purpose}?`, weight: 'none'})
  const reply = await carryOut(session, operation, wanted)
  await presentDone(
    session,
    {room_id: roomId, requester_id, ...result(reply)},
    roomId,
    `${done} as ${safeText(actingWords(acting))}`,
  )
}
