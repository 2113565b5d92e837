import {type Exit, exits} from './exits.js'

/** Whether the change was made: `none` certainly not, `applied` certainly, `unknown` the answer was lost. */
export type Outcome = 'none' | 'applied' | 'unknown'

export interface FailureFacts {
  readonly exit: Exit
  /** What happened, in one sentence without a stop; a server's own words may stand in it. */
  readonly message: string
  /** The service's error code, or a short word of the tool's own such as `usage` or `timeout`. */
  readonly code?: string | undefined
  readonly why?: string | undefined
  /** What to do next: a command line to type, or a sentence. */
  readonly try?: string | undefined
  /** Lines for people below `try`, whose columns matter: what was typed, and a caret under the character that is meant. */
  readonly pointer?: readonly string[] | undefined
  readonly httpStatus?: number | undefined
  /** True when the same call may succeed later without anything being changed. */
  readonly retryable?: boolean | undefined
  /** How long the service asks to wait before the next call, in milliseconds. */
  readonly retryAfterMs?: number | undefined
  readonly outcome?: Outcome | undefined
}

/** Anything that ends a command badly. Rendered as text or JSON in one place, and only there. */
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

/** What to throw in the place of an error: a Failure with the facts that `change` gives it, any other error as it is. */
export function withFacts(error: unknown, change: (facts: FailureFacts) => Partial<FailureFacts>): unknown {
  if (!(error instanceof Failure)) return error
  return new Failure({...error.facts, ...change(error.facts)}, {cause: error})
}

/** The object that machine formats print on stderr under `error`. */
export interface FailureJson {
  readonly code: string
  readonly message: string
  readonly why: string | null
  readonly try: string | null
  readonly http_status: number | null
  readonly retryable: boolean
  readonly outcome: Outcome
  readonly exit_code: number
}

/** The published form of a failure; every member is always there. */
export function failureJson({facts, exitCode}: Failure): FailureJson {
  return {
    code: facts.code ?? facts.exit,
    message: facts.message,
    why: facts.why ?? null,
    try: facts.try ?? null,
    http_status: facts.httpStatus ?? null,
    retryable: facts.retryable ?? false,
    outcome: facts.outcome ?? 'none',
    exit_code: exitCode,
  }
}
