import {listRecordings} from '../../api/contract/record.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, roomsArg, rowFlags} from '../../cli/flags/flags.js'
import {readIds} from '../../cli/input/readIds.js'
import {presentList} from '../../cli/output/present.js'
import {pickRooms} from '../../cli/prompts/pickers.js'
import {Failure} from '../../failure.js'
import {readRooms} from '../../features/bulk/readRooms.js'
import {recordingList, recordingsOf} from '../../view/room/room.js'

export default class RecordList extends RoomctlCommand {
  static override summary = 'List the recordings of rooms'
  static override rows = recordingList
  static override description =
    `One row per file, as a recording is split into several. In JSON, sizes are bytes and durations nanoseconds; a room without
files is an empty list.`
  static override args = {room: roomsArg}
  static override flags = rowFlags
  static override examples = commandExamples({
    'The files of one room': 'roomctl record list r-retro',
    'The total size in bytes': "roomctl record list r-retro -o json --query 'sum([].file_size)'",
  })

  async run(): Promise<void> {
    const {args, session} = await this.start(RecordList)
    const roomIds = args.room ?? []
    const {ids} = await readIds(session, 'ROOM', roomIds)
    const rooms = roomIds.length > 0 ? ids : await pickRooms(session)
    const filesOf = async (roomId: string) => {
      const files = await session.api.call(listRecordings, {path: {roomId}})
      return files.map((file) => ({room_id: roomId, ...file}))
    }
    const {concurrency} = session.resolved.values
    // RE003: the room has no recordings.
    const files = await readRooms(session, rooms, filesOf, {concurrency, keeps: ({facts}) => facts.code === 'RE003'})
    await presentList(
      session,
      files.flatMap((part) => (part instanceof Failure ? [] : part)),
      rooms.length > 1 ? recordingsOf() : recordingList,
    )
  }
}
