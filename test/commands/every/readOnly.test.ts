import {mkdirSync, readdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import type {PreparedRequest} from '../../../src/api/client/request/request.js'
import type {Operation} from '../../../src/api/contract/operation.js'
import {operations} from '../../../src/api/contract/operations.js'
import {routeVariable} from '../../../src/storage/profile/resolve.js'
import {lines as canaryLines} from '../../canary/lines.js'
import {builtManifest} from '../../support/builtManifest.js'
import {cli, freshHome, type Ran, type Sent} from '../../support/cli.js'
import {lineEnvironment} from '../../support/credentialRoutes.js'
import {everyCase} from '../../support/everyCase.js'
import {lines, operationOf} from '../../support/operations.js'
import {readyFor, terminal} from '../answers.js'
import {live} from '../live.js'

const manifest = await builtManifest()

/** The commands that are refused; what a command has besides its change, as a dry run, is not. That of `api` is in its method. */
const refused: ReadonlySet<string> = new Set([
  ...Object.keys(manifest.commands).filter((id) => manifest.commands[id]?.changes && id !== 'api'),
  ...['push:prove', 'sandbox:start'],
])

const folder = freshHome()
mkdirSync(path.join(folder, 'build'))
writeFileSync(path.join(folder, 'build/level9.bundle'), 'the ninth level')
writeFileSync(path.join(folder, 'routes.yaml'), 'push.iosKey: POST /v2/keys\n')

/** Files that the lines name below the folder they are run in. */
const named =
  /^(?:build|(?:plan|live)\.json|routes\.yaml|report\.(?:txt|json)|(?:level2|left)\.bundle|out\.bin|failed\.txt)$/u

function wordsOf(line: string): string[] {
  const words = line.replaceAll('$IN', folder).replace('PATCH_/', 'PATCH /').split(' ')
  return words.map((word) => (named.test(word) ? path.join(folder, word) : word))
}

/** The operations that change something, of requests that a service got; of any other that does, its method and path. */
function changesIn(sent: readonly Sent[]): string[] {
  return sent.flatMap(({method, path: target}) => {
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method) || target.endsWith('/recordings')
    return isRead ? [] : (operationOf(method, target)?.id ?? `${method} ${target}`)
  })
}

const environment = {...lineEnvironment, ROOMCTL_READ_ONLY: '1'}

/** A terminal without colours. */
const asked = {...terminal(80), env: {...environment, NO_COLOR: '1'}}

function refusal(by: string): string {
  return `error: ${by} forbids every change; nothing was changed\n`
}

/** The files below a folder. */
function filesIn(home: string): string[] {
  return readdirSync(home, {recursive: true, encoding: 'utf8'})
}

const cases: [command: string, line: string, words: string[]][] = Object.entries(canaryLines).flatMap(([id, lines]) =>
  lines.map(({line}): [string, string, string[]] => [id, line, wordsOf(line)]),
)

describe('ROOMCTL_READ_ONLY', () => {
  test('has a line for every command', () => {
    const without = Object.keys(manifest.commands).filter((id) => canaryLines[id] === undefined)
    expect([without, Object.keys(canaryLines).filter((id) => manifest.commands[id] === undefined)]).toEqual([[], []])
  })

  test('sends no change of any command, asks nothing and leaves nothing', () =>
    everyCase(cases, async (id, line, words) => {
      const home = freshHome()
      const isRefused = id === 'api' ? line.includes(' POST ') : refused.has(id)
      const ran = await cli(words, {
        home,
        signal: AbortSignal.timeout(id === 'room:watch' ? 50 : 10_000),
        ...(isRefused ? asked : {env: environment, stdin: ''}),
      })
      expect(changesIn(ran.sent)).toEqual([])
      if (!isRefused) return expect([ran.exit, ran.stderr]).not.toEqual([13, expect.stringContaining('READ_ONLY')])
      expect(ran).toMatchObject({exit: 13, stdout: '', stderr: refusal('ROOMCTL_READ_ONLY'), asked: [], sent: []})
      expect(filesIn(home)).toEqual([])
    }))

  test('is reported before a question for a missing argument', () =>
    everyCase(
      [...refused].filter((id) => id !== 'sandbox:start'),
      async (id) => {
        const ran = await cli(id.split(':'), asked)
        expect(ran).toMatchObject({exit: 13, stderr: refusal('ROOMCTL_READ_ONLY'), asked: [], sent: []})
      },
    ))

  test.each(['1', 'true', 'false', 'no', 'off', ' ', '00', '-'])('forbids with %j', async (value) => {
    for (const line of ['room end r-standup --yes', 'sandbox reset', 'asset forget --all']) {
      const ran = await cli(line, {env: {ROOMCTL_READ_ONLY: value}})
      expect(ran).toMatchObject({exit: 13, stdout: '', stderr: refusal('ROOMCTL_READ_ONLY'), sent: []})
    }
  })

  test.each(['', '0'])('forbids nothing with %j, and allows nothing that a profile forbids', async (value) => {
    const env = {ROOMCTL_READ_ONLY: value}
    expect(await cli('room end r-standup --yes', {env})).toMatchObject({exit: 0})
    const closed = await live({readOnly: true})
    expect(await closed.cli('room end r-standup --yes', {env})).toMatchObject({exit: 13})
    expect(closed.arrived).toEqual([])
  })
})

