import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {sendData} from '../../api/contract/room.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {changeFlags, optionalArg, repeatable, roomArg} from '../../cli/flags/flags.js'
import {readTextInput} from '../../cli/input/readIds.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {mutate} from '../../features/mutation/mutate.js'
import {safeText} from '../../text/text.js'

export default class RoomSend extends RoomctlCommand {
  static override summary = 'Send data to the people in a room'
  static override description =
    `Publishes a text on the room's data channel, to everybody or to those named with --to. The document shows
no method and path for it, so they are assumed; config route set room.send changes them. A send is never repeated.`
  static override args = {room: roomArg, data: optionalArg('DATA', 'the text; - reads it from stdin')}
  static override flags = {
    ...changeFlags,
    from: Flags.string({helpValue: 'USER', summary: 'the sender; without it the profile’s requester'}),
    to: Flags.string({
      ...repeatable,
      helpValue: 'USER',
      summary: 'send to this user; may be repeated',
    }),
    file: Flags.string({helpValue: 'FILE', summary: 'read the text from a file'}),
  }
  static override examples = [
    {
      description: 'Tell everybody in the room',
      command: "<%= config.bin %> room send r-standup 'We close in five minutes' --from ann",
    },
    {
      description: 'Send to two people only',
      command: '<%= config.bin %> room send r-standup \'{"mute":true}\' --from ann --to ben --to 김민준 -o json',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomSend)
    const session = await this.open(flags)
    const from = senderOf(session, flags.from)
    const roomId = await pickRoom(session, args.room)
    const data = await dataOf(session, args.data, flags.file)
    const whom = flags.to ? flags.to.map((user) => safeText(user)).join(', ') : 'everybody'
    const what = `${Buffer.byteLength(data)} bytes to ${whom} in room ${safeText(roomId)} from ${safeText(from)}`
    await mutate(session, flags, {
      operation: sendData,
      input: () => ({path: {roomId}, body: {from, ...(flags.to ? {to: flags.to} : {}), data}}),
      members: ['id', 'room_id', 'from', 'to'],
      result: ({reply: {id}}) => ({
        value: {id, room_id: roomId, from, to: flags.to ?? []},
        id,
        sentence: `sent ${what} (${safeText(id)})`,
      }),
    })
  }
}

function senderOf({resolved}: Session, given: string | undefined): string {
  const {requester} = resolved.values
  const sender = given ?? (requester === 'host' || requester === 'creator' ? undefined : requester)
  if (sender !== undefined && sender.trim() !== '') return sender
  throw new Failure({
    exit: 'usage',
    message: 'the sender is missing',
    why: 'data is sent from a user, and neither --from nor the profile’s requester names one',
    try: 'add --from USER, or roomctl config set requester USER',
  })
}

async function dataOf(session: Session, given: string | undefined, file: string | undefined): Promise<string> {
  if (given !== undefined && file !== undefined) {
    throw new Failure({exit: 'usage', message: 'the data is given twice: as an argument and with --file'})
  }
  const source = file ?? (given === '-' ? '-' : undefined)
  const data = source === undefined ? given : await readTextInput(session, source)
  if (data !== undefined) return data
  throw new Failure({
    exit: 'usage',
    message: 'the data is missing',
    try: 'give it as DATA, with --file FILE, or - for stdin',
  })
}
