import {describe, expect, test} from 'vitest'
import {type Circumstances, cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {writeProfiles} from '../live.js'
import {type Routed, routed} from './routed.js'
import {asked, literally, serving} from './routedService.js'
import {pushWire} from './wire.js'

/** The ways to set a route: what each adds to the command line, and to its circumstances. */
const ways: Readonly<Record<string, (one: Routed) => {words: readonly string[]; circumstances: Circumstances}>> = {
  'the environment': ({variable, route}) => ({words: [], circumstances: {env: {[variable]: route}}}),
  'the profile': ({id, route}) => {
    const home = freshHome()
    writeProfiles(home, {default: {routes: {[id]: route}}})
    return {words: [], circumstances: {home}}
  },
}

const rows = routed.flatMap((one) => Object.keys(ways).map((way) => [one.id, way, one] as const))

/** Runs the command of an operation with its route set in a way, against a service on a socket. */
async function run(one: Routed, way: string, service = serving(one)) {
  const wire = await pushWire(service)
  const {words = [], circumstances = {}} = ways[way]?.(one) ?? {}
  const ran = await cli(['push', ...one.line, ...words], {
    ...circumstances,
    ...(one.stdin === undefined ? {} : {stdin: one.stdin}),
    env: {...wire.env, [one.variable]: '', ...circumstances.env},
  })
  return {ran, wire}
}

test('the operations are the ten of the document', () => {
  expect(routed).toHaveLength(10)
  expect(new Set(routed.map(({id}) => id)).size).toBe(10)
})

describe('at a route of its own', () => {
  test('every operation is sent to the letter, once', () =>
    everyCase(rows, async (_id, way, one) => {
      const {ran, wire} = await run(one, way)
      expect(ran).toMatchObject({exit: 0})
      const [request, ...more] = asked(wire.arrived).map(literally)
      expect(more).toEqual([])
      const {line, type = '', body} = one.sent
      expect({line: request?.line, type: request?.type, body: request?.body}).toEqual({line, type, body})
      expect(request?.headers).toMatchObject({authorization: 'Bearer token-of-the-test-9c1f'})
    }))

  test('no operation is tried elsewhere where nothing answers', () =>
    everyCase(rows, async (_id, way, one) => {
      const {ran, wire} = await run(one, way, () => ({status: 404}))
      expect(ran).toMatchObject({exit: 6, stdout: ''})
      expect(
        asked(wire.arrived)
          .map(literally)
          .map(({line}) => line),
      ).toEqual([one.sent.line])
      expect(ran.stderr).toContain(`nothing answers at ${one.route}, the route set for ${one.id}`)
    }))
})

test('the environment wins over the profile', async () => {
  const wire = await pushWire(() => ({status: 200, body: []}))
  const home = freshHome()
  const at = (name: string) => `GET /${name}`
  writeProfiles(home, {default: {routes: {'push.records': at('profile')}}})
  const env = {...wire.env, ROOMCTL_ROUTE_PUSH_RECORDS: at('env')}
  const line = ['push', 'records', '--request-id', 'r']
  await cli(line, {home, env})
  await cli(line, {home, env: wire.env})
  expect(wire.arrived.map(({path}) => path)).toEqual(['/push/env?request_id=r', '/push/profile?request_id=r'])
})

test('a route that does not fit sends nothing, wherever it is set', async () => {
  const wire = await pushWire(() => ({status: 204}))
  const route = JSON.stringify({method: 'POST', path: '/v2', send: {request_uuids: 'query'}})
  const line = ['push', 'cancel', 'r-1', '--application-id', 'app-1', '--yes']
  const message = 'a route is only a method and a path, and "send" was removed'
  const env = await cli(line, {env: {...wire.env, ROOMCTL_ROUTE_PUSH_CANCEL: route}})
  const home = freshHome()
  writeProfiles(home, {default: {routes: {'push.cancel': JSON.parse(route)}}})
  const profile = await cli(line, {home, env: wire.env})
  expect([env.exit, profile.exit]).toEqual([2, 3])
  for (const {stderr} of [env, profile]) expect(stderr).toContain(message)
  expect(wire.arrived).toEqual([])
})
