import {LocalCommand} from '../../cli/app/baseCommand.js'
import {cardFlags, commandExamples} from '../../cli/flags/flags.js'
import {presentIds, presentOne} from '../../cli/output/present.js'
import {dataFlag} from '../../features/sandbox/flags.js'
import {readSandboxStatus} from '../../sandbox/demo/status.js'
import {sendDue} from '../../sandbox/push/notifications.js'
import {fileStore, uploadsFolder} from '../../sandbox/world/store.js'
import {sandboxCard} from '../../view/system/sandbox.js'

export default class SandboxStatus extends LocalCommand {
  static override summary = 'Show the contents of the sandbox'
  static override rows = sandboxCard
  static override description =
    `Shows rooms with their hosts, present and blocked users and metadata, running recordings, sent data, the behaviour settings, and
the names of everything else; -o json shows all of it (secrets masked).`
  static override flags = {...cardFlags, data: dataFlag}
  static override examples = commandExamples({
    'The sandbox at a glance': 'roomctl sandbox status',
    'The data that was sent, for a test': 'roomctl sandbox status -o json --query messages',
    'The push requests and their state': 'roomctl sandbox status -o json --query push.requests',
  })

  async run(): Promise<void> {
    const {flags, session} = await this.start(SandboxStatus, {editing: true})
    const folder = flags.data ?? session.paths.sandbox
    const store = fileStore(folder)
    await sendDue(store, session.runtime.now())
    const state = await readSandboxStatus(store, uploadsFolder(folder))
    if (session.output.format !== 'ids') return presentOne(session, state, sandboxCard)
    await presentIds(
      session,
      state.rooms.map((room) => room.room_id),
    )
  }
}
