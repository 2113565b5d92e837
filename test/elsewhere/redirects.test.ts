import {expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import {type OperationId, operations} from '../../src/api/contract/operations.js'
import {proxyFor, throughProxy} from '../hostile/proxy.js'
import {stageFor, token} from '../hostile/stage.js'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {type Stranger, stranger} from './stranger.js'

const away = stranger()
const proxy = proxyFor()
const statuses = [300, 301, 302, 303, 307, 308] as const

/** Places that an answer sends on to; `own` is the address that was asked. */
const places: Readonly<Record<string, (own: URL, {url, host}: Stranger) => string>> = {
  'another port': (own, {url}) => `${url}${own.pathname}`,
  'another scheme': (own) => `https://${own.host}${own.pathname}`,
  'another host without a scheme': (own, {host}) => `//${host}${own.pathname}`,
  'another host behind backslashes': (own, {host}) => `\\\\${host}${own.pathname}`,
  'another host behind a name and a password': (own, {host}) => `http://${own.host}@${host}/`,
  'another host with a trailing dot': (own) => `http://${own.hostname}.:${own.port}/`,
  'a path of its own': () => '/elsewhere',
  'a path below': (own) => `${own.pathname}/below`,
  nowhere: () => '',
}

test(
  'every operation is not sent on by a redirect, wherever it leads',
  () =>
    everyCase(operations.entries(), async (row, operation) => {
      const {id} = operation
      const there = await away
      const stage = await stageFor(operation)
      // A third of them each, as what reads a redirect is one for all operations: a place meets fourteen of them.
      const its = Object.entries(places).filter((_, at) => (row + at) % 3 === 0)
      for (const [at, [name, place]] of its.entries()) {
        const status = statuses[(row + at) % statuses.length] ?? 302
        stage.asked = 0
        const heads: string[] = []
        stage.answer = (response, request) => {
          heads.push(`${request.method} ${request.url}`)
          const location = place(new URL(request.url ?? '', stage.url), there)
          response.writeHead(status, {location, refresh: `0; url=${there.url}`, link: `<${there.url}>; rel=next`}).end()
        }
        const home = freshHome()
        const env = (row + at) % 2 === 0 ? stage.env : throughProxy(await proxy, stage.env, home)
        const ran = await cli(lines[id as OperationId], {env, home, store: memoryStore()})
        // One of the two that list the methods of a container is enough.
        const isEither = id === 'asset.options' || id === 'asset.head'
        expect({name, exit: ran.exit}).toEqual({name, exit: isEither ? 0 : 10})
        expect(ran.stderr).toMatch(/redirect/)
        expect(new Set(heads).size, `${name}: ${heads.join(', ')}`).toBe(1)
      }
      expect(there.heard).toEqual([])
      expect(JSON.stringify((await proxy).seen)).not.toContain(token)
    }),
  300_000,
)

test('a proxy sees where requests go, and nothing of them', async () => {
  const {seen} = await proxy
  expect(seen.length).toBeGreaterThan(20)
  for (const head of seen)
    expect(head).toMatch(
      /^CONNECT service\.test:\d+ host service\.test:\d+ proxy-connection keep-alive( connection keep-alive)?$/i,
    )
})
