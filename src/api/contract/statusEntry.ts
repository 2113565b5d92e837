import type {Meaning} from './catalogue.js'
import type {OperationId} from './operations.js'

/** What an HTTP status of a refusal means to a service that has no error codes. */
export interface StatusEntry {
  /** A status, or a class of them: `5xx`. */
  readonly status: number | '5xx'
  /** What it means wherever no operation says more. */
  readonly general: Meaning
  readonly for?: Readonly<Partial<Record<OperationId, Meaning>>>
}

/** The statuses of a service, in their order. */
export interface StatusTable {
  readonly entries: readonly StatusEntry[]
  /** What a status means that is not among them. */
  readonly other: Meaning
}

/** What to look at when a value was refused. */
export const seeRequest = 'compare the values with the help of the command; --dry-run shows the request'

export const understoodAndRefused: Meaning = {
  condition: 'the service understands a value and refuses it',
  why: 'the value has the right form and still cannot be taken',
  try: seeRequest,
}

export const tooMany: Meaning = {
  condition: 'too many requests',
  why: 'the service asks its callers to slow down',
  try: 'wait a moment, then run the same command again',
}

export const failing: Meaning = {
  condition: 'the service, or a gateway in front of it, failed',
  why: 'it is overloaded, being maintained, or broken',
  try: 'wait a moment, then run the same command again',
}

export const notPermitted: Meaning = {
  condition: 'not permitted',
  why: 'the service knows the token, and does not let its owner do this',
  try: 'ask the administrator of the service, or use another profile with -p',
}
