import {listAttendees} from '../../api/contract/attendee.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, roomArg, rowFlags, switchFlag} from '../../cli/flags/flags.js'
import {presentList} from '../../cli/output/present.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import {attendeeList} from '../../view/room/attendee.js'

export default class AttendeeList extends RoomctlCommand {
  static override summary = 'List the attendees of a room'
  static override rows = attendeeList
  static override description =
    `Shows who is host, who is present, who was listed when the room was created (reserved) and who was added later (invited).`
  static override args = {room: roomArg}
  static override flags = {
    ...rowFlags,
    present: switchFlag('only attendees who are in the room now', {exclusive: ['absent']}),
    absent: switchFlag('only attendees who are not in the room now', {exclusive: ['present']}),
  }
  static override examples = commandExamples({
    'Who is in the room now': 'roomctl attendee list r-standup --present',
    'Ids of those who are absent': 'roomctl attendee list r-standup --absent -q',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AttendeeList)
    const roomId = await pickRoom(session, args.room)
    const attendees = await session.api.call(listAttendees, {path: {roomId}})
    const chosen = attendees.filter(
      ({is_present: here}) => (!flags.present || here === true) && (!flags.absent || here !== true),
    )
    await presentList(session, chosen, attendeeList)
  }
}
