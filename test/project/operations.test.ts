import {expect, test} from 'vitest'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {matchRoute} from '../../src/api/http/route/route.js'
import {cli, demoStore} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'

test('every operation of the contract has a command that calls it, and the sandbox carries it out', () =>
  everyCase(
    operations.map((operation) => [operation.id, operation] as const),
    async (id, operation: Operation) => {
      const {method, route, catchAll, query} = operation
      const store = await demoStore()
      if (id === 'appConfig.update') await cli(lines['appConfig.create'], {store, env: lineEnvironment})
      const {exit, stderr, sent} = await cli(lines[id], {store, env: lineEnvironment})
      expect({exit, stderr: stderr.includes('error')}).toEqual({exit: 0, stderr: false})
      const urls = sent
        .filter((one) => one.method === method)
        .map(({path}) => new URL(path, 'http://sandbox.localhost'))
      const fits = ({pathname, searchParams}: URL) =>
        matchRoute(route, pathname.replace(/^\/(?:media|asset|push)/u, ''), catchAll) !== undefined &&
        query.safeParse(Object.fromEntries(searchParams)).success
      expect(urls.some(fits)).toBe(true)
    },
  ))
