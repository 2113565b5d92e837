import {exitOfStatus} from '../../api/client/failures/refusal.js'
import type {Meaning} from '../../api/contract/catalogue.js'
import {exits} from '../../api/contract/exits.js'
import type {Operation} from '../../api/contract/operation.js'
import {
  type CodelessService,
  casesOfStatus,
  codelessService,
  meaningOfStatus,
  statusesOf,
} from '../../api/contract/statuses.js'
import {fillAdvice} from '../../api/rules/templates.js'
import type {Explanation} from '../../view/tool/explanation.js'

/** An operation whose document shows no error codes: the HTTP status decides there (product §3). */
export interface Codeless {
  readonly operation: Operation
  readonly service: CodelessService
}

/** The operation, where its service has no codes. */
export function withoutCodes(operation: Operation): Codeless | undefined {
  const service = codelessService(operation)
  return service && {operation, service}
}

/** Why statuses are explained where somebody may expect codes. */
export function noCodes({service}: Codeless): string {
  return `the ${service} document shows no error codes; the HTTP status says what is wrong`
}

/** What each HTTP status of a refusal means for an operation without codes. */
export function explainStatuses({operation, service}: Codeless): Explanation[] {
  return statusesOf(service).map((status) => explainStatus(status, operation))
}

/** What one HTTP status of a refusal means for an operation without codes. */
export function explainStatus(status: number | '5xx', operation: Operation): Explanation {
  return explanation(status, meaningOfStatus(status === '5xx' ? 500 : status, operation), [operation.id])
}

/** What one HTTP status of a refusal means to every service without codes, and to operations that say more. */
export function explainEverywhere(status: number): Explanation[] {
  return casesOfStatus(status).map(({meaning, of}) => explanation(status, meaning, of))
}

function explanation(status: number | '5xx', meaning: Meaning, operations: readonly string[]): Explanation {
  const exit = exitOfStatus(status === '5xx' ? 500 : status)
  const {condition, why, try: advice} = meaning
  return {
    code: `${status}`,
    operations,
    condition,
    why: why ?? null,
    // Without a call there are no values: the names of the arguments stand in.
    try: advice === undefined ? null : fillAdvice(advice, {}),
    exit_code: exits[exit].code,
    exit_meaning: exits[exit].meaning,
    retryable: exit === 'temporary',
  }
}
