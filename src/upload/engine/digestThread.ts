import {createHash, type Hash} from 'node:crypto'
import {readSync} from 'node:fs'
import {parentPort, workerData} from 'node:worker_threads'
import type {Algorithm} from '../model/job.js'

// A worker thread. It reads the files by descriptors that the other thread has opened.

/** Requests to the digest thread. `id` is repeated in the answer; `file` names an open file. */
export type DigestRequest =
  /** The digest of a part of a file; its whole digest continues with the same bytes if it had come to `from`. */
  | {
      readonly kind: 'part'
      readonly id: number
      readonly file: number
      readonly fd: number
      readonly from: number
      readonly to: number
      readonly algorithm: Algorithm
    }
  | {readonly kind: 'begin'; readonly file: number; readonly fd: number}
  /** Continues the digest of a whole file up to `to`, when idle. */
  | {readonly kind: 'roll'; readonly file: number; readonly to: number}
  | {readonly kind: 'whole'; readonly id: number; readonly file: number; readonly to: number}
  /** Releases the descriptor before the answer. */
  | {readonly kind: 'forget'; readonly id: number; readonly file: number}

/** `digest`: base64 of a part, hex of a whole file, or empty. `failure`: with the system's code, which an error loses between threads. */
export type DigestAnswer =
  | {readonly id: number; readonly digest: string}
  | {readonly id: number; readonly failure: {readonly message: string; readonly code: string | undefined}}

/** Fits into a core's own cache. */
const block = Buffer.allocUnsafeSlow(256 * 1024)
/** After this much of a whole file, requests that came meanwhile have their turn. */
const stepBytes = 16 * 1024 * 1024

interface Rolling {
  readonly fd: number
  readonly hash: Hash
  at: number
  to: number
  waiting?: number
  failure?: {readonly cause: unknown}
}

const rolling = new Map<number, Rolling>()
let working = false
/** Shared memory: not 0 once the run was interrupted. The thread receives no messages while it digests a part. */
const interrupted = new Int32Array(workerData)

/** Feeds a part of a file to hashes. Throws the system's error, or one for a file that ends before `to`. */
function feed(fd: number, from: number, to: number, hashes: readonly Hash[], goesOn = () => true): void {
  for (let at = from; at < to; ) {
    if (!goesOn()) throw new Error('the run was interrupted')
    const bytes = readSync(fd, block, 0, Math.min(block.length, to - at), at)
    if (bytes === 0) throw new RangeError('the file ends too early')
    for (const hash of hashes) hash.update(block.subarray(0, bytes))
    at += bytes
  }
}

function part({file, fd, from, to, algorithm}: Extract<DigestRequest, {kind: 'part'}>): string {
  const whole = rolling.get(file)
  const hash = createHash(algorithm)
  const goesOn = () => Atomics.load(interrupted, 0) === 0
  if (whole?.at === from) {
    // After an interruption the digest of the whole is not needed.
    feed(fd, from, to, [hash, whole.hash], goesOn)
    whole.at = to
  } else feed(fd, from, to, [hash], goesOn)
  return hash.digest('base64')
}

/** One step of a pending whole digest; then handles requests, and continues. */
function work(): void {
  working = false
  for (const [file, whole] of rolling) {
    if (whole.at < whole.to && !whole.failure) {
      step(whole)
      goOn()
      return
    }
    if (whole.waiting !== undefined) {
      rolling.delete(file)
      answer(whole.waiting, () => finished(whole))
    }
  }
}

function step(whole: Rolling): void {
  const to = Math.min(whole.to, whole.at + stepBytes)
  try {
    feed(whole.fd, whole.at, to, [whole.hash])
    whole.at = to
  } catch (error) {
    whole.failure = {cause: error}
  }
}

function finished({hash, failure}: Rolling): string {
  if (failure) throw failure.cause
  return hash.digest('hex')
}

function goOn(): void {
  if (working) return
  working = true
  setImmediate(work)
}

function answer(id: number, make: () => string): void {
  let message: DigestAnswer
  try {
    message = {id, digest: make()}
  } catch (error) {
    message = {id, failure: {message: String(error), code: codeOf(error)}}
  }
  parentPort?.postMessage(message)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

function serve(request: DigestRequest): void {
  const {kind, file} = request
  if (kind === 'part') answer(request.id, () => part(request))
  else if (kind === 'begin') rolling.set(file, {fd: request.fd, hash: createHash('sha256'), at: 0, to: 0})
  else if (kind === 'forget') {
    rolling.delete(file)
    answer(request.id, () => '')
  } else roll(request)
}

function roll(request: Extract<DigestRequest, {kind: 'roll' | 'whole'}>): void {
  const whole = rolling.get(request.file)
  if (!whole) return
  whole.to = Math.max(whole.to, request.to)
  if (request.kind === 'whole') whole.waiting = request.id
  goOn()
}

parentPort?.on('message', serve)
