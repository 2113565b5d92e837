import {describe, expect, test} from 'vitest'
import {sandboxToken} from '../../../src/sandbox/world/world.js'
import {terminal} from '../answers.js'
import {live} from '../live.js'
import {emptyHome} from './home.js'

describe('the guided set-up', () => {
  test('stores what was answered, uses it, and tries it out', async () => {
    const service = await live()
    const home = emptyHome()
    const answers = ['live', `${service.origin}/media`, '', '', 'app-1', 'host', true, sandboxToken]
    const ran = await home.cli('config init', terminal(80, ...answers))
    expect(ran).toMatchObject({exit: 0, stdout: 'profile live is set up and in use\n'})
    expect(ran.asked).toEqual([
      'Name of the profile:',
      'Address of the room service:',
      'Address of the asset service (empty: none):',
      'Address of the push service (empty: none):',
      'Application id (empty: none):',
      'Whom to act as: a user id, host or creator:',
      'Protect it, so that every change asks for its name?',
      'Token of the room service (empty: log in later):',
    ])
    expect(ran.stderr).toBe(
      'Each answer can be changed later with roomctl config set.\nthe room service answers: 13 rooms\n',
    )
    expect(home.file()).toEqual({
      version: 1,
      current: 'live',
      profiles: {
        live: {
          'room.url': `${service.origin}/media`,
          applicationId: 'app-1',
          protected: true,
          credentials: {room: {origin: service.origin, store: 'file', token: sandboxToken}},
        },
      },
    })
    expect(service.arrived).toEqual(['GET /media/v1/rooms'])
    expect(ran.stdout + ran.stderr).not.toContain(sandboxToken)
  })

  test('leaves the token for later, and does not call then', async () => {
    const home = emptyHome()
    const answers = ['https://rooms.example.com', 'https://assets.example.com', '', '', 'ann', false, '']
    const ran = await home.cli('config init -p staging', terminal(80, ...answers))
    expect(ran.exit).toBe(0)
    expect(ran.asked).toHaveLength(7)
    expect(home.file().profiles.staging).toEqual({
      'room.url': 'https://rooms.example.com',
      'asset.url': 'https://assets.example.com',
      requester: 'ann',
    })
  })

  test('keeps the profile when the service does not answer as hoped', async () => {
    const service = await live()
    const home = emptyHome()
    const answers = ['live', `${service.origin}/media`, '', '', '', 'host', false, 'wrong-token']
    const ran = await home.cli('config init', terminal(80, ...answers))
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain('the profile is stored, but reading the rooms failed: cannot list the rooms')
    expect(home.file().current).toBe('live')
  })

  test('cannot be had where nobody can be asked', async () => {
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

  test('refuses the name of the sandbox and one that is none', async () => {
    const home = emptyHome()
    expect((await home.cli('config init', terminal(80, 'sandbox'))).exit).toBe(2)
    expect((await home.cli('config init', terminal(80, '../x'))).exit).toBe(2)
    expect((await home.cli('config init -p sandbox', terminal(80))).exit).toBe(2)
    expect(() => home.text()).toThrow()
  })
})

test('an address that is wrong stores nothing', async () => {
  const home = emptyHome()
  const ran = await home.cli('config init', terminal(80, 'live', 'not an address', '', '', '', 'host', false, ''))
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect(() => home.text()).toThrow()
})
