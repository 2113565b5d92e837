import {join, resolve} from 'node:path'
import * as Flags from '@oclif/core/flags'
import type {Session} from './session.js'

/** Where the ledger of uploads is kept, for every command that reads or writes it. */
export const stateDirFlag = Flags.string({
  helpValue: 'DIR',
  summary: 'keep the ledger of uploads in this folder, which a CI job can carry to another machine',
})

/** The folder of the ledger of uploads: `--state-dir`, else one of its own in the state folder. Absolute. */
export function stateFolder({places}: Session, flag: string | undefined): string {
  return flag === undefined ? join(places.state, 'uploads') : resolve(flag)
}
