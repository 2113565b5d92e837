import {describe, expect, test} from 'vitest'
import {checkServiceToken} from '../../../../src/features/doctor/service.js'
import {everyCase} from '../../../support/everyCase.js'

const now = new Date('2026-12-01T12:00:00Z')

describe('a token', () => {
  const origin = 'https://rooms.example.com'
  const jwt = (exp: number) => ['e30', Buffer.from(JSON.stringify({exp})).toString('base64url'), 'sig'].join('.')
  const kept = (stored?: Parameters<typeof checkServiceToken>[2]['stored'], inEnvironment?: string) => ({
    stored,
    inEnvironment,
  })

  test('is told wherever it is, and never shown', () =>
    everyCase(
      [
        ['in the environment', kept(undefined, 'canary-token'), 'ok', 'from ROOMCTL_ROOM_TOKEN'],
        ['in the profile', kept({store: 'file', origin, token: 'canary-token'}), 'ok', 'in the profile'],
        ['in the keyring', kept({store: 'keyring', origin}), 'ok', 'in the keyring'],
        ['of a command', kept({store: 'command', origin, command: ['op', 'canary-token']}), 'ok', 'printed by op'],
        ['that is nowhere', kept(), 'fail', 'none for'],
        [
          'for another origin',
          kept({store: 'file', origin: 'https://b.example.com', token: 'canary-token'}),
          'fail',
          'not sent to',
        ],
        [
          'that has ended',
          kept({store: 'file', origin, token: jwt(1_764_000_000)}),
          'fail',
          'it expired on 2025-11-24',
        ],
        ['that ends later', kept(undefined, jwt(1_900_000_000)), 'ok', 'from ROOMCTL_ROOM_TOKEN'],
      ],
      (_where, where, state, what) => {
        const found = checkServiceToken('room', origin, where, now)
        expect(found).toMatchObject({check: 'room token', state, what: expect.stringContaining(what)})
        expect(JSON.stringify(found)).not.toContain('canary')
        if (state === 'fail') expect(found.fix).toContain('roomctl config login room')
      },
    ))
})
