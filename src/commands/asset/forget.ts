import type {Advice} from '../../advice.js'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, rowFlags, switchFlag, yesFlag} from '../../cli/flags/flags.js'
import type {Session} from '../../cli/session/session.js'
import {wrongUsage} from '../../failure.js'
import {forgetUploads, readUploadIds, uploadIdsArg} from '../../features/asset/ledgerEntries.js'
import {stateDirFlag, stateFolder, withLedger} from '../../features/asset/uploadFlags.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import {forgottenUploads} from '../../view/asset/transfers.js'

export default class AssetForget extends LocalCommand {
  static override changes = 'locally' as const
  static override summary = 'Remove uploads from the ledger on this machine'
  static override rows = forgottenUploads
  static override description =
    `A removed unfinished upload is not resumed: the same file starts over. The service keeps what it received, because it cannot
delete uploads. The next asset sync uploads a removed finished file again.`
  static override args = {id: uploadIdsArg}
  static override flags = {
    ...rowFlags,
    ...yesFlag,
    all: switchFlag('forget every upload'),
    'state-dir': stateDirFlag,
  }
  static override examples = commandExamples({
    'Remove finished uploads':
      'roomctl asset uploads --all -o json --query "[?state==\'done\'].id" -r | roomctl asset forget -',
    'Forget every unfinished upload': 'roomctl asset uploads -q | roomctl asset forget -',
  })

  async run(): Promise<void> {
    const {args, flags, session} = await this.start(AssetForget)
    const folder = stateFolder(session, flags['state-dir'])
    const ids = args.id ?? []
    await withLedger(session, folder, async (ledger) => {
      const entries = await selectEntries(session, ids, flags, ledger)
      const isAlone = entries.length === 1 && ids.length === 1 && !ids.includes('-')
      await forgetUploads(session, ledger, entries, isAlone)
    })
  }
}

async function selectEntries(session: Session, given: readonly string[], {all}: {all: boolean}, ledger: Ledger) {
  if (given.length > 0 && !all) return readUploadIds(session, given, ledger)
  if (given.length === 0 && all) return ledger.list()
  const advice: Advice = {sentence: 'to see their ids', command: ['asset uploads', '--all']}
  throw wrongUsage(given.length > 0 ? 'name uploads, or use --all' : 'ID is missing', {try: advice})
}
