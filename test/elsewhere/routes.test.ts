import {expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {type OperationId, operations} from '../../src/api/contract/operations.js'
import {routeParameters} from '../../src/api/http/route/route.js'
import {routeVariable} from '../../src/storage/profile/resolve.js'
import {writeProfiles} from '../commands/live.js'
import {stageFor} from '../hostile/stage.js'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {stranger} from './stranger.js'

const away = stranger()

/** Paths that might lead to `host`, or out of the address of the service. */
const paths = (host: string) => [
  `//${host}`,
  `/\\${host}`,
  `\\\\${host}`,
  `@${host}`,
  `:80@${host}`,
  `.${host}`,
  `http://${host}`,
  `/http://${host}`,
  `/@${host}`,
  `/%2f%2f${host}`,
  `/%5c${host}`,
  '/../../x',
  '/%2e%2e/%2E%2e/x',
  '/․․/x',
  '/．．/x',
  '/..;/x',
  '/x?to=1',
  '/x#to',
  '/x%00',
  '/x\u0009/',
  '/x\u2028/',
]

test(
  'every operation goes to its service by any route that is taken, and by no other',
  () =>
    everyCase(operations.entries(), async (row, operation) => {
      const {id} = operation
      const {host, heard} = await away
      const stage = await stageFor(operation)
      const asked: string[] = []
      stage.hears = ({url = ''}) => asked.push(url)
      const rest = routeParameters(operation.route).map((name) => `/{${name}}`)
      for (const [at, hostile] of paths(host).entries()) {
        // Every third, as what reads a route is one for all operations: a path meets fourteen of them.
        if ((row + at) % 3 !== 0) continue
        const text = `${operation.method} ${hostile}${rest.join('')}`
        const {env, home} = given(id, text, row % 2 === 0)
        const ran = await cli(lines[id as OperationId], {
          env: {...stage.env, ...env},
          store: memoryStore(),
          ...home,
        })
        expect(ran.exit, text).not.toBe(1)
      }
      expect(heard).toEqual([])
      expectBelow(asked)
    }),
  300_000,
)

/** Every request is for one of the three services, below its address, with no step out of it. */
function expectBelow(asked: readonly string[]): void {
  for (const url of asked) {
    expect(url).toMatch(/^\/(?:media|asset|push)\//)
    expect(decodeURIComponent(url).split(/[/?]/)).not.toContain('..')
  }
}

/** A route by the environment, or by the profile. */
function given(id: string, text: string, isInEnv: boolean) {
  if (isInEnv) return {env: {[routeVariable(id)]: text}, home: {}}
  const home = freshHome()
  writeProfiles(home, {default: {routes: {[id]: text}}})
  return {env: {}, home: {home}}
}

test('a raw call with any path goes to its service', async () => {
  const {host, heard} = await away
  const [operation] = operations
  const stage = await stageFor(operation)
  const asked: string[] = []
  stage.hears = ({url = ''}) => asked.push(url)
  for (const service of ['room', 'asset', 'push']) {
    for (const hostile of paths(host)) {
      const ran = await cli(['api', service, 'GET', hostile], {env: stage.env, store: memoryStore()})
      expect(ran.exit, hostile).not.toBe(1)
    }
  }
  expect(heard).toEqual([])
  expectBelow(asked)
  expect(asked.length).toBeGreaterThan(0)
})
