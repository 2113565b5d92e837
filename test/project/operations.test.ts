import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Operation} from '../../src/contract/operation.js'
import {type OperationId, operations} from '../../src/contract/operations.js'
import {matchRoute} from '../../src/http/route.js'
import {cli, demoStore, freshHome} from '../support/cli.js'

/** A file to upload. */
const bundle = join(freshHome(), 'level2.bundle')
writeFileSync(bundle, 'the second level')

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
  'asset.list': 'asset list games',
  'asset.info': 'asset info games',
  'asset.create': 'asset create games/chess --description Chess',
  'asset.describe': 'asset describe games Played',
  'asset.options': 'asset methods games',
  'asset.head': 'asset methods games',
  'asset.upload': `asset upload games/puzzle ${bundle} --platform ios --description New`,
  'asset.patch': `asset upload games/puzzle ${bundle} --platform ios --description New`,
  'asset.get': 'asset show games/puzzle/a-level1 --view link',
  'asset.meta': 'asset show games/puzzle/a-level1 --view meta',
  'asset.catalog': 'asset show games/puzzle/a-level1 --view catalog',
  'asset.bytes': 'asset show games/puzzle/a-level1 --view asset',
}

describe('every operation of the contract', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has a command that calls it, and the sandbox carries it out',
    async (id, operation: Operation) => {
      const {method, route, deep, query} = operation
      const store = await demoStore()
      if (id === 'appConfig.update') await cli(lines['appConfig.create'], {store})
      const {exit, stderr, sent} = await cli(lines[id], {store})
      expect({exit, stderr: stderr.includes('error')}).toEqual({exit: 0, stderr: false})
      const urls = sent
        .filter((one) => one.method === method)
        .map(({path}) => new URL(path, 'http://sandbox.localhost'))
      const fits = ({pathname, searchParams}: URL) =>
        matchRoute(route, pathname.replace(/^\/(?:media|asset)/u, ''), deep) !== undefined &&
        query.safeParse(Object.fromEntries(searchParams)).success
      expect(urls.some(fits)).toBe(true)
    },
  )
})