describe('counted changes', () => {
  const ofEffect = operations.filter(({effect}) => effect !== 'read').map(({id}) => id)

  test('is made where nothing forbids it, and only there', () =>
    everyCase(ofEffect, async (id) => {
      const line = lines[id]
      const allowed = await cli(line, {store: await readyFor(id), env: lineEnvironment})
      expect(new Set(changesIn(allowed.sent))).toContain(id)
      for (const [words, env] of [
        [line, environment],
        [`${line} --read-only`, lineEnvironment],
        [`--read-only ${line}`, lineEnvironment],
      ] as const) {
        const ran = await cli(words, {store: await readyFor(id), env})
        expect({exit: ran.exit, sent: ran.sent}).toEqual({exit: 13, sent: []})
      }
    }))
})

describe('--read-only', () => {
  test('is refused as JSON without advice, and before the profile is', async () => {
    const closed = await live({readOnly: true})
    const ran = await closed.cli('room end r-standup --yes --read-only -o json')
    expect(JSON.parse(ran.stderr).error).toEqual({
      code: 'read-only',
      message: '--read-only forbids every change; nothing was changed',
      why: null,
      service_message: null,
      try: null,
      http_status: null,
      body: null,
      retryable: false,
      outcome: 'none',
      exit_code: 13,
    })
  })

  test('leaves reads and dry runs', async () => {
    for (const line of [
      'room list',
      'record list r-retro',
      'room end r-standup --dry-run',
      'api room GET /v1/rooms/r-standup',
      'api room POST /v1/rooms/r-standup/end --dry-run',
      `asset sync games/puzzle ${path.join(folder, 'build')} --platform ios --dry-run`,
      'config profile add other --room-url https://rooms.example.com',
    ]) {
      const ran = await cli(`${line} --read-only`)
      expect([line, ran.exit, changesIn(ran.sent)]).toEqual([line, 0, []])
    }
  })

  test('of config profile add makes the profile read-only', async () => {
    const home = freshHome()
    const add = 'config profile add support --room-url https://rooms.example.com'
    expect(await cli(`${add} --read-only`, {home, env: {ROOMCTL_READ_ONLY: '1'}})).toMatchObject({exit: 0})
    const listed = await cli('config profile list -o json', {home})
    expect(JSON.parse(listed.stdout)).toContainEqual(expect.objectContaining({name: 'support', read_only: true}))
  })

  test('of a raw request leaves stdin unread', async () => {
    const ran = await cli('api room POST /v1/rooms --input - --read-only')
    expect(ran).toMatchObject({exit: 13, sent: []})
  })
})

describe('a read-only profile', () => {
  const advice = /roomctl config set readOnly false -p live/u
  const ended = async (more: object): Promise<Ran> =>
    (await live({readOnly: true})).cli('room end r-standup --yes', more)

  test('says on a terminal how to switch it off, and nowhere else', async () => {
    expect((await ended(terminal(80))).stderr).toMatch(advice)
    expect((await ended({})).stderr).toBe(
      'error: profile live is read-only; nothing was sent\n  why: a read-only profile sends no changes\n',
    )
  })

  test('leaves data of this machine alone', async () => {
    const closed = await live({readOnly: true})
    expect(await closed.cli('asset forget --all')).toMatchObject({exit: 0})
    expect(await closed.cli('asset forget --all --read-only')).toMatchObject({exit: 13})
  })
})

describe('a read that a route turns into a change', () => {
  const reads: readonly Operation[] = operations.filter(({effect}) => effect === 'read')

  test.each(reads.map((read) => [read.id, read] as const))('is not sent: %s', async (id, read) => {
    const sentWith = async (route: string, env: Readonly<Record<string, string>>) => {
      const words = [...lines[id as keyof typeof lines].split(' ')]
      const {exit, stderr, sent} = await cli(words, {env: {...lineEnvironment, ...env}})
      expect([route, exit, changesIn(sent)]).toEqual([route, 13, []])
      expect(stderr).toContain('READ_ONLY forbids every change')
      expect(stderr).toContain('the route that is set for this read')
    }
    for (const method of ['DELETE', 'POST', 'PUT', 'PATCH']) {
      const route = `${method} ${read.method === 'POST' ? read.route.replace('recordings', 'end') : read.route}`
      await sentWith(route, {ROOMCTL_READ_ONLY: '1', [routeVariable(id)]: route})
    }
  })

  test('is not sent along the route of a profile, and reads go on', async () => {
    const closed = await live({readOnly: true})
    const set = ['config', 'set', 'route.room.list', 'DELETE /v1/rooms/r-retro']
    expect(await closed.cli(set)).toMatchObject({exit: 0})
    expect(await closed.cli('room list')).toMatchObject({
      exit: 13,
      stderr: [
        'error: profile live is read-only; nothing was sent',
        '  why: the route that is set for this read, DELETE /v1/rooms/r-retro, is no read',
        '  try: roomctl config route list -p live\n',
      ].join('\n'),
    })
    expect(closed.arrived).toEqual([])
    expect(await closed.cli('record list r-retro')).toMatchObject({exit: 0})
    expect(closed.arrived).toEqual(['POST /media/v1/rooms/r-retro/recordings'])
  })
})

test('the client itself sends no change where changes are forbidden', async () => {
  const forbidden = new Error('forbidden')
  const isForbidden = (answer: Promise<unknown>) =>
    answer.then(
      () => false,
      (error) => error === forbidden,
    )
  const {Api} = await import('../../../src/api/client/api.js')
  const api = new Api({
    ...({} as ConstructorParameters<typeof Api>[0]),
    assertWritable: () => {
      throw forbidden
    },
  })
  for (const operation of operations) {
    const told = [operation.id, await isForbidden(api.call(operation as Operation, {} as never))]
    expect(told).toEqual([operation.id, operation.effect !== 'read'])
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const told = await isForbidden(api.raw({method, service: 'room'} as PreparedRequest, '', () => expect.fail()))
    expect([method, told]).toEqual([method, !['GET', 'HEAD', 'OPTIONS'].includes(method)])
  }
})
