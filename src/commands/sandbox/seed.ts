import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, valueFlag, yesFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {writeExampleFiles} from '../../features/sandbox/exampleFiles.js'
import {dataFlag} from '../../features/sandbox/flags.js'
import {seedSandbox} from '../../sandbox/demo/scenarios.js'
import {fileStore} from '../../sandbox/world/store.js'

export default class SandboxSeed extends LocalCommand {
  static override changes = 'locally' as const
  static override summary = 'Add demonstration data to the sandbox'
  static override description =
    `Adds rooms in all four states, and the container games with a bundle, its catalog and a picture. Adds the application app-1
with devices, push credentials and a scheduled push. Existing items with the same ids are replaced; others
are kept.`
  static override flags = {
    data: dataFlag,
    ...yesFlag,
    files: valueFlag('DIR', 'also write the files that the guides use'),
  }
  static override examples = commandExamples({
    'Rooms to experiment with': 'roomctl sandbox seed',
    'With the files that the guides use': 'roomctl sandbox seed --files .',
    'Their ids': 'roomctl sandbox seed -o json --query rooms',
  })

  async run(): Promise<void> {
    const {flags, session} = await this.start(SandboxSeed, {editing: true})
    const store = fileStore(flags.data ?? session.paths.sandbox)
    const view = await resultView(session, ['rooms', 'files'])
    const files = flags.files === undefined ? [] : writeExampleFiles(flags.files)
    const rooms = await seedSandbox(store, session.runtime.now())
    const sentence = `seeded ${rooms.length} rooms; see them with roomctl room list -p sandbox`
    const written = files.length === 0 ? '' : `\nwrote ${files.join(', ')}`
    await presentDone(session, view, {rooms, files}, rooms, `${sentence}${written}`)
  }
}
