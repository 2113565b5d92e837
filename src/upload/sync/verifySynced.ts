import type {FetchContext} from '../bytes/openBytes.js'
import {type VerifyLevel, verifyUpload} from '../bytes/verify.js'
import type {UploadJob, UploadResult} from '../model/job.js'
import {linkedFile} from './order.js'
import type {SyncFile} from './syncFile.js'

/**
 * How a sync looks at what the service has made of a file. The catalog view of a bundle shows the content of a catalog (asset,
 * Catalog view of a bundle): that of the run which it is linked to, if it is.
 */
export function verifySynced(context: FetchContext, files: readonly SyncFile[], level: VerifyLevel) {
  const byKey = new Map(files.map((file) => [file.key, file]))
  return (job: UploadJob, result: UploadResult): Promise<VerifyLevel> => {
    const file = byKey.get(job.key)
    const linked = file && byKey.get(linkedFile(file) ?? '')
    const catalog = linked?.role === 'catalog' && linked.name.endsWith('.json') ? {catalogPath: linked.path} : {}
    return verifyUpload(context, job, result, {level, ...catalog})
  }
}
