import {join, resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'

/** Where the ledger of uploads is kept, for every command that reads or writes it. */
export const stateDirFlag = Flags.string({
  helpValue: 'DIR',
  summary: 'keep the ledger of uploads in this folder, which a CI job can carry to another machine',
})

/**
 * The folder of the ledger of uploads: `--state-dir`, else one of its own in the state folder. Absolute. Raises a Failure (usage)
 * for an empty one: a variable of a CI job that is not set must not mean the working folder.
 */
export function stateFolder({places}: Session, flag: string | undefined): string {
  if (flag === undefined) return join(places.state, 'uploads')
  if (flag !== '') return resolve(flag)
  throw new Failure({exit: 'usage', message: '--state-dir names no folder', try: 'add its name: --state-dir DIR'})
}
