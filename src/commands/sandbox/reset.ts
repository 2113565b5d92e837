import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, yesFlag} from '../../cli/flags/flags.js'
import {presentDone, resultView} from '../../cli/output/present.js'
import {choiceFlags, choicesOf, dataFlag, seedFlag} from '../../features/sandbox/flags.js'
import {resetSandbox, seedSandbox} from '../../sandbox/demo/scenarios.js'
import {fileStore, uploadsFolder} from '../../sandbox/world/store.js'

export default class SandboxReset extends LocalCommand {
  static override changes = 'locally' as const
  static override summary = 'Reset the sandbox'
  static override description =
    `Deletes all rooms, files, devices and push requests, also if the state is damaged. The flags choose how the sandbox behaves
where the documents contradict themselves or are silent; they apply until the next reset. config app create -p sandbox sets
what the console overrides.`
  static override flags = {data: dataFlag, ...choiceFlags, seed: seedFlag, ...yesFlag}
  static override examples = commandExamples({
    'Start over with the demonstration rooms': 'roomctl sandbox reset --seed demo',
    'A service that refuses to delete ENDED rooms': 'roomctl sandbox reset --seed demo --document delete-ended=refuse',
  })

  async run(): Promise<void> {
    const {flags, session} = await this.start(SandboxReset, {editing: true})
    const folder = flags.data ?? session.paths.sandbox
    const store = fileStore(folder)
    const choices = choicesOf(flags)
    const view = await resultView(session, ['rooms', 'choices'])
    await resetSandbox(store, {choices, files: uploadsFolder(folder)})
    const rooms = flags.seed === undefined ? [] : await seedSandbox(store, session.runtime.now())
    const sentence = `sandbox reset: ${rooms.length} rooms`
    await presentDone(session, view, {rooms, choices}, rooms, sentence)
  }
}
