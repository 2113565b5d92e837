import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, type Ran} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import type {GatewayAnswer, Pushed} from '../../support/gateway.js'
import {terminal} from '../answers.js'
import {journalOf} from './requests.js'
import {
  knownKeys,
  made,
  newFile,
  oldFile,
  otherFile,
  type RegisteredConfiguration,
  type Rotated,
  rotated,
  secretLines,
  shownKey,
  stateOf,
} from './rotating.js'

const kidOf = ({headers}: Pushed): string =>
  JSON.parse(Buffer.from(String(headers.authorization).split(/[ .]/u)[1] ?? '', 'base64url').toString()).kid
const newIsRefused = (request: Pushed): GatewayAnswer | undefined =>
  kidOf(request) === 'NEWKEY1234' ? {status: 403, reason: 'InvalidProviderToken'} : undefined

/** The outcomes of the changes in the journal. */
const journaled = (home: string) => journalOf(home).map(({outcome}) => outcome)

describe('a rotation', () => {
  test('proves the old key, registers the new one, reads it back and proves it', async () => {
    const {configuration, service, gateway, ran, home, env} = await rotated({more: ['-o', 'json']})
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(ran.stdout)).toMatchObject({
      application_id: 'app-1',
      rotation: 'proven',
      registered: 'NEWKEY1234',
      ...shownKey('NEWKEY1234'),
      replaced: shownKey('OLDKEY1234'),
      verified: true,
      proof: [{environment: 'production', verdict: 'accepted', reason: 'BadDeviceToken', http_status: 400}],
    })
    expect(service.arrived.map(({method}) => method)).toEqual(['GET', 'GET', 'POST', 'GET', 'GET'])
    expect(gateway.pushed.map(kidOf)).toEqual(['OLDKEY1234', 'NEWKEY1234'])
    expect([configuration.registered, stateOf(home)]).toEqual([shownKey('NEWKEY1234'), 'proven'])
    const audit = await cli(['push', 'audit', '--application-id', 'app-1', '-o', 'json'], {env, home})
    expect(JSON.parse(audit.stdout)).toMatchObject([
      {platform: 'ios', key_id: 'NEWKEY1234', rotation: 'proven'},
      {platform: 'android'},
    ])
    expect(JSON.parse(audit.stdout)[1]).not.toHaveProperty('rotation')
  })

  test('keeps a record without secrets, for its user alone', async () => {
    const {ran, home} = await rotated({more: ['--debug']})
    expect(ran.exit).toBe(0)
    const folder = path.join(home, '.local/state/roomctl')
    const kept = readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .map((name) => path.join(folder, name))
      .filter((file) => statSync(file).isFile())
    for (const file of kept) expect(statSync(file).mode & 0o077).toBe(0)
    const text = kept.map((file) => readFileSync(file, 'utf8')).join('\n') + ran.stdout + ran.stderr
    for (const secret of [...secretLines, 'eyJ', oldFile]) expect(text).not.toContain(secret)
  })

  test('asks for the application, and shows the replaced credential', async () => {
    const {ran, configuration} = await rotated({circumstances: terminal(200, 'app-1')})
    expect(ran).toMatchObject({exit: 0, asked: [expect.stringContaining('Type "app-1" to confirm:')]})
    expect(ran.stderr).toContain('this replaces the iOS key OLDKEY1234 of team TEAM123456 for com.example.rooms')
    expect(configuration.changes).toEqual(['NEWKEY1234'])
    const declined = await rotated({circumstances: terminal(200, 'no')})
    expect([declined.ran.exit, declined.configuration.changes]).toEqual([13, []])
    const script = await rotated({circumstances: {}})
    expect([script.ran.exit, script.service.arrived, script.gateway.pushed]).toEqual([13, [], []])
  })

  test('sends nothing in a dry run, and shows each request', async () => {
    const {ran, configuration, gateway} = await rotated({more: ['--dry-run', '-o', 'json']})
    expect(ran.exit).toBe(0)
    expect(JSON.parse(ran.stdout).map(({operation}: {operation: string}) => operation)).toEqual([
      'push.prove',
      'push.iosKey',
      'push.prove',
    ])
    expect([configuration.changes, gateway.connections()]).toEqual([[], 0])
  })

  test('asks Apple nothing with --no-prove', async () => {
    const {ran, gateway, home} = await rotated({more: ['--no-prove', '-o', 'json']})
    expect([ran.exit, gateway.connections(), stateOf(home)]).toEqual([0, 0, 'registered'])
    expect(JSON.parse(ran.stdout)).toMatchObject({rotation: 'registered', registered: 'NEWKEY1234'})
  })

  test('of a certificate takes its password from a file, as that of the old one', async () => {
    const pem = made.certificate()
    const later = made.certificate({key: 'later', from: '2026-06-01T00:00:00Z', to: '2049-06-01T00:00:00Z'})
    const oldP12 = made.file('old.p12', made.p12({certificates: [pem], password: 'old word'}))
    const newP12 = made.file('new.p12', made.p12({key: 'later', certificates: [later], password: 'new word'}))
    const passwords = ['--rollback-password-file', made.file('old.txt', 'old word\n')]
    const [byNew, wrong] = [made.file('new.txt', 'new word\n'), made.file('wrong.txt', 'wrong\n')]
    const registered = {
      ios_apns_type: 'CERTIFICATE',
      bundle_id: 'com.example.rooms',
      certificate_expiry_date: '2049-12-31',
    }
    const prepare: Rotated['prepare'] = (configuration) => {
      configuration.registered = registered
    }
    const toKey = await rotated({prepare, files: [newFile, oldP12], more: [...passwords, '--team-id', 'TEAM123456']})
    expect([toKey.ran.exit, toKey.configuration.changes]).toEqual([0, ['NEWKEY1234']])
    const files = [newP12, oldP12] as const
    const bad = await rotated({prepare, files, more: [...passwords, '--password-file', wrong]})
    expect([bad.ran.exit, bad.configuration.changes]).toEqual([14, []])
    const foreign = made.p12({
      certificates: [made.certificate({uid: 'com.example.other', to: '2049-03-01T00:00:00Z'})],
      password: '',
    })
    const other = await rotated({prepare, files: [made.file('foreign.p12', foreign), oldP12], more: passwords})
    expect([other.ran.exit, other.configuration.changes]).toEqual([14, []])
    const swapped = await rotated({
      prepare,
      files: [newP12, made.file('foreign.p12', foreign)],
      more: ['--password-file', byNew],
    })
    expect([swapped.ran.exit, swapped.configuration.changes]).toEqual([14, []])
    const after = {...registered, certificate_expiry_date: '2049-06-01'}
    const renewed = await rotated({
      prepare: (configuration) => {
        prepare?.(configuration)
        configuration.carryOut = () => {
          configuration.registered = after
        }
      },
      files,
      more: [...passwords, '--password-file', byNew],
    })
    expect(renewed.ran).toMatchObject({exit: 0, stdout: expect.stringContaining('2049-06-01')})
    expect(renewed.configuration.registered).toEqual(after)
  })
})

