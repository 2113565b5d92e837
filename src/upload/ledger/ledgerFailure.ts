import {dirname} from 'node:path'
import {Failure, fileFailure} from '../../failure.js'
import {systemCode, systemReason, UnusableFile} from '../../storage/disk/privateFile.js'

/** The failure of a file of the ledger. An error that is not the system's is thrown again. */
export function ledgerFailure(verb: 'read' | 'write', path: string, error: unknown): Failure {
  if (error instanceof Failure) return error
  const elsewhere = 'keep the ledger in another folder with --state-dir'
  if (error instanceof UnusableFile && error.fault === 'version') {
    const message = `the ledger of uploads ${path} is of another version of roomctl: ${error.message}`
    return fileFailure(message, {try: `use the roomctl that wrote it, or ${elsewhere}`}, {cause: error})
  }
  if (error instanceof UnusableFile && error.fault !== 'mode') {
    const [unusable, advice] =
      error.fault === 'shared'
        ? [dirname(path), `--state-dir ${dirname(path)}/uploads, or another folder of your own`]
        : [path, `move it away, or ${elsewhere}`]
    const message = `${unusable} is not used for the ledger of uploads: ${error.message}`
    return fileFailure(message, {try: advice}, {cause: error})
  }
  const why = systemCode(error) === 'ELOOP' ? 'a link could lead the writing to any other file' : undefined
  const message = `cannot ${verb} the ledger of uploads ${path}: ${systemReason(error)}`
  return fileFailure(message, {why, try: `fix that, or ${elsewhere}`}, {cause: error})
}
