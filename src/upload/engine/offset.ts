import {ask, SetbackError} from './ask.js'
import {brokenAnswer} from './failures.js'
import {BeginAnewError, type Headers, type Means, offsetIn} from './means.js'

const untold = 'the service does not tell how much of it arrived'

/**
 * Asks by HEAD how far an upload is. Where the service does not answer it, the ledger does, as if it were the answer. Gives its
 * headers; raises a `SetbackError`, a `BeginAnewError`, or a Failure for an offset that cannot be true.
 */
export async function askOffset(means: Means, url: URL, headers: Headers): Promise<Headers> {
  const {run, parcel, standing} = means
  const {service, context} = run
  if (service.head !== 'no') {
    const answer = await ask(context, {method: 'HEAD', url, headers})
    const offset = offsetIn(answer)
    service.head = offset === undefined ? 'no' : 'yes'
    if (offset !== undefined) await believe(means, offset, answer['upload-length'])
  }
  if (service.head === 'no') await assume(means, url, headers)
  standing.takenUp()
  context.emit({kind: 'acked', key: parcel.job.key, offset: standing.acked})
  return {'upload-offset': String(standing.assumed), 'upload-length': String(parcel.source.size)}
}

/** Finds out, once for a run, whether the service answers HEAD at all. */
export async function probeHead({run: {context, service}}: Means, url: URL, headers: Headers): Promise<void> {
  try {
    const answer = await ask(context, {method: 'HEAD', url, headers})
    service.head = offsetIn(answer) === undefined ? 'no' : 'yes'
  } catch (error) {
    if (!(error instanceof SetbackError)) throw error
    const {setback} = error
    // Whatever else went wrong tells nothing of HEAD, and shows again in what comes next.
    if (setback.kind === 'answered' && [404, 405, 501].includes(setback.status)) service.head = 'no'
  }
}

/** Takes an offset that the service tells, if it can be true. */
async function believe({parcel, standing, records}: Means, offset: number, length: string | undefined): Promise<void> {
  const {job, source} = parcel
  const lie = (what: string) => brokenAnswer(job, `the service says that ${what}`)
  if (length !== undefined && length !== String(source.size)) {
    throw lie(`the upload is of ${length} bytes when it was begun for ${source.size}`)
  }
  if (offset > source.size) throw lie(`it has ${offset} bytes of a file of ${source.size}`)
  if (offset > standing.bound) {
    if (!standing.isUntried) throw lie(`it has ${offset} bytes when it was sent ${standing.bound}`)
    throw new BeginAnewError('the service has more of it than can be proven to be of this file')
  }
  if (offset > standing.acked) await records.acked(standing.acked, offset)
  standing.tell(offset)
}

/**
 * Without HEAD the upload is where the service last acknowledged a part; or, after it refused that offset, where the part ends
 * that was being sent. Whether that is so shows with the next part. Where none is left, an empty one is sent.
 */
async function assume({run, parcel, standing, records}: Means, url: URL, given: Headers): Promise<void> {
  const {assumed, acked} = standing
  if (assumed === acked || assumed < parcel.source.size) return
  const empty = {'Content-Type': 'application/offset+octet-stream', 'Content-Length': '0'}
  const headers = {...given, ...empty, 'Upload-Offset': String(assumed)}
  const answer = await ask(run.context, {method: 'PATCH', url, headers, body: ''}).catch((error: unknown) => {
    const setback = error instanceof SetbackError ? error.setback : undefined
    if (setback?.kind !== 'answered' || setback.status >= 500 || setback.status === 429) throw error
    throw new BeginAnewError(untold)
  })
  if (offsetIn(answer) !== assumed) throw new BeginAnewError(untold)
  await records.acked(acked, assumed)
  standing.tell(assumed)
}
