import {describe, expect, test} from 'vitest'
import {type OperationId, operations} from '../../src/contract/operations.js'
import {matchRoute} from '../../src/http/route.js'
import {cli, demoStore} from '../support/cli.js'

/** A command line for every operation: the type asks for a row for each. */
const lines: Readonly<Record<OperationId, string>> = {
  'room.create': 'room create Standup --created-by ann',
  'room.list': 'room list',
  'room.get': 'room show r-standup',
  'room.update': 'room update r-standup --max 50',
  'room.adminUpdate': 'room update r-standup --admin --application-id app-1 --name Daily',
  'room.delete': 'room delete r-townhall --yes',
  'room.end': 'room end r-standup --yes',
  'room.presenter': 'room presenter r-standup ben',
  'room.delegate': 'room delegate r-standup ben',
  'room.send': 'room send r-standup hello --from ann',
  'attendee.list': 'attendee list r-standup',
  'attendee.add': 'attendee add r-standup carl',
  'attendee.token': 'attendee token r-standup ben',
  'attendee.block': 'attendee block r-standup ben --yes',
  'attendee.restore': 'attendee restore r-standup dora',
  'record.start': 'record start r-standup',
  'record.stop': 'record stop r-support',
  'record.list': 'record list r-retro',
  'appConfig.create': 'config app create --application-id app-1 --max 50',
  'appConfig.update': 'config app update --application-id app-1 --max 50',
}

describe('every operation of the contract', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has a command that calls it, and the sandbox carries it out',
    async (id, {method, route}) => {
      const store = await demoStore()
      if (id === 'appConfig.update') await cli(lines['appConfig.create'], {store})
      const {exit, stderr, sent} = await cli(lines[id], {store})
      expect({exit, stderr: stderr.includes('error')}).toEqual({exit: 0, stderr: false})
      const paths = sent.filter((one) => one.method === method).map(({path}) => path.replace(/^\/media|\?.*$/gu, ''))
      expect(paths.some((path) => matchRoute(route, path) !== undefined)).toBe(true)
    },
  )
})
