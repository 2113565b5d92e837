import {failureOf} from '../../api/client/failures/refusal.js'
import type {Access} from '../../api/client/request/request.js'
import type {ErrorBody} from '../../api/client/response/errorBody.js'
import * as asset from '../../api/contract/asset.js'
import {fillAdvice} from '../../api/contract/operation.js'
import type {WireError} from '../../api/http/wire/transport.js'
import {type Exit, Failure, type FailureFacts, failureWith, withFacts} from '../../failure.js'
import {stampOf, type UploadJob} from '../model/job.js'

/** A request of an upload: POST to the container, HEAD and PATCH to the upload. */
export type Step = 'create' | 'head' | 'patch'

export type UploadFailure =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Something in front of the service may have answered in its place. */
      readonly isForeign?: boolean
      readonly retryAfter?: string | undefined
      readonly said?: ErrorBody | undefined
      /** Of the upload, as the answer has it. */
      readonly offset?: number | undefined
    }
  | {readonly kind: 'lost'; readonly error: WireError}
  /** The service accepted bytes and acknowledged none; `isBehind`: it has less than it acknowledged before. */
  | {readonly kind: 'stuck'; readonly isBehind: boolean}

/** Whether a change was certainly not made (product §11, Outcome). A server error or a gateway's answer can come after the change. */
export function isRefusal(failure: UploadFailure): boolean {
  if (failure.kind === 'stuck') return false
  if (failure.kind === 'lost') return failure.error.sent === 'no'
  const {status, isForeign} = failure
  return status === 307 || status === 308 || (status >= 400 && status < 500 && !isForeign)
}

type Named = Pick<UploadJob, 'key' | 'container' | 'description'>

const goOn = 'run the same command again to resume'

const operations = {create: asset.upload, head: asset.patch, patch: asset.patch} as const

export function interrupted(job: Named): Failure {
  return failed(job, 'interrupted', 'interrupted', {try: goOn})
}

/** An answer that cannot be true, or is not one of tus. `what`: a phrase without a full stop. */
export function brokenAnswer(job: Named, what: string, facts: Pick<FailureFacts, 'try'> = {}): Failure {
  const why = 'an upload that cannot be followed exactly is not resumed'
  return failed(job, 'network', what, {code: 'broken-answer', why, try: facts.try ?? 'see the answers with --debug'})
}

/** The address of an upload that must not be asked, because the credential would go along. */
export function foreignLocation(job: Named, what: string): Failure {
  return failed(job, 'network', `the service gives the upload an address ${what}`, {
    code: 'foreign-location',
    why: 'the credential is sent to the asset service alone, so nothing was sent there',
    try: 'check the address of the asset service: roomctl config get asset.url',
  })
}

interface Stop {
  readonly step: Step
  readonly failure: UploadFailure
  /** It may pass, but was waited for long enough. */
  readonly exhausted: boolean
  readonly access: Pick<Access, 'route'>
  /** Advice if the chunks may be too large. */
  readonly advice: string | undefined
}

export function stopped(job: Named, {step, failure, exhausted, access, advice}: Stop): Failure {
  if (failure.kind === 'stuck') {
    const what = failure.isBehind
      ? 'the service says again that it has less than it acknowledged'
      : 'the service accepts the bytes but acknowledges none'
    return brokenAnswer(job, what)
  }
  if (failure.kind === 'lost') return lost(job, failure, {exhausted, advice})
  return uploadRefused(job, failure, {step, exhausted, access})
}

function lost(
  job: Named,
  {error}: Extract<UploadFailure, {kind: 'lost'}>,
  {exhausted, advice}: Pick<Stop, 'exhausted' | 'advice'>,
): Failure {
  const resume = advice === undefined ? goOn : `${goOn}; ${advice}`
  const facts = {code: error.problem, try: exhausted ? resume : undefined, retryable: exhausted}
  return failed(job, 'network', error.message, facts, {cause: error})
}

