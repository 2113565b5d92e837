import type {InferredFlags} from '@oclif/core/interfaces'
import {sendData} from '../../api/contract/sendData.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {
  changeFlags,
  commandExamples,
  inputFileFlag,
  optionalArg,
  repeatableFlag,
  roomArg,
  switchFlag,
  valueFlag,
} from '../../cli/flags/flags.js'
import {readBytesInput, readTextInput} from '../../cli/input/readIds.js'
import {requireText} from '../../cli/prompts/confirm.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {mutate} from '../../features/mutation/mutate.js'
import {requireUser} from '../../features/room/roomFlags.js'
import {safeText} from '../../text/text.js'

export default class RoomSend extends RoomctlCommand {
  static override changes = true
  static override summary = 'Send data to the people in a room'
  static override description =
    `Publishes text on the room's data channel, to everybody or to the users in --to. The method and path are undocumented and
assumed; change them with config set route.room.send. Never retried. A file must be UTF-8; --base64 sends any bytes as
base64 text.`
  static override args = {room: roomArg, data: optionalArg('DATA', 'the text; - reads it from stdin')}
  static override flags = {
    ...changeFlags,
    from: valueFlag('USER', 'sender (default: the profile’s requester)'),
    to: repeatableFlag('USER', 'send to this user; repeatable'),
    file: inputFileFlag('read the text from FILE'),
    base64: switchFlag('send the bytes of the file or of stdin as base64 text'),
  }
  static override examples = commandExamples({
    'Send to everybody in the room': "roomctl room send r-standup 'We close in five minutes' --from ann",
    'Send to two people only': 'roomctl room send r-standup \'{"mute":true}\' --from ann --to ben --to 김민준 -o json',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(RoomSend)
    const roomId = await pickRoom(session, args.room, 'room.send')
    const from = await requireUser(session, flags.from, {flag: '--from', role: 'sender', need: 'data needs a sender'})
    const {data, size} = await dataOf(session, args.data, flags)
    const whom = flags.to ? flags.to.map((user) => safeText(user)).join(', ') : 'everybody'
    const what = `${size} to ${whom} in room ${safeText(roomId)} from ${safeText(from)}`
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

async function dataOf(
  session: Session,
  typed: string | undefined,
  {file, base64}: InferredFlags<typeof RoomSend.flags>,
): Promise<{readonly data: string; readonly size: string}> {
  if (typed !== undefined && file !== undefined) {
    throw wrongUsage('DATA and --file cannot be given together')
  }
  const source = file ?? (typed === '-' ? '-' : undefined)
  if (base64 && source !== undefined) {
    const bytes = await readBytesInput(session, source)
    return {data: bytes.toString('base64'), size: `${bytes.length} bytes as base64`}
  }
  if (base64 && typed !== undefined) {
    throw wrongUsage('--base64 sends the bytes of --file FILE or of stdin (-), not of DATA')
  }
  const missing = () =>
    wrongUsage('no data given', {try: 'give the data as an argument, with --file, or on stdin as -'})
  const data =
    source === undefined
      ? await requireText(session, 'room', {given: typed, label: 'Text to send', missing})
      : await readTextInput(session, source, '--base64 sends the bytes as base64 text')
  return {data, size: `${Buffer.byteLength(data)} bytes`}
}
