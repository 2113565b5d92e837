import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import type {Session} from '../../cli/session/session.js'
import {presentForgotten, readUploadIds, uploadIdsArg} from '../../features/asset/ledgerEntries.js'
import {stateDirFlag, stateFolder, withLedger} from '../../features/asset/uploadFlags.js'
import type {LedgerEntry} from '../../upload/ledger/entry.js'
import {forgetAll, type Ledger} from '../../upload/ledger/ledger.js'
import {forgottenUploads} from '../../view/asset/ledgerEntries.js'
import {checkOutput} from '../../view/format/output.js'

export default class AssetForget extends LocalCommand {
  static override summary = 'Remove uploads from the ledger on this machine'
  static override description =
    `A removed unfinished upload is not resumed: the same file starts over. The service keeps what it received, because it cannot
delete uploads. The next asset sync uploads a removed finished file again.`
  static override args = {id: uploadIdsArg}
  static override flags = {
    done: Flags.boolean({summary: 'all finished uploads', exclusive: ['all']}),
    all: Flags.boolean({summary: 'forget every upload'}),
    'state-dir': stateDirFlag,
  }
  static override examples = [
    {description: 'Remove finished uploads', command: '<%= config.bin %> asset forget --done'},
    {
      description: 'Forget every unfinished upload',
      command: '<%= config.bin %> asset uploads -q | <%= config.bin %> asset forget -',
    },
  ]

  async run(): Promise<void> {
    const {args, flags} = await this.parse(AssetForget)
    const session = await this.open(flags)
    await checkOutput(forgottenUploads.columns, session.output)
    const given = args.id ?? []
    await withLedger(session, stateFolder(session, flags['state-dir']), async (ledger) => {
      const entries = await selectEntries(session, given, flags, ledger)
      const isAlone = entries.length === 1 && given.length === 1 && !given.includes('-')
      await presentForgotten(session, await forgetAll(ledger, entries), isAlone)
    })
  }
}

async function selectEntries(
  session: Session,
  given: readonly string[],
  flags: {done: boolean; all: boolean},
  ledger: Ledger,
) {
  const isWhole = flags.all || flags.done
  if (given.length > 0 && !isWhole) return readUploadIds<LedgerEntry>(session, given, ledger)
  if (given.length === 0 && isWhole) return ledger.list().filter(({done}) => flags.all || done !== undefined)
  throw new Failure({
    exit: 'usage',
    message: given.length === 0 ? 'ID is missing' : 'name uploads, or use --done or --all',
    try: 'roomctl asset uploads --all lists their ids; --done takes all finished uploads',
  })
}
