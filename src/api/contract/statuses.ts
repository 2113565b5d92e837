import {assetStatuses} from './assetStatuses.js'
import type {Meaning} from './catalogue.js'
import type {Operation, Service} from './operation.js'
import type {OperationId} from './operations.js'
import {pushStatuses} from './pushStatuses.js'
import type {StatusEntry, StatusTable} from './statusEntry.js'

/** A service whose document shows no error codes: its refusals are told apart by HTTP status alone. */
export type CodelessService = Exclude<Service, 'room'>

export const codelessServices: readonly CodelessService[] = ['asset', 'push']

const tables: Readonly<Record<CodelessService, StatusTable>> = {asset: assetStatuses, push: pushStatuses}

/** The service of an operation that answers without error codes; undefined for one that has them. */
export function codelessService({service}: Operation): CodelessService | undefined {
  return service === 'room' ? undefined : service
}

/** What a status means, and whom it means it for. */
export interface StatusCase {
  readonly meaning: Meaning
  /** Ids of operations, and for all the others of a service `every push operation`, `every other push operation`. */
  readonly of: readonly string[]
}

/** The statuses that the table of a service lists: `5xx` stands for all of them. */
export function statusesOf(service: CodelessService): StatusEntry['status'][] {
  return tables[service].entries.map(({status}) => status)
}

/** The meaning of a status of 400 and above for an operation without codes: its own where it has one. */
export function meaningOfStatus(status: number, {id, service}: Operation): Meaning {
  const table = tables[service === 'room' ? 'asset' : service]
  const entry = entryIn(table, status)
  return entry?.for?.[id as OperationId] ?? entry?.general ?? table.other
}

/** Each different meaning of a status, with the services and the operations that share it. */
export function casesOfStatus(status: number): StatusCase[] {
  const cases = new Map<Meaning, string[]>()
  const add = (meaning: Meaning, whom: string) => cases.set(meaning, [...(cases.get(meaning) ?? []), whom])
  for (const service of codelessServices) {
    const {general, for: own = {}} = entryIn(tables[service], status) ?? {general: tables[service].other}
    add(general, `every ${Object.keys(own).length > 0 ? 'other ' : ''}${service} operation`)
    for (const [id, meaning] of Object.entries(own)) add(meaning, id)
  }
  return [...cases].map(([meaning, of]) => ({meaning, of}))
}

function entryIn({entries}: StatusTable, status: number): Omit<StatusEntry, 'status'> | undefined {
  const wanted = status === 410 ? 404 : status >= 500 ? '5xx' : status
  return entries.find((one) => one.status === wanted)
}
