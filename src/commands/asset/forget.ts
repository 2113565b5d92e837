import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {LocalCommand} from '../../cli/app/baseCommand.js'
import type {Session} from '../../cli/session/session.js'
import {
  presentForgotten,
  readUploadIds,
  stateDirFlag,
  stateFolder,
  uploadIdsArg,
} from '../../features/asset/ledgerEntries.js'
import type {Ledger} from '../../upload/ledger/entry.js'
import {forgetAll} from '../../upload/ledger/forget.js'
import {openLedger} from '../../upload/ledger/ledger.js'
import {forgottenUploads} from '../../view/asset/ledgerEntries.js'
import {checkOutput} from '../../view/format/output.js'

export default class AssetForget extends LocalCommand {
  static override summary = 'Drop uploads from the ledger of this machine'
  static override description =
    `An unfinished upload that is forgotten is not resumed: the same file begins anew. What the service holds of it stays,
since the document has no operation that deletes an upload (asset, Resource operations). A finished one that is forgotten is
uploaded again by the next asset sync.`
  static override args = {id: uploadIdsArg}
  static override flags = {
    done: Flags.boolean({summary: 'all that are finished', exclusive: ['all']}),
    all: Flags.boolean({summary: 'forget every upload'}),
    'state-dir': stateDirFlag,
  }
  static override examples = [
    {description: 'Tidy up what is finished', command: '<%= config.bin %> asset forget --done'},
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
    const ledger = await openLedger(stateFolder(session, flags['state-dir']), {
      now: session.runtime.now,
      warn: (text) => session.warn(`warning: ${text}`),
    })
    try {
      const entries = await chosen(session, given, flags, ledger)
      const isAlone = entries.length === 1 && given.length === 1 && !given.includes('-')
      await presentForgotten(session, await forgetAll(ledger, entries), isAlone)
    } finally {
      await ledger.close()
    }
  }
}

async function chosen(
  session: Session,
  given: readonly string[],
  flags: {done: boolean; all: boolean},
  ledger: Ledger,
) {
  const entries = ledger.list()
  const isWhole = flags.all || flags.done
  if (given.length > 0 && !isWhole) return readUploadIds(session, given, entries)
  if (given.length === 0 && isWhole) return entries.filter(({done}) => flags.all || done !== undefined)
  throw new Failure({
    exit: 'usage',
    message: given.length === 0 ? 'ID is missing' : 'name uploads, or take --done or --all',
    try: 'roomctl asset uploads --all lists their ids; --done takes all that are finished',
  })
}
