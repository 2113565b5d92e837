import {type Advice, adviceText} from './advice.js'

/** Whether the change was made: `none` certainly not, `applied` certainly, `unknown` the answer was lost. */
export type Effect = 'none' | 'applied' | 'unknown'

export interface FailureFacts {
  readonly exit: Exit
  /** One sentence without a full stop; may quote the service. */
  readonly message: string
  /** The reason alone, for a table whose row names the target. */
  readonly cause?: string | undefined
  /** No error: people see the message alone. */
  readonly isNotice?: boolean | undefined
  /** The service's error code, or a short word of the tool's own such as `usage` or `timeout`. */
  readonly code?: string | undefined
  readonly why?: string | undefined
  /** The words of the service itself, also if roomctl has an explanation of its own. */
  readonly serviceMessage?: string | undefined
  readonly try?: Advice | undefined
  /** Lines of a file that follow the advice. */
  readonly lines?: readonly string[] | undefined
  /** The service's answer without an envelope, in one truncated line. */
  readonly body?: string | undefined
  readonly httpStatus?: number | undefined
  /** The same call may succeed later without any change. */
  readonly retryable?: boolean | undefined
  /** How long the service asks to wait before the next call, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly outcome?: Effect | undefined
}

/** Ends a command. Rendered as text or JSON in one place. */
export class Failure extends Error {
  override readonly name: string = 'Failure'
  readonly facts: FailureFacts

  constructor(facts: FailureFacts, options?: ErrorOptions) {
    super(facts.message, options)
    this.facts = facts
  }

  get exitCode(): number {
    return exits[this.facts.exit].code
  }
}

type MoreFacts = Omit<FailureFacts, 'exit' | 'message'>

/** The Failure that ends a command with `exit`. */
export function failureWith(exit: Exit, message: string, facts: MoreFacts = {}, options?: ErrorOptions): Failure {
  return new Failure({...facts, exit, message}, options)
}

/** The Failure of an invalid command line. */
export function wrongUsage(message: string, facts: MoreFacts = {}, options?: ErrorOptions): Failure {
  return failureWith('usage', message, facts, options)
}

/** The Failure of a local file that cannot be read, written or used. */
export function fileFailure(message: string, facts: MoreFacts = {}, options?: ErrorOptions): Failure {
  return failureWith('file', message, facts, options)
}

/** A Failure with other facts; any other error unchanged. */
export function withFacts(error: unknown, change: (facts: FailureFacts) => Partial<FailureFacts>): unknown {
  if (!(error instanceof Failure)) return error
  return new Failure({...error.facts, ...change(error.facts)}, {cause: error})
}

/** For `catch`: what `instead` makes of a Failure that `fits`; throws any other error again. */
export function onFailure<T>(fits: (failure: Failure) => boolean, instead: (failure: Failure) => T) {
  return (error: unknown): T => {
    if (error instanceof Failure && fits(error)) return instead(error)
    throw error
  }
}

/** The result of `work`; undefined if it throws a Failure. */
export function unlessFailure<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}

export type FailureJson = Readonly<ReturnType<typeof failureJson>>

/** The key of the failure itself in a FailureJson. It is a symbol, so that no format shows it. */
export const failureKey = Symbol('failure')

/** The published form of a failure; every member is always there. */
export function failureJson(failure: Failure) {
  const {facts, exitCode} = failure
  return {
    code: facts.code ?? facts.exit,
    message: facts.message,
    why: facts.why ?? null,
    service_message: facts.serviceMessage ?? null,
    try: facts.try === undefined ? null : [adviceText(facts.try), ...(facts.lines ?? [])].join('\n'),
    http_status: facts.httpStatus ?? null,
    body: facts.body ?? null,
    retryable: facts.retryable ?? false,
    ...(facts.retryAfterMs === undefined ? {} : {retry_after_seconds: Math.ceil(facts.retryAfterMs / 1000)}),
    outcome: facts.outcome ?? 'none',
    exit_code: exitCode,
    [failureKey]: failure,
  }
}

/** The exit codes that scripts rely on; every failure of the tool ends with one of them. */
export const exits = {
  done: {code: 0, meaning: 'done; an empty list; a dry run'},
  bug: {code: 1, meaning: 'internal error'},
  usage: {code: 2, meaning: 'usage: unknown command or flag, or an invalid value (time, number, id, enum, JSON)'},
  configuration: {code: 3, meaning: 'configuration: profile, address or token missing, file damaged'},
  unauthenticated: {code: 4, meaning: 'not authenticated: CE200, 401'},
  forbidden: {code: 5, meaning: 'not permitted: CE003, T001, 403'},
  missing: {code: 6, meaning: 'not found: CE002, RE003, 404'},
  state: {
    code: 7,
    meaning:
      'wrong state: U001 D001 ER001 BR001 BA001 DH001 RE001 AA002 T002 FAILED_PRECONDITION, 409, 412; `attendee why` said no',
  },
  refused: {code: 8, meaning: 'value or limit refused by the service: CE001, AA001, 400, 413, 422'},
  temporary: {
    code: 9,
    meaning: 'temporary: CE100, CE101, 429, 5xx after retries; a watch ended while the service was unreachable',
  },
  network: {code: 10, meaning: 'network, TLS, timeout, broken answer'},
  partial: {code: 11, meaning: 'partial failure: some of several targets failed'},
  waited: {code: 12, meaning: '`--until-status` timed out'},
  unconfirmed: {code: 13, meaning: 'confirmation missing or declined, or changes forbidden'},
  file: {code: 14, meaning: 'local file unreadable, invalid or changed, or checksum mismatch'},
  found: {code: 15, meaning: 'a check found problems'},
  hungUp: {code: 129, meaning: 'SIGHUP: the terminal was closed'},
  interrupted: {code: 130, meaning: 'Ctrl-C'},
  terminated: {code: 143, meaning: 'SIGTERM'},
} as const

/** Ctrl-C or a signal before anything was sent that may change something. */
export const interruptedUnsent = 'interrupted; nothing was sent'

export type Exit = keyof typeof exits
