import {exitOfStatus} from '../client/refusal.js'
import {exits} from '../contract/exits.js'
import {operationById} from '../contract/operations.js'
import {meaningOfStatus, statuses} from '../contract/statuses.js'
import type {Explanation} from '../view/explanation.js'

/** Whether the document of an operation shows error codes; where it shows none, the HTTP status decides (asset, Errors). */
export function hasCodes(operation: string): boolean {
  return (operationById(operation)?.answers ?? 'envelope') === 'envelope'
}

/** What each HTTP status of a refusal means for an operation without codes. */
export function explainStatuses(operation: string): Explanation[] {
  return statuses.map(({status}) => ({
    ...explainStatus(status === '5xx' ? 500 : status, operation),
    code: String(status),
  }))
}

/** What one HTTP status of a refusal means for an operation without codes, or for all of them. */
export function explainStatus(status: number, operation?: string): Explanation {
  const exit = exitOfStatus(status)
  const {condition, why, try: advice} = meaningOfStatus(status)
  return {
    code: `${status}`,
    operations: [operation ?? 'every asset operation'],
    condition,
    why: why ?? null,
    try: advice?.replaceAll('{container}', 'CONTAINER') ?? null,
    exit_code: exits[exit].code,
    exit_meaning: exits[exit].meaning,
    retryable: exit === 'temporary',
  }
}
