import type {InferredFlags} from '@oclif/core/interfaces'
import {adminUpdate, type RoomUpdates, updateRoom} from '../../api/contract/roomChanges.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  applicationFlags,
  changeFlags,
  commandExamples,
  requesterFlags,
  roomArg,
  switchFlag,
  timeFlags,
  valueFlag,
} from '../../cli/flags/flags.js'
import {parseWholeNumber} from '../../cli/flags/parseValues.js'
import {requireApplicationId} from '../../cli/prompts/confirm.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {mutate} from '../../features/mutation/mutate.js'
import {parseReservation, roomFieldFlags} from '../../features/room/roomFlags.js'
import {roomResult} from '../../features/room/roomMutations.js'

const {description, start, end, max, joinable} = roomFieldFlags

export default class RoomUpdate extends RoomctlCommand {
  static override changes = true
  static override summary = 'Change fields of a room'
  static override description =
    `Only the host may update, but the creator may also change joinable alone; without a host, roomctl acts as the creator
for that. In MEETING and IDLE rooms the reserved times and joinable are fixed, and an ENDED room cannot change; --max must not be below
the number of attendees. Sends only the given fields. --admin sends the platform-admin update instead, which has an application id but
no requester and no --max.`
  static override args = {room: roomArg}
  static override flags = {
    ...timeFlags,
    ...requesterFlags,
    ...changeFlags,
    name: valueFlag('TEXT', 'name of the room'),
    description,
    start,
    end,
    max: {...max, exclusive: ['admin']},
    public: roomFieldFlags.public,
    private: roomFieldFlags.private,
    joinable,
    admin: switchFlag('as platform admin', {exclusive: ['as']}),
    'application-id': {...applicationFlags['application-id'], dependsOn: ['admin']},
  }
  static override examples = commandExamples({
    'Make room for more people': 'roomctl room update r-standup --max 50',
    'Move a reserved room':
      'roomctl room update r-townhall --start 2030-12-01T09:00+09:00 --end 2030-12-01T10:00+09:00',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomUpdate)
    const changes = changesOf(session, flags)
    const applicationId = flags.admin ? await requireApplicationId(session) : undefined
    const roomId = await pickRoom(session, args.room, 'room.update')
    const fields = Object.keys(changes).join(', ')
    const done = (room: string) => `updated ${fields} of ${room}`
    if (applicationId !== undefined) {
      await mutate(session, flags, {
        operation: adminUpdate,
        input: () => ({path: {roomId, applicationId}, body: changes}),
        ...roomResult({done: (room) => `${done(room)} as platform admin`, value: {updated: changes}}),
      })
      return
    }
    await mutate(session, flags, {
      operation: updateRoom,
      input: () => ({path: {roomId}, body: changes}),
      ...roomResult({done, value: {updated: changes}}),
    })
  }
}

type ChangeFlags = InferredFlags<typeof RoomUpdate.flags>

/** The fields that the flags change. A field of the contract without a value here does not compile. */
function changesOf(session: Session, flags: ChangeFlags): RoomUpdates {
  const {reserved_start_time, reserved_end_time} = parseReservation(session, flags)
  const values: {readonly [Field in keyof RoomUpdates]-?: RoomUpdates[Field] | undefined} = {
    name: flags.name,
    description: flags.description,
    reserved_start_time,
    reserved_end_time,
    max_attendee_count: flags.max === undefined ? undefined : parseWholeNumber('--max', flags.max, {min: 1}),
    is_public: flags.public || flags.private ? flags.public === true : undefined,
    is_joinable: flags.joinable,
  }
  const changes = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
  if (Object.keys(changes).length > 0) return changes
  throw wrongUsage('no changes given', {
    try: 'add at least one of --name, --description, --start, --end, --max, --public, --private, --joinable, --no-joinable',
  })
}
