import type {Operation} from '../../src/api/contract/operation.js'
import {type OperationId, operations} from '../../src/api/contract/operations.js'
import {matchRoute} from '../../src/api/http/route/route.js'
import {type Change, type ChangeId, rows} from './operationRows.js'

/** The operations that change something, but uploads. */
export const changes: readonly Change[] = Object.entries(rows).flatMap(([id, row]) => {
  if (typeof row === 'string') return []
  const {line, request, ...rest} = row
  const [method = '', path = ''] = request.split(' ')
  // Only changes have such a row.
  return [{...rest, operation: id as ChangeId, line: line.split(' '), method, path}]
})

export const pushChanges = changes.filter(({operation}) => operation.startsWith('push.'))

/** The names of changes, for `everyCase` and `test.each`. */
export const named = changes.map((change) => [change.operation, change] as const)

/** Those that are answered with an envelope. */
export const namedEnveloped = named.filter(([, {plain}]) => !plain)

/** The change of that operation. */
export function changeOf(operation: string): Change {
  const found = changes.find((change) => change.operation === operation)
  if (!found) throw new Error(`no change ${operation}`)
  return found
}

/** The line with its question answered in advance. */
export function answered({word, ...change}: Change): string[] {
  return word === undefined ? withYes(change) : [...change.line, '--confirm', word]
}

/** The line with `--yes`, if it takes that. */
export function withYes({line, asks}: Pick<Change, 'line' | 'asks'>): string[] {
  return asks ? [...line, '--yes'] : [...line]
}

/** stderr without the usual messages of the change. */
export function remarks({says}: Pick<Change, 'says'>, {stderr}: {readonly stderr: string}): string {
  return says === undefined ? stderr : stderr.replace(says, '')
}

const prefixes = {room: '/media', asset: '/asset', push: '/push'} as const

/** The operation of a request, by its method, its path below the prefix of its service, and its query. */
export function operationOf(method: string, target: string): Operation | undefined {
  const {pathname, searchParams} = new URL(target, 'http://service')
  const all: readonly Operation[] = operations
  return all.find(
    ({service, route, catchAll, method: own, query}) =>
      own === method &&
      pathname.startsWith(`${prefixes[service]}/`) &&
      matchRoute(route, pathname.slice(prefixes[service].length), catchAll) !== undefined &&
      query.safeParse(Object.fromEntries(searchParams)).success,
  )
}

/** A command line for every operation, with its questions answered; no word of it has a space. */
export const lines = Object.fromEntries(
  Object.entries(rows).map(([id, row]) => {
    if (typeof row === 'string') return [id, row]
    const line = answered(changeOf(id)).join(' ')
    return [id, row.line.endsWith('app-2') ? `${line} --confirm app-2` : line]
  }),
) as Readonly<Record<OperationId, string>>