describe('where the new credential is not proven, the old one is put back', () => {
  const back = {exit_code: 15, code: 'rolled-back', outcome: 'none', registered: 'OLDKEY1234'}
  const cases: [string, Rotated, object, string[], string | undefined][] = [
    ['Apple refuses it', {gateway: {answer: newIsRefused}}, back, ['NEWKEY1234', 'OLDKEY1234'], 'rolled-back'],
    [
      'Apple does not answer for it',
      {
        gateway: {
          answer: (request) =>
            kidOf(request) === 'NEWKEY1234' ? {status: 500, reason: 'InternalServerError'} : undefined,
        },
      },
      back,
      ['NEWKEY1234', 'OLDKEY1234'],
      'rolled-back',
    ],
    [
      'the service keeps another',
      {
        prepare: (configuration) => {
          const {carryOut} = configuration
          configuration.carryOut = (request) => {
            carryOut.call(configuration, request)
            if (request.path.includes('NEWKEY1234')) configuration.registered = shownKey('FOREIGN123')
          }
        },
      },
      {exit_code: 7, code: 'other-registered', outcome: 'unknown', registered: 'FOREIGN123'},
      ['NEWKEY1234'],
      'begun',
    ],
    [
      'Apple refuses it while somebody registers another',
      {
        gateway: ({configuration}) => ({
          answer: (request) => {
            if (kidOf(request) === 'NEWKEY1234') configuration.registered = shownKey('FOREIGN123')
            return newIsRefused(request)
          },
        }),
      },
      {exit_code: 7, code: 'other-registered', outcome: 'unknown', registered: 'FOREIGN123'},
      ['NEWKEY1234'],
      'registered',
    ],
    [
      'Apple accepts it while somebody registers another',
      {
        gateway: ({configuration}) => ({
          answer: (request) => {
            if (kidOf(request) === 'NEWKEY1234') configuration.registered = shownKey('FOREIGN123')
            return undefined
          },
        }),
      },
      {exit_code: 7, code: 'other-registered', outcome: 'applied', registered: 'FOREIGN123'},
      ['NEWKEY1234'],
      'registered',
    ],
    [
      'nothing can be read any more',
      {
        prepare: (configuration) =>
          (configuration.faults = ({method}, nth) => (method === 'GET' && nth > 2 ? {status: 500} : undefined)),
      },
      {exit_code: 10, code: 'not-read-back', outcome: 'unknown', registered: 'unknown'},
      ['NEWKEY1234', 'OLDKEY1234'],
      'begun',
    ],
    [
      'the old one is refused as well',
      {
        gateway: {answer: newIsRefused},
        prepare: (configuration) =>
          (configuration.faults = ({method, path: address}) =>
            method === 'POST' && address.includes('OLDKEY1234') ? {status: 400} : undefined),
      },
      {exit_code: 15, code: 'not-rolled-back', registered: 'NEWKEY1234'},
      ['NEWKEY1234'],
      'registered',
    ],
  ]

  test('and the error names the registered credential', async () => {
    await everyCase(cases, async (_, options, error, changes, state) => {
      const {ran, configuration, home} = await rotated({...options, more: ['-o', 'json']})
      expect(ran.stdout).toBe('')
      const told = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '').error
      expect(told).toMatchObject(error)
      expect(told.message).toContain(`registered: ${told.registered}`)
      expect([configuration.changes, stateOf(home), ran.exit]).toEqual([changes, state, told.exit_code])
    })
  })

  test('and the journal calls a registration done only if it was read back', async () => {
    const accepted = (id: string) => (configuration: RegisteredConfiguration) => {
      configuration.faults = ({method, path: address}) =>
        method === 'POST' && address.includes(id) ? {status: 200} : undefined
    }
    await everyCase(
      [
        [{prepare: accepted('NEWKEY1234')}, ['unknown', 'done']],
        [{prepare: accepted('OLDKEY1234'), gateway: {answer: newIsRefused}}, ['done', 'unknown']],
        [{}, ['done']],
      ] as const,
      async (options, outcomes) => {
        const {home} = await rotated(options)
        expect(journaled(home)).toEqual(outcomes)
      },
    )
  })

  test('unless the service refused it: then nothing has changed', async () => {
    const {ran, configuration, home} = await rotated({
      prepare: (one) => {
        one.faults = ({method}) => (method === 'POST' ? {status: 400} : undefined)
      },
      more: ['-o', 'json'],
    })
    expect(ran.exit).toBe(8)
    expect(JSON.parse(ran.stderr).error).toMatchObject({outcome: 'none', registered: 'OLDKEY1234'})
    expect([configuration.changes, stateOf(home)]).toEqual([[], 'rolled-back'])
  })

  test('after an answer that was lost, unless the new one is registered', async () => {
    const kept = await rotated({
      prepare: (configuration) => {
        configuration.faults = (request) => {
          if (request.method === 'GET') return undefined
          configuration.carryOut(request)
          return false
        }
      },
    })
    expect([kept.ran.exit, kept.configuration.registered]).toEqual([0, shownKey('NEWKEY1234')])
  })
})

