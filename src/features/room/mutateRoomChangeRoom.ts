import type {Operation} from '../../api/contract/operation.js'
import {afterChange, presentList, presentText} from '../../cli/output/present.js'
import type {Question} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {checkOutput} from '../../view/format/output.js'
import {type ChangeResult, changeResults} from '../../view/room/change.js'
import {presentPreviews} from '../mutation/dryRun.js'
import {sendJournaled} from '../mutation/journal.js'
import {describeRequester} from '../mutation/requester.js'
import {describeRoom, nameRoom, typedName} from './describeRoom.js'
import {confirmedActing} from './mutateRoomChangeOne.js'
import {planRooms} from './planRooms.js'
import type {ChangeRoomsFlags, RoomChange} from './roomMutations.js'

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
    return presentPreviews(session, await planRooms(session, change, {ids: [roomId], single: true}))
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
  await sendJournaled(session, operation, input(roomId, requester_id))
  const {format, columns} = session.output
  if (format === 'table' && columns === undefined) {
    return presentText(session, `${past} ${name} as ${safeText(describeRequester(acting))}`)
  }
  const result: ChangeResult = {room_id: roomId, outcome: 'done', requester_id}
  await afterChange(() => presentList(session, [result], changeResults))
}
