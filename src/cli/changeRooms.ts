import type {Operation} from '../contract/operation.js'
import {type ChangeResult, changeResults} from '../view/change.js'
import {checkOutput} from '../view/output.js'
import {safeText} from '../view/text.js'
import {actingWords} from './acting.js'
import {carryOut} from './change.js'
import {confirmedActing} from './changeOne.js'
import {changeSeveral} from './changeSeveral.js'
import type {Question} from './confirm.js'
import {planRooms, presentPlans} from './dryRun.js'
import {afterChange, presentList, presentText} from './present.js'
import type {ChangeRoomsFlags, RoomChange} from './roomChange.js'
import {describeRoom, nameRoom, typedName} from './roomWords.js'
import type {Session} from './session.js'
import type {Targets} from './targets.js'

/**
 * Makes a change to each room in turn: settles whom to act as, asks by weight, sends, journals and presents one result
 * for each target. A single target fails with its own exit code; of several, some failing ends with `partial`.
 */
export async function changeRooms<O extends Operation>(
  session: Session,
  flags: ChangeRoomsFlags,
  {ids, single}: Targets,
  change: RoomChange<O>,
): Promise<void> {
  const {operation, input} = change
  if (flags['dry-run']) return presentPlans(session, await planRooms(session, operation, {ids, single}, input))
  await checkOutput(changeResults.columns, session.output)
  const [id] = ids
  if (single && id !== undefined) return changeSingle(session, flags, id, change)
  await changeSeveral(session, flags, ids, change)
}

async function changeSingle<O extends Operation>(
  session: Session,
  flags: ChangeRoomsFlags,
  roomId: string,
  {operation, input, verb, past, confirmedBy}: RoomChange<O>,
): Promise<void> {
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