test('a signal while the new one is proven leaves it registered, and says so', async () => {
  const stop = new AbortController()
  const {ran, configuration, home} = await rotated({
    gateway: {
      answer: (request) => {
        if (kidOf(request) !== 'NEWKEY1234') return undefined
        stop.abort()
        return 'silent'
      },
    },
    more: ['--confirm', 'app-1', '-o', 'json'],
    circumstances: {signal: stop.signal},
  })
  const {error} = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '')
  expect(error).toMatchObject({code: 'interrupted', outcome: 'unknown', registered: 'NEWKEY1234'})
  expect([ran.exit, configuration.changes, stateOf(home)]).toEqual([130, ['NEWKEY1234'], 'registered'])
})

describe('of two rotations at once', () => {
  test('the one that comes second sends nothing', async () => {
    let second: Promise<Ran> | undefined
    const {ran, configuration} = await rotated({
      gateway: ({rotate}) => ({
        // The first has read everything, and asks about the old key, until the second has ended.
        answer: async (_, nth) => {
          if (nth === 1) second = rotate(otherFile)
          await second
          return undefined
        },
      }),
    })
    expect(ran.exit).toBe(0)
    const {exit, stdout, stderr} = (await second) ?? {}
    expect({exit, stdout}).toEqual({exit: 7, stdout: ''})
    expect(stderr).toContain('another change of it runs at the same time; nothing was sent\n')
    expect([configuration.changes, configuration.registered]).toEqual([['NEWKEY1234'], shownKey('NEWKEY1234')])
  })

  test('a credential registered meanwhile without a rotation is not replaced', async () => {
    const {ran, configuration} = await rotated({
      gateway: ({configuration}) => ({
        answer: () => {
          configuration.registered = shownKey('FOREIGN123')
          return undefined
        },
      }),
      more: ['-o', 'json'],
    })
    const {error} = JSON.parse(ran.stderr.trim().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({exit_code: 7, code: 'other-registered', outcome: 'none', registered: 'FOREIGN123'})
    expect(configuration.changes).toEqual([])
  })
})

test('a record that is damaged stops a rotation before anything is sent, and an audit only says so', async () => {
  const {home, env} = await rotated()
  const folder = path.join(home, '.local/state/roomctl/rotations')
  const [name = ''] = readdirSync(folder)
  writeFileSync(path.join(folder, name), '{"state": "proven",')
  const line = ['push', 'rotate', otherFile, '--rollback-file', newFile, '--application-id', 'app-1', '--no-prove']
  const ran = await cli([...line, '--confirm', 'app-1', '--allow-assumed'], {home, env})
  expect(ran).toMatchObject({
    exit: 14,
    stderr: expect.stringMatching(/rotations\/\w+\.json is truncated at line 1, column 20/u),
  })
  const audit = await cli(['push', 'audit', '--application-id', 'app-1', '-o', 'json'], {env, home})
  expect(audit).toMatchObject({exit: 0, stderr: expect.stringContaining('is truncated at line 1')})
  expect(JSON.parse(audit.stdout)[0]).not.toHaveProperty('rotation')
})

describe('nothing is sent', () => {
  const unnamed = made.file('old.p8', readFileSync(oldFile))
  const registered =
    (what: object | null): Rotated['prepare'] =>
    (configuration) => {
      configuration.registered = what
    }
  const cases: [string, Rotated, number][] = [
    ['where another key is registered', {prepare: registered(shownKey('FOREIGN123'))}, 14],
    ['where nothing is registered', {prepare: registered(null)}, 14],
    [
      'where the service masks what is registered',
      {prepare: registered({...shownKey('OLD***'), team_id: 'TEAM123456'})},
      14,
    ],
    [
      'where a certificate is registered',
      {
        prepare: registered({
          ios_apns_type: 'CERTIFICATE',
          bundle_id: 'com.example.rooms',
          certificate_expiry_date: '2049-12-31',
        }),
      },
      14,
    ],
    ['where old and new are one', {files: [newFile, made.file('AuthKey_OTHER12345.p8', readFileSync(newFile))]}, 14],
    ['where the old file is cut off', {files: [newFile, made.file('AuthKey_OLDKEY1234 (1).p8', 'PRIVATE')]}, 14],
    ['where the new file is not there', {files: ['nowhere.p8', oldFile]}, 14],
    ['where the old key has no name and nothing proves it', {files: [newFile, unnamed], more: ['--no-prove']}, 14],
    ['where Apple refuses the old key', {gateway: {keys: knownKeys.slice(1)}}, 15],
    ['where Apple is not reached', {gateway: {answer: () => 'silent'}, more: ['--timeout', '2s']}, 10],
    ['where --confirm names another application', {more: ['--confirm', 'app-2'], circumstances: {}}, 13],
    ['where an id is none', {more: ['--key-id', 'short']}, 2],
  ]

  test('and the exit code says why', async () => {
    await everyCase(cases, async (_, options, exit) => {
      const {ran, configuration, home} = await rotated(options)
      expect(ran).toMatchObject({exit, stdout: ''})
      expect([configuration.changes, stateOf(home)]).toEqual([[], undefined])
    })
  })

  test('where the new one is registered already, which is no failure', async () => {
    const {ran, configuration, gateway} = await rotated({
      prepare: registered(shownKey('NEWKEY1234')),
      more: ['-o', 'json'],
    })
    expect([ran.exit, configuration.changes, gateway.connections()]).toEqual([0, [], 0])
    expect(JSON.parse(ran.stdout)).toMatchObject({registered: 'NEWKEY1234', replaced: null})
  })

  test('but an old key without a name is found out by its proof', async () => {
    const {ran, configuration} = await rotated({files: [newFile, unnamed]})
    expect([ran.exit, configuration.changes]).toEqual([0, ['NEWKEY1234']])
  })
})
