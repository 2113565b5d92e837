import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {looksLikeToken} from '../../../src/redaction/looks.js'
import {sandboxToken} from '../../../src/sandbox/world/world.js'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'
import {live, writeProfiles} from '../live.js'
import {emptyHome} from './home.js'

describe('the guided set-up', () => {
  /** A new profile, for which no file of a colleague is named. */
  const init = (...answers: readonly unknown[]) => terminal(80, '', ...answers)
  /** The answers after those about addresses and tokens, with the room service and without push. */
  const rest = ['', 'host', false]

  test('asks for each service, tries each token, stores at the end and uses the profile', async () => {
    const service = await live()
    const home = emptyHome()
    const {host} = new URL(service.origin)
    const services = [
      `${service.origin}/media`,
      sandboxToken,
      `${service.origin}/asset`,
      sandboxToken,
      `${service.origin}/push`,
      'app-1',
      sandboxToken,
    ]
    const ran = await home.cli('config init', init('live', ...services, 'host', true))
    expect(ran).toMatchObject({exit: 0, stdout: 'profile live is set up and in use\n'})
    expect(ran.asked).toEqual([
      'Profile file from a colleague (empty: none):',
      'Name of the profile:',
      'Address of the room service (empty: none):',
      `Token of the room service on live (${host}), empty to log in later:`,
      'Address of the asset service (empty: none):',
      `Token of the asset service on live (${host}), empty to log in later:`,
      'Address of the push service (empty: none):',
      'Application id (empty: none):',
      `Token of the push service on live (${host}), empty to log in later:`,
      'Make changes as (a user id, host or creator):',
      'Require its name for every change?',
    ])
    // No word is broken at the edge of the window.
    expect(ran.stderr.split('\n').filter((row) => row.length > 80)).toEqual([])
    expect(ran.stderr).toContain('the room service accepts the token: 13 rooms\n')
    expect(ran.stderr).toContain('asset token not checked: it answers 404 for a missing container')
    expect(ran.stderr).toContain('the push service accepts the token: the configuration can be read\n')
    const kept = (token: string) => ({origin: service.origin, store: 'file', token})
    expect(home.file()).toEqual({
      version: 2,
      current: 'live',
      profiles: {
        live: {
          'room.url': `${service.origin}/media`,
          'asset.url': `${service.origin}/asset`,
          'push.url': `${service.origin}/push`,
          applicationId: 'app-1',
          protected: true,
          credentials: {room: kept(sandboxToken), asset: kept(sandboxToken), push: kept(sandboxToken)},
        },
      },
    })
    expect(service.arrived).toEqual([
      'GET /media/v1/rooms',
      'OPTIONS /asset/roomctl-doctor/',
      'GET /push/v1/config?application_id=app-1',
    ])
    expect(ran.stdout + ran.stderr).not.toContain(sandboxToken)
  })

  test('asks again for a token of any service, with the application id that push needs', async () => {
    const services = [
      {name: 'room', path: '/media', before: [], after: ['', '', '', 'host']},
      {name: 'asset', path: '/asset', before: [''], after: ['', '']},
      {name: 'push', path: '/push', before: ['', ''], after: []},
    ] as const
    await everyCase(services, async ({name, path, before, after}) => {
      const service = await live()
      const home = emptyHome()
      const ids = name === 'push' ? ['app-1'] : []
      const answers = [
        ...before,
        `${service.origin}${path}`,
        ...ids,
        'wr0ng-s3cr3t',
        'two words',
        sandboxToken,
        ...after,
        false,
      ]
      const ran = await home.cli('config init -p live', init(...answers))
      expect(ran).toMatchObject({exit: 0, stdout: 'profile live is set up and in use\n'})
      expect(ran.stderr).toContain(`the ${name} service refused this token`)
      expect(ran.stderr).toContain('this cannot be used as a token: it has a space')
      expect(ran.stderr).not.toContain('s3cr3t')
      expect(home.file().profiles.live.credentials[name].token).toBe(sandboxToken)
      expect(service.arrived).toHaveLength(2)
    })
  })

  test('never uses a profile whose token was refused, and says how to finish', async () => {
    const service = await live()
    const home = emptyHome()
    const answers = [`${service.origin}/media`, 'wrong-token', '', '', '', ...rest]
    const ran = await home.cli('config init -p live', init(...answers))
    expect(ran).toMatchObject({exit: 4, stdout: 'profile live is set up, but not in use: room token refused\n'})
    expect(ran.stderr).toContain('to finish: roomctl config login room -p live && roomctl config profile use live\n')
    expect(home.file()).toEqual({version: 2, profiles: {live: {'room.url': `${service.origin}/media`}}})
  })

  test('asks whether to keep an unchecked token, and for another address if not', async () => {
    const service = await live()
    const dead = 'http://127.0.0.1:9'
    const home = emptyHome()
    const answers = [dead, 'tok-1', false, `${service.origin}/media`, sandboxToken, '', '', ...rest]
    const ran = await home.cli('config init -p live', init(...answers))
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('room token not checked: ')
    expect(ran.asked).toContain('Keep the address 127.0.0.1:9 and this token?')
    expect(home.file().profiles.live['room.url']).toBe(`${service.origin}/media`)
    const kept = await home.cli('config init -p late', init(dead, 'tok-1', true, '', '', ...rest))
    expect(kept).toMatchObject({exit: 0, stdout: 'profile late is set up and in use\n'})
    expect(home.file().profiles.late.credentials.room).toEqual({origin: dead, store: 'file', token: 'tok-1'})
  })

  test('accepts any service without an address, but not all, and no token', async () => {
    const address = 'https://service.example.com'
    const services = [
      {key: 'room.url', answers: [address, '', '', '', ...rest]},
      {key: 'asset.url', answers: ['', address, '', '', '', false]},
      {key: 'push.url', answers: ['', '', address, '', '', false]},
    ]
    await everyCase(services, async ({key, answers}) => {
      const home = emptyHome()
      const ran = await home.cli('config init -p one', init(...answers))
      expect(ran).toMatchObject({exit: 0, stdout: 'profile one is set up and in use\n'})
      expect(ran.asked).toHaveLength(answers.length + 1)
      expect(home.file().profiles.one).toEqual({[key]: address})
    })
    const none = emptyHome()
    expect(await none.cli('config init -p none', init('', '', ''))).toMatchObject({exit: 2, stdout: ''})
    expect(() => none.text()).toThrow()
  })

  test('keeps what an existing profile has where nothing is answered', async () => {
    const home = emptyHome()
    writeProfiles(
      home.folder,
      {live: {'asset.url': 'https://a.example.com', timeout: '9s', requester: 'ann'}},
      'sandbox',
    )
    const ran = await home.cli('config init -p live', terminal(80, '', '', '', '', '', false))
    expect(ran.asked[1]).toBe('Address of the asset service (empty: keep https://a.example.com):')
    expect(home.file()).toEqual({
      version: 2,
      current: 'live',
      profiles: {live: {'asset.url': 'https://a.example.com', timeout: '9s', requester: 'ann'}},
    })
  })

  test('stores nothing when it is left before the end', async () => {
    const home = emptyHome()
    const ran = await home.cli('config init -p live', init('https://rooms.example.com', '', 'https://a.example.com'))
    expect(ran.exit).not.toBe(0)
    expect(() => home.text()).toThrow()
  })

  test('sends the token to the address that was typed, whatever the environment holds', async () => {
    const [service, other] = [await live(), await live()]
    const home = emptyHome()
    const env = {NO_COLOR: '1', ROOMCTL_ROOM_URL: `${other.origin}/media`, ROOMCTL_ROOM_TOKEN: 'of-the-environment'}
    const answers = ['', `${service.origin}/media`, sandboxToken, '', '', ...rest]
    const ran = await home.cli('config init -p live', {columns: 80, answers, env})
    expect(ran.exit).toBe(0)
    expect(ran.asked[2]).toContain(`(${new URL(service.origin).host})`)
    expect(service.authorization).toEqual([`Bearer ${sandboxToken}`])
    expect(other.arrived).toEqual([])
  })

  test('questions a requester that looks like a token', async () => {
    const suspicious = ['eyJhbGciOi.eyJzdWIiOiJ4.c2lnbmF0dXJl', 'Bearer abc', 'a1'.repeat(20), 'typed-token']
    await everyCase(suspicious, async (typed) => {
      const home = emptyHome()
      const dead = 'http://127.0.0.1:9'
      const room = ['https://rooms.example.com', '', dead, 'typed-token', true, '', '']
      const ran = await home.cli('config init -p live', init(...room, typed, false, 'ann', false))
      const application = await home.cli(
        'config init -p app',
        init(...room.slice(0, -1), typed, false, 'app-1', 'ann', false),
      )
      expect(application.exit).toBe(0)
      expect(home.file().profiles.app).toMatchObject({applicationId: 'app-1', requester: 'ann'})
      expect(ran.asked).toContain('That looks like a token. Use it as an id?')
      expect(home.file().profiles.live.requester).toBe('ann')
    })
    for (const id of ['ann', 'ann.bee@example.com', 'e3b0c442-98fc-4c14-9afb-f4c8996fb924', 'creator', '김민준']) {
      expect(looksLikeToken(id)).toBe(false)
    }
  })

  describe('the file of a colleague', () => {
    const exported = (settings: object) => ({
      ...{kind: 'roomctl-profile', version: 1, name: 'live', settings},
      routes: {'push.send': 'POST /v2/messages', 'push.show': {method: 'GET', path: '/v2/config'}},
    })
    const fileOf = (folder: string, content: string) => {
      const file = join(folder, 'live.json')
      writeFileSync(file, content)
      return file
    }

    test('brings addresses, settings and routes: only the tokens are asked for', async () => {
      const service = await live()
      const home = emptyHome()
      const settings = {'room.url': `${service.origin}/media`, applicationId: 'app-1', protected: true}
      const file = fileOf(home.folder, JSON.stringify(exported(settings)))
      const ran = await home.cli('config init', terminal(80, file, 'live', sandboxToken))
      expect(ran).toMatchObject({exit: 0, stdout: 'profile live is set up and in use\n'})
      expect(ran.asked.slice(1)).toEqual([
        'Name of the profile:',
        `Token of the room service on live (${new URL(service.origin).host}), empty to log in later:`,
      ])
      expect(ran.stderr).toContain('route.push.send: POST /v2/messages\n')
      expect(home.file()).toMatchObject({
        current: 'live',
        profiles: {live: {...settings, routes: exported({}).routes, credentials: {room: {token: sandboxToken}}}},
      })
      const again = await home.cli('config init', terminal(80, file, 'live', ''))
      expect(again).toMatchObject({exit: 2, stderr: expect.stringContaining('profile live already exists')})
    })

    test('is refused where it is missing, damaged, or no profile', async () => {
      const contents = ['[]', 'x', '{"push.send": "POST /v1"}', JSON.stringify(exported({timeout: 'soon'}))]
      await everyCase(contents, async (content) => {
        const home = emptyHome()
        const ran = await home.cli('config init', terminal(80, fileOf(home.folder, content), 'live', ''))
        expect([2, 14]).toContain(ran.exit)
        expect(() => home.text()).toThrow()
      })
    })
  })

  test('cannot be had without a terminal', async () => {
    const home = emptyHome()
    for (const [line, circumstances] of [
      ['config init', {}],
      ['config init --no-input', terminal(80)],
      ['config init -o json', terminal(80)],
    ] as const) {
      const ran = await home.cli(line, circumstances)
      expect(ran).toMatchObject({exit: 2, stdout: '', asked: []})
    }
    expect(() => home.text()).toThrow()
  })

  test('refuses the name of the sandbox, an invalid one and an invalid address', async () => {
    const home = emptyHome()
    expect((await home.cli('config init', init('sandbox'))).exit).toBe(2)
    expect((await home.cli('config init', init('../x'))).exit).toBe(2)
    expect((await home.cli('config init', init('live', 'not an address'))).exit).toBe(2)
    expect((await home.cli('config init -p sandbox', terminal(80))).exit).toBe(2)
    expect(() => home.text()).toThrow()
  })
})
