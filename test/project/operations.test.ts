import {expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {cli, demoStore} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lines, operationOf} from '../support/operations.js'

test('every operation of the contract has a command that calls it, and the sandbox carries it out', () =>
  everyCase(
    operations.map(({id}) => id),
    async (id) => {
      const store = await demoStore()
      if (id === 'appConfig.update') await cli(lines['appConfig.create'], {store, env: lineEnvironment})
      const {exit, stderr, sent} = await cli(lines[id], {store, env: lineEnvironment})
      expect({exit, stderr: stderr.includes('error')}).toEqual({exit: 0, stderr: false})
      expect(sent.map(({method, path}) => operationOf(method, path)?.id)).toContain(id)
    },
  ))
