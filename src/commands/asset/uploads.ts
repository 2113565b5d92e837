import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags, switchFlag, timeFlags} from '../../cli/flags/flags.js'
import {presentList} from '../../cli/output/present.js'
import {stateDirFlag, stateFolder, withLedger} from '../../features/asset/uploadFlags.js'
import {entryRow} from '../../upload/ledger/entry.js'
import {allUploads, unfinishedUploads} from '../../view/asset/transfers.js'

export default class AssetUploads extends LocalCommand {
  static override summary = 'List the uploads started on this machine'
  static override rows = unfinishedUploads
  static override description =
    `Lists unfinished uploads with their progress, from the local ledger, without asking the service; --all includes finished
ones. Resume them with asset resume, remove them with asset forget.`
  static override flags = {
    ...rowFlags,
    ...timeFlags,
    all: switchFlag('include finished uploads'),
    'state-dir': stateDirFlag,
  }
  static override examples = commandExamples({
    'Unfinished uploads': 'roomctl asset uploads',
    'Every upload with its uuid, for a program':
      "roomctl asset uploads --all -o json --query '[].{file: file, uuid: uuid}'",
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(AssetUploads)
    const view = flags.all ? allUploads : unfinishedUploads
    const session = await this.open(flags)
    const entries = await withLedger(session, stateFolder(session, flags['state-dir']), (ledger) =>
      flags.all ? ledger.list() : ledger.unfinished(),
    )
    await presentList(session, entries.map(entryRow), view)
  }
}
