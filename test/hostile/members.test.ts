import {expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {type OperationId, operations} from '../../src/api/contract/operations.js'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {body, nested} from './bodies.js'
import {stageFor} from './stage.js'

type Path = readonly (string | number)[]

/** The value of a member, as JSON; undefined: missing. */
const changes: readonly (string | undefined)[] = [
  undefined,
  'null',
  '7',
  '1e21',
  '1e400',
  '9223372036854775807',
  '""',
  '"2026-13-45T99:99:99+99:99[Mars/Olympus]"',
  'true',
  '[]',
  '[null]',
  '{}',
  '{"__proto__":{"a":1},"toString":null,"then":{},"toJSON":0}',
  nested(400),
]

/** The paths to all values in a value, of lists to those in their first. */
function pathsIn(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return [path, ...(value.length > 0 ? pathsIn(value[0], [...path, 0]) : [])]
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))]
}

/** A value as JSON with something else at a path. */
function changed(value: unknown, path: Path, put: string | undefined): string {
  const [first, ...rest] = path
  if (first === undefined) return put ?? ''
  const inner = (key: string | number, one: unknown) => (key === first ? changed(one, rest, put) : JSON.stringify(one))
  if (Array.isArray(value)) return `[${value.map((one, at) => inner(at, one)).filter((one) => one !== '')}]`
  const members = Object.entries(value as object).map(([key, one]) => [JSON.stringify(key), inner(key, one)])
  return `{${members.filter(([, one]) => one !== '').map((member) => member.join(':'))}}`
}

/** The members of an answer, the whole of it among them; none if it is no JSON. */
function membersOf(text: string): {readonly value: unknown; readonly paths: readonly Path[]} {
  if (!text.startsWith('{') && !text.startsWith('[')) return {value: undefined, paths: []}
  const value: unknown = JSON.parse(text)
  return {value, paths: pathsIn(value)}
}

test(
  'every operation, answered with something else in the place of any member, works or says which',
  {timeout: 600_000},
  () =>
    everyCase(operations, async (operation) => {
      const {id} = operation
      const line = lines[id as OperationId]
      const good = await stageFor(operation)
      await cli(line, {env: good.env, store: memoryStore()})
      const {value, paths} = membersOf(good.answered?.text ?? '')
      if (!('responseFormat' in operation)) expect(paths).not.toEqual([])
      const stage = await stageFor(operation)
      // Each member meets every eleventh change, so that all are met by the members of an answer.
      const cases = paths.flatMap((path, row) =>
        changes.flatMap((put, at) => ((row + at) % 11 === 0 ? [{path, put}] : [])),
      )
      for (const [at, {path, put}] of cases.entries()) {
        const text = changed(value, path, put)
        stage.answer = body(text, {}, good.answered?.status)
        const format: Record<string, string> = {ROOMCTL_OUTPUT: ['table', 'json', 'csv', 'yaml'][at % 4] ?? 'table'}
        const ran = await cli(line, {env: {...stage.env, ...format}, store: memoryStore()})
        const what = `${path.join('.')}: ${put?.slice(0, 40)}`
        expect([0, 6, 7, 8, 10, 11], what).toContain(ran.exit)
        expect(ran.stdout + ran.stderr, what).not.toMatch(/should not|undefined|NaN|\[object|Invalid Date/)
        // Recipients without a push are in the result.
        if (ran.exit !== 0 && ran.exit !== 11)
          expect(ran.stderr, what).toMatch(/error: (?:cannot |.* may have been )|"error":/)
      }
    }),
)
