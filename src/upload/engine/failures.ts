import {type Advice, type AdvisedCommand, joinAdvice} from '../../advice.js'
import {failureOf} from '../../api/client/failures/refusal.js'
import type {Access} from '../../api/client/request/request.js'
import type {ErrorBody} from '../../api/client/response/errorBody.js'
import * as asset from '../../api/contract/asset.js'
import {fillAdvice} from '../../api/contract/operation.js'
import {retryAfterMs} from '../../api/http/wire/retry.js'
import type {WireError} from '../../api/http/wire/transport.js'
import {type Exit, Failure, type FailureFacts, failureWith, withFacts} from '../../failure.js'
import {fileSize} from '../../text/text.js'
import {stampOf, type UploadJob} from '../model/job.js'
import {smallestChunk, smallestChunkBytes} from './chunkSize.js'

/** A request of an upload: POST to the container, HEAD and PATCH to the upload. */
export type Step = 'create' | 'head' | 'patch'

export type UploadFailure =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Something in front of the service may have answered in its place. */
      readonly isForeign?: boolean
      readonly retryAfter?: string | undefined
      readonly date?: string | undefined
      readonly said?: ErrorBody | undefined
      /** Of the upload, as the answer has it. */
      readonly offset?: number | undefined
      /** The address that a redirect names. */
      readonly location?: string | undefined
    }
  | {readonly kind: 'lost'; readonly error: WireError}
  /** The service accepted bytes and acknowledged none; `isBehind`: it has less than it acknowledged before. */
  | {readonly kind: 'stuck'; readonly isBehind: boolean}

/** Whether a change was certainly not made. A server error or a gateway's answer can come after the change. */
export function isRefusal(failure: UploadFailure): boolean {
  if (failure.kind === 'stuck') return false
  if (failure.kind === 'lost') return failure.error.sent === 'no'
  const {status, isForeign} = failure
  return status === 307 || status === 308 || (status >= 400 && status < 500 && !isForeign)
}

type Named = Pick<UploadJob, 'key' | 'container' | 'description'>

const seeAnswers = 'run the command again with --debug to see request and response'

const goOn = 'run the same command again to resume'

const operations = {create: asset.upload, head: asset.patch, patch: asset.patch} as const

export function interrupted(job: Named): Failure {
  return failed(job, 'interrupted', 'interrupted', {try: goOn})
}

/** An answer that cannot be true, or is not one of tus. `what`: a phrase without a full stop. */
export function brokenAnswer(job: Named, what: string): Failure {
  const why = 'an upload that cannot be followed exactly is not resumed'
  return failed(job, 'network', what, {code: brokenCode, why, try: 'see the answers with --debug'})
}

/** The address of an upload that must not be asked, because the credential would go along. */
export function foreignLocation(job: Named, what: string): Failure {
  return failed(job, 'network', `the service gives the upload an address ${what}`, {
    code: foreignCode,
    why: 'the credential is sent only to the asset service, so nothing was sent there and no other upload was started',
    try: 'have the proxy in front of the service set X-Forwarded-Proto and X-Forwarded-Host, and the service use them',
  })
}

export const foreignCode = 'foreign-location'
export const brokenCode = 'broken-answer'

interface Stop {
  readonly step: Step
  readonly failure: UploadFailure
  /** It may pass, but was waited for long enough. */
  readonly exhausted: boolean
  readonly access: Pick<Access, 'route'>
  readonly about: UploadFacts
}

/** What an upload is about, for the cause of a refusal. Sizes and offsets are bytes. */
interface UploadFacts {
  readonly size: number
  /** Tus-Max-Size of the service, if it says so. */
  readonly sizeLimit: number | undefined
  readonly chunk: {readonly offset: number; readonly size: number}
  /** The ledger's id of an upload of an earlier run, if the service has accepted nothing of it in this one. */
  readonly stale: string | undefined
  /** It vanished at the service, and may not start over again. */
  readonly isGone: boolean
}

export function stopped(job: Named, {step, failure, exhausted, access, about}: Stop): Failure {
  if (failure.kind === 'stuck') {
    const what = failure.isBehind
      ? 'the service says again that it has less than it acknowledged'
      : 'the service accepts the bytes but acknowledges none'
    return brokenAnswer(job, what)
  }
  if (failure.kind === 'lost') return lost(job, failure, exhausted)
  return uploadRefused(job, failure, {step, exhausted, access, about})
}

function lost(job: Named, {error}: Extract<UploadFailure, {kind: 'lost'}>, exhausted: boolean): Failure {
  const facts = {code: error.problem, try: exhausted ? goOn : undefined, retryable: exhausted}
  return failed(job, 'network', error.message, facts, {cause: error})
}

function uploadRefused(
  job: Named,
  {status, isForeign, said, location, ...wait}: Extract<UploadFailure, {kind: 'answered'}>,
  {step, exhausted, access, about}: Omit<Stop, 'failure'>,
): Failure {
  if (status < 400) return redirected(job, status, location)
  const operation = {...operations[step], action: 'upload {key} to {container}'}
  // The service chose the address of the parts, so no route is wrong.
  const route = step === 'create' ? access.route(asset.upload) : undefined
  const askedMs = retryAfterMs({'retry-after': wait.retryAfter, date: wait.date}, new Date())
  const {facts} = failureOf({status, isForeign, ...said, retryAfterMs: askedMs}, {operation, values: {...job}, route})
  const own =
    exhausted && status !== 460
      ? {retryable: true, try: goOn}
      : {
          ...statusFacts(status),
          ...(step === 'create' ? creationCause(job, status, about) : partCause(step, facts, about)),
        }
  const exit = exhausted ? 'temporary' : facts.exit
  return new Failure({...facts, exit, ...own})
}

