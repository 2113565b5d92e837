import type {RoomDetail} from '../../api/contract/room.js'
import {abilitiesIn} from '../../api/rules/predict.js'
import {presenterIn, presentIn} from '../../api/rules/room.js'
import type {JournalFacts} from '../../api/rules/rule.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples, roomArg, timeFlags} from '../../cli/flags/flags.js'
import {presentOne} from '../../cli/output/present.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import {noteUnclear, readRoom} from '../../features/bulk/readRooms.js'
import {requestedRole} from '../../features/mutation/requester.js'
import {type LastKnown, roomCard, withAbilities, withLastKnown} from '../../view/room/room.js'

export default class RoomShow extends RoomctlCommand {
  static override summary = 'Show a room with its attendees'
  static override rows = roomCard
  static override description =
    `Shows the room's fields, counts and attendees, and the operations allowed in its state. The documents have no
field for who is blocked, who presents or whether a recording runs. The presenter is shown if the room's metadata name one, and
what was set from this machine.`
  static override args = {room: roomArg}
  static override flags = {...cardFlags, ...timeFlags}
  static override examples = commandExamples({
    'A room as a card': 'roomctl room show r-standup',
    'Who is present, for a script': "roomctl room show r-standup -o json --query 'attendees[?is_present].user_id'",
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(RoomShow)
    const roomId = await pickRoom(session, args.room)
    const room = await readRoom(session, roomId)
    noteUnclear(session, room)
    if (session.output.format !== 'table') return presentOne(session, room, roomCard)
    const as = requestedRole(session)
    const journalFacts = (await readJournalFacts(session, roomId)).get(roomId)
    const card = withAbilities(roomCard, abilitiesIn(room, as, journalFacts), as === 'host' ? undefined : as)
    await presentOne(session, room, withLastKnown(card, lastKnownOf(room, journalFacts)))
  }
}

/** Blocked users and the presenter, by the journal or the room's metadata (room §12). A present user is not blocked. */
function lastKnownOf(room: RoomDetail, journalFacts: JournalFacts | undefined): LastKnown {
  const presenter = presenterIn(room.metadata)
  const present = new Set(presentIn(room))
  const blocks = [...(journalFacts?.blocks ?? [])].filter(([user, {holds}]) => holds === 'yes' && !present.has(user))
  return {
    blocked: blocks.map(([user, {at}]) => ({user, at})),
    presenter: presenter === undefined ? journalFacts?.presenter : presenter === null ? undefined : {user: presenter},
  }
}
