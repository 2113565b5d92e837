import {partEnd} from './chunkSize.js'
import {interrupted, type Step, type UploadFailure} from './failures.js'
import {askOffset, createUpload, probeHead, RequestFailure, RestartError, sendPart} from './requests.js'
import type {Transfer} from './uploadState.js'

export type Ending =
  | {readonly kind: 'whole'}
  | {readonly kind: 'failed'; readonly step: Step; readonly failure: UploadFailure}
  | {readonly kind: 'restart'; readonly why: string}

/** Sends a file by tus 1.0.0, or the rest of it: POST or HEAD, then one PATCH after another. Throws permanent failures. */
export async function sendFile(transfer: Transfer): Promise<Ending> {
  const {run, item, state, chunkSize} = transfer
  const {job, source} = item
  let step: Step = state.url ? 'head' : 'create'
  const pass = () => run.service.pass((ms, why) => run.context.emit({kind: 'waiting', key: job.key, ms, why}))
  try {
    await pass()
    if (state.url) await askOffset(transfer, state.url)
    const url = state.url ?? (await createUpload(transfer))
    while (state.assumed < source.size) {
      step = 'head'
      await probe(transfer, url)
      step = 'patch'
      await pass()
      await sendPart(transfer, url, partEnd(item, state.assumed, chunkSize.bytes))
    }
    return {kind: 'whole'}
  } catch (error) {
    return endingOf(transfer, step, error)
  }
}

async function probe(transfer: Transfer, url: URL): Promise<void> {
  const {service} = transfer.run
  if (service.head !== 'unknown' || !transfer.chunkSize.dependsOnHead) return
  service.probing ??= probeHead(transfer, url).finally(() => {
    service.probing = undefined
  })
  await service.probing
}

function endingOf({run, item}: Transfer, step: Step, error: unknown): Ending {
  if (run.context.signal.aborted) throw interrupted(item.job)
  if (item.source.failure) throw item.source.failure
  if (item.source.takeUnproven()) return {kind: 'restart', why: 'nothing shows that its content did not change'}
  if (error instanceof RestartError) return {kind: 'restart', why: error.message}
  if (!(error instanceof RequestFailure)) throw error
  return {kind: 'failed', step, failure: error.failure}
}