function uploadRefused(
  job: Named,
  {status, isForeign, said}: Extract<UploadFailure, {kind: 'answered'}>,
  {step, exhausted, access}: Omit<Stop, 'failure' | 'advice'>,
): Failure {
  const operation = {...operations[step], action: 'upload {key} to {container}'}
  // The service chose the address of the parts, so no route is wrong.
  const route = step === 'create' ? access.route(asset.upload) : undefined
  const {facts} = failureOf({status, isForeign, ...said}, {operation, values: {...job}, route})
  const own = exhausted
    ? {retryable: true, try: goOn}
    : {...statusAdvice(step, status), ...stampRefused(job, {step, status, why: facts.why})}
  const exit = exhausted ? 'temporary' : facts.exit
  return new Failure({...facts, exit, ...own})
}

function statusAdvice(step: Step, status: number): Partial<FailureFacts> {
  if (status === 413) {
    return step === 'create'
      ? {why: 'the file is larger than the service takes'}
      : {
          why: 'the service, or something in front of it, takes no chunk of this size',
          try: 'set a smaller --chunk-size',
        }
  }
  if (status === 460) {
    return {
      exit: 'network',
      code: 'checksum-mismatch',
      why: 'the bytes keep arriving changed: something on the way, or the memory of this machine, is damaged',
      retryable: true,
      try: goOn,
    }
  }
  if (status < 400) return {exit: 'network', code: 'broken-answer', why: 'a redirect is not followed with a credential'}
  if (status === 412) return {why: 'the service does not speak tus 1.0.0'}
  return {}
}

/** The statuses by which a service refuses a header for its length, or its form. */
const headerRefused: readonly number[] = [400, 413, 414, 422, 431]

/** A description is longer with its stamp, by 74 characters: the service may refuse it for that. */
function stampRefused(
  {description}: Named,
  {step, status, why}: {readonly step: Step; readonly status: number; readonly why: string | undefined},
): Partial<FailureFacts> {
  if (step !== 'create' || !headerRefused.includes(status) || stampOf(description) === undefined) return {}
  return {
    exit: 'refused',
    why: why ?? `with its stamp the description has ${description.length} characters, which the service may not accept`,
    try: 'shorten --description, or add --no-stamp',
  }
}

/** An upload that ended while a request was in doubt: the service may have the file, or an empty upload of it (product §11). */
export function withDoubt(error: unknown, {container}: Named, isBegun: boolean): unknown {
  const values = {container}
  const unbegun = {
    why: 'the creation of the upload was sent but not answered, so the service may have it',
    try: fillAdvice(asset.upload.change.ifUnknown, values),
    retryable: false,
  }
  const joined = (one: string | undefined, other: string) => (one === undefined ? other : `${one}; ${other}`)
  return withFacts(error, ({code, why, try: advice, retryable}) => ({
    outcome: 'unknown',
    ...(isBegun || code === 'foreign-location'
      ? {}
      : {
          ...unbegun,
          why: joined(why, unbegun.why),
          // Advice to repeat would send the file again unchecked.
          try: joined(why === undefined || retryable ? undefined : advice, unbegun.try),
        }),
  }))
}

/** Resumes from the new path, by the content of the file. */
export function uploadCommand(
  {container, platform, name, description, link}: Omit<UploadJob, 'key' | 'path'>,
  file: string,
): string {
  const words = `--platform {platform} --name {name} --description {description}${link === undefined ? '' : ' --link {link}'}`
  const values = {container, file, platform, name, description, link}
  return `roomctl asset upload ${fillAdvice(`{container} {file} ${words}`, values)}`
}

function failed(
  {key, container}: Named,
  exit: Exit,
  what: string,
  facts: Partial<FailureFacts>,
  options?: ErrorOptions,
): Failure {
  return failureWith(exit, `cannot upload ${key} to ${container}: ${what}`, facts, options)
}