function redirected(job: Named, httpStatus: number, location: string | undefined): Failure {
  const target = location === undefined ? '' : ` to ${location}`
  return failed(job, 'network', `the service answers with a redirect${target} (HTTP ${httpStatus})`, {
    code: brokenCode,
    httpStatus,
    why: 'a redirect is not followed with a credential',
    try: {sentence: 'check the address of the asset service', command: ['config get', 'asset.url']},
  })
}

function statusFacts(status: number): Partial<FailureFacts> {
  if (status === 460) {
    return {
      exit: 'network',
      code: 'checksum-mismatch',
      why: 'the bytes arrive changed each time: the network or the memory of this machine may be faulty',
      retryable: true,
      try: goOn,
    }
  }
  return status === 412 ? {why: 'the service does not speak tus 1.0.0'} : {}
}

/** Statuses for a value that is refused: of a creation perhaps the size of the file, of a part the chunk. */
export const valueRefused: readonly number[] = [400, 413, 422]

/** A longer description is refused by many services: a stamp makes it longer by 74 characters. */
const longDescription = 255

function creationCause(
  {description}: Named,
  status: number,
  {size, sizeLimit = Number.POSITIVE_INFINITY}: UploadFacts,
): Partial<FailureFacts> {
  if (status === 413 || (valueRefused.includes(status) && size > sizeLimit)) {
    const limit = size > sizeLimit ? `: at most ${sizeLimit} bytes (Tus-Max-Size)` : ''
    return {
      exit: 'refused',
      why: `the file has ${size} bytes, which is more than the service accepts${limit}`,
      try: 'make the file smaller, or ask the administrator of the service to raise its limit',
    }
  }
  if (status !== 431 && !(valueRefused.includes(status) && description.length > longDescription)) return {}
  const isStamped = stampOf(description) !== undefined
  return {
    exit: 'refused',
    why: `the description has ${description.length} characters${isStamped ? ' with its stamp' : ''}, which may be too many for the service`,
    try: isStamped ? 'shorten --description, or add --no-stamp' : 'shorten --description',
  }
}

function partCause(
  step: Step,
  {exit, httpStatus = 0}: FailureFacts,
  {chunk: {offset, size}, stale, isGone}: UploadFacts,
): Partial<FailureFacts> {
  if (isGone) {
    return {
      why: 'it expired there, or another server answers that does not share the uploads of the first one',
      try: 'ask the administrator of the service how long it keeps unfinished uploads, and whether its servers share them',
    }
  }
  if (httpStatus === 413) {
    return {
      why: `the service, or a proxy in front of it, accepts no chunk of ${fileSize(size)}`,
      try:
        size > smallestChunkBytes
          ? `add --chunk-size ${smallestChunk}`
          : 'ask the administrator of the service to accept larger requests',
    }
  }
  const isRefused = step === 'patch' && valueRefused.includes(httpStatus)
  const why = isRefused ? {why: `the service refuses the chunk of ${size} bytes at offset ${offset}`} : {}
  if (stale !== undefined && (exit === 'refused' || exit === 'forbidden'))
    return {...why, try: {sentence: 'before you upload it again', command: ['asset forget', stale]}}
  return isRefused ? {...why, try: seeAnswers} : {}
}

/** An upload that ended while a request was in doubt: the service may have the file, or an empty upload of it. */
export function withDoubt(error: unknown, {container}: Named, isBegun: boolean): unknown {
  const values = {container}
  const unbegun = {
    why: 'the creation of the upload was sent but not answered, so the service may have it',
    try: fillAdvice(asset.upload.change.ifUnknown, values),
    retryable: false,
  }
  return withFacts(error, (facts) => {
    const {exit, code, why} = facts
    return {
      exit: exit === 'interrupted' || exit === 'file' ? exit : 'network',
      outcome: 'unknown',
      ...(isBegun || code === foreignCode
        ? {}
        : {
            ...unbegun,
            why: why === undefined ? unbegun.why : `${why}; ${unbegun.why}`,
            try: afterAdvice(facts, unbegun.try),
          }),
    }
  })
}

/** Advice after that of a Failure, unless that is to repeat, which would send the file again unchecked. */
function afterAdvice({why, retryable, try: own}: FailureFacts, advice: Advice): Advice {
  return why === undefined || retryable ? advice : joinAdvice(own, advice)
}

/** Resumes from the new path, by the content of the file. */
export function uploadCommand(
  {container, platform, name, description, link}: Omit<UploadJob, 'key' | 'path'>,
  file: string,
): AdvisedCommand {
  const flags = ['--platform', platform, '--name', name, '--description', description]
  return {command: ['asset upload', container, file, ...flags, ...(link === undefined ? [] : ['--link', link])]}
}

function failed(
  {key, container}: Named,
  exit: Exit,
  what: string,
  facts: Partial<FailureFacts>,
  options?: ErrorOptions,
): Failure {
  return failureWith(exit, `cannot upload ${key} to ${container}: ${what}`, {cause: what, ...facts}, options)
}
