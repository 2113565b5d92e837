import type {Operation} from '../contract/operation.js'
import {type ChangeResult, changeResults} from '../view/change.js'
import {checkOutput} from '../view/output.js'
import {safeText} from '../view/text.js'
import {actingWords} from './acting.js'
import {carryOut} from './change.js'
import {confirmedActing} from './changeOne.js'
import type {Question} from './confirm.js'
import {planRooms, presentPlans} from './dryRun.js'
import {afterChange, presentList, presentText} from './present.js'
import type {ChangeRoomsFlags, RoomChange} from './roomChange.js'
import {describeRoom, nameRoom, typedName} from './roomWords.js'
import type {Session} from './session.js'

/**
 * Ends or deletes one room: settles whom to act as, asks for a yes or for its name, sends, journals and says what was done; with
 * `--dry-run` shows the request instead. Raises a Failure of its own exit.
 */
export async function changeRoom<O extends Operation>(
  session: Session,
  flags: ChangeRoomsFlags,
  roomId: string,
  change: RoomChange<O>,
  confirmedBy: 'yes' | 'name',
): Promise<void> {
  const {operation, input, verb, past} = change
  if (flags['dry-run']) {
    return presentPlans(session, await planRooms(session, change, {ids: [roomId], single: true}))
  }
  await checkOutput(changeResults.columns, session.output)
  let name = `room ${safeText(roomId)}`
  const acting = await confirmedActing(session, flags, {
    operation,
    roomId,
    input: (requester) => input(roomId, requester),
    question: (room): Question => {
      name = nameRoom(roomId, room)
      const text = `${verb} ${describeRoom(roomId, room)}?`
      return confirmedBy === 'yes' ? {text} : {text, expected: typedName(room)}
    },
  })
  const {requester_id} = acting
  await carryOut(session, operation, input(roomId, requester_id))
  const {format, columns} = session.output
  if (format === 'table' && columns === undefined) {
    return presentText(session, `${past} ${name} as ${safeText(actingWords(acting))}`)
  }
  const result: ChangeResult = {room_id: roomId, outcome: 'done', requester_id}
  await afterChange(() => presentList(session, [result], changeResults))
}
