import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, requiredArg, yesFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {dataFlag} from '../../features/sandbox/flags.js'
import {enterSandboxRoom} from '../../sandbox/demo/scenarios.js'
import {fileStore} from '../../sandbox/world/store.js'
import {describePresenceChange} from '../../view/system/sandbox.js'

export default class SandboxEnter extends LocalCommand {
  static override changes = 'locally' as const
  static override summary = 'Enter a room of the sandbox as a participant'
  static override description =
    `Simulates the websocket connection, which is undocumented. The service's rules apply: the user must be able to get a token,
and only the host enters a room that is not joinable.`
  static override args = {room: requiredArg('ROOM', 'id of the room'), user: requiredArg('USER', 'id of the user')}
  static override flags = {data: dataFlag, ...yesFlag}
  static override examples = commandExamples({
    'Ann enters, and the meeting starts': 'roomctl sandbox enter r-townhall ann',
    'Eve enters too': 'roomctl sandbox enter r-standup eve',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(SandboxEnter, {editing: true})
    const view = await resultView(session, ['room_id', 'user_id', 'room_status', 'host', 'present_count', 'notes'])
    const store = fileStore(flags.data ?? session.paths.sandbox)
    const change = await enterSandboxRoom(store, args.room, args.user, session.runtime.now())
    await presentDone(session, view, change, change.room_id, describePresenceChange(change))
  }
}
