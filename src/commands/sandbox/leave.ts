import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, yesFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {dataFlag} from '../../features/sandbox/flags.js'
import {leaveSandboxRoom} from '../../sandbox/demo/scenarios.js'
import {fileStore} from '../../sandbox/world/store.js'
import {describePresenceChange} from '../../view/system/sandbox.js'

export default class SandboxLeave extends LocalCommand {
  static override changes = 'locally' as const
  static override summary = 'Leave a room of the sandbox as a participant'
  static override description =
    `When the host leaves, the earliest to have entered becomes host if is_elect_host is true. When everybody has left, the room
is IDLE.`
  static override args = {room: requiredArg('ROOM', 'id of the room'), user: requiredArg('USER', 'id of the user')}
  static override flags = {data: dataFlag, ...yesFlag}
  static override examples = commandExamples({
    'Ben leaves': 'roomctl sandbox leave r-standup ben',
    'The host leaves; JSON shows the new host': 'roomctl sandbox leave r-standup ann -o json',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(SandboxLeave, {editing: true})
    const view = await resultView(session, ['room_id', 'user_id', 'room_status', 'host', 'present_count', 'notes'])
    const store = fileStore(flags.data ?? session.paths.sandbox)
    const change = await leaveSandboxRoom(store, args.room, args.user, session.runtime.now())
    await presentDone(session, view, change, change.room_id, describePresenceChange(change))
  }
}
