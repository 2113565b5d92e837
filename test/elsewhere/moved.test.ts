import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../scripts/memoryStore.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {type OperationId, operations} from '../../src/api/contract/operations.js'
import {writeProfiles} from '../commands/live.js'
import {environmentOf, stageFor, token} from '../hostile/stage.js'
import {cli, freshHome} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lines} from '../support/operations.js'
import {type Stranger, stranger} from './stranger.js'

const away = stranger()
const services = ['room', 'asset', 'push'] as const

/** The settings of a profile whose services are at `url`. */
function addresses(url: string): Readonly<Record<string, string>> {
  return {'room.url': `${url}/media`, 'asset.url': `${url}/asset`, 'push.url': `${url}/push`}
}

/** Credentials for `origin`, as a file or a program keeps them. */
function credentials(origin: string, store: 'file' | 'command') {
  const kept = store === 'file' ? {token} : {command: ['print-token']}
  return Object.fromEntries(services.map((service) => [service, {store, origin, ...kept}]))
}

/** Without the addresses of `environmentOf`, and tokens. */
const rest = {...lineEnvironment, ROOMCTL_RETRIES: '0', ROOMCTL_TIMEOUT: '5s', ROOMCTL_PROFILE: 'live'}

function variables(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(environmentOf(url)).filter(([name]) => name.endsWith('_URL')))
}

/** How the address of a service moves from `home` to a stranger, while its token stays. */
const moves: Readonly<Record<string, (home: string, own: string, there: Stranger) => Promise<Record<string, string>>>> =
  {
    'the environment': async (home, own, {url}) => {
      writeProfiles(home, {live: {...addresses(own), credentials: credentials(own, 'file')}})
      return variables(url)
    },
    'the environment, over a token that a program prints': async (home, own, {url}) => {
      writeProfiles(home, {live: {...addresses(own), credentials: credentials(own, 'command')}})
      return variables(url)
    },
    'a profile file that was changed by hand': async (home, own, {url}) => {
      writeProfiles(home, {live: {...addresses(url), credentials: credentials(own, 'file')}})
      return {}
    },
    'an import that replaces the profile': async (home, own, {url}) => {
      writeProfiles(home, {live: {...addresses(own), credentials: credentials(own, 'file')}})
      const imported = {kind: 'roomctl-profile', version: 1, name: 'live', settings: addresses(url)}
      const ran = await cli('config profile import - --overwrite', {home, env: rest, stdin: JSON.stringify(imported)})
      expect(ran).toMatchObject({exit: 0})
      return {}
    },
  }

test(
  'every operation takes no stored token along when the address moves to another origin',
  () =>
    everyCase(operations.entries(), async (row, operation) => {
      const {id} = operation
      const there = await away
      const stage = await stageFor(operation)
      // Every other one: what decides is one for all operations.
      for (const [name, move] of Object.entries(moves).filter((_, at) => (row + at) % 2 === 0)) {
        const home = freshHome()
        const moved = await move(home, stage.url, there)
        const ran = await cli(lines[id as OperationId], {home, env: {...rest, ...moved}, store: memoryStore()})
        expect({name, exit: ran.exit, stdout: ran.stdout}).toEqual({name, exit: 3, stdout: ''})
        expect(ran.stderr).toMatch(
          name.startsWith('an import') ? /no token is stored for the/ : /the token stored for .* is not sent to/,
        )
        expect(ran.stderr).toContain(`try: roomctl config login ${operation.service}`)
      }
      expect(there.heard).toEqual([])
    }),
  300_000,
)

describe('an origin', () => {
  /** The address of the service and the origin that its token is for, on a port that is `port`. */
  const same = [
    ['http://127.0.0.1:PORT', 'http://127.0.0.1:PORT/'],
    ['HTTP://127.0.0.1:PORT', 'http://127.0.0.1:PORT'],
    ['http://LocalHost:PORT', 'http://localhost:PORT'],
  ] as const
  const others = [
    // Refused in any case: parsing would change them.
    ['http://127.1:PORT', 'http://127.0.0.1:PORT'],
    ['http://ｌocalhost:PORT', 'http://localhost:PORT'],
    ['http://localhost:PORT', 'http://127.0.0.1:PORT'],
    ['http://127.0.0.1:PORT', 'http://127.0.0.1'],
    ['http://127.0.0.1:PORT', 'https://127.0.0.1:PORT'],
    ['http://127.0.0.1:PORT', 'http://127.0.0.2:PORT'],
    ['http://[::1]:PORT', 'http://127.0.0.1:PORT'],
    ['http://localhost.:PORT', 'http://localhost:PORT'],
    ['http://127.0.0.1.localhost:PORT', 'http://127.0.0.1:PORT'],
    ['http://аpple.localhost:PORT', 'http://apple.localhost:PORT'],
    ['http://127.0.0.1:PORT@localhost:PORT', 'http://127.0.0.1:PORT'],
  ] as const

  async function asked(address: string, origin: string) {
    const [operation] = operations.filter(({id}) => id === 'room.list')
    const stage = await stageFor(operation as Operation)
    const heads: (string | undefined)[] = []
    stage.hears = ({headers}) => heads.push(headers.authorization)
    const home = freshHome()
    const at = (text: string) => text.replaceAll('PORT', new URL(stage.url).port)
    const room = {store: 'file', origin: at(origin), token}
    writeProfiles(home, {live: {'room.url': `${at(address)}/media`, credentials: {room}}})
    return {heads, ran: await cli('room list -q', {home, env: rest, store: memoryStore()})}
  }

  test.each(same)('written %s is the one of %s, whose token is sent', async (address, origin) => {
    const {heads, ran} = await asked(address, origin)
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(heads).toEqual([`Bearer ${token}`])
  })

  test('that is written otherwise is another, and nothing is sent', () =>
    everyCase(others, async (address, origin) => {
      const {heads, ran} = await asked(address, origin)
      expect(ran).toMatchObject({exit: 3, stdout: ''})
      expect(heads).toEqual([])
    }))
})
