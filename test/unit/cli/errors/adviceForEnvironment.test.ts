import {expect, test} from 'vitest'
import {forEnvironment} from '../../../../src/cli/errors/adviceForEnvironment.js'

const advised = (advice: string) => forEnvironment(advice, (service) => (service === 'push' ? 'a token' : undefined))

test.each([
  ['roomctl config login push', 'set ROOMCTL_PUSH_TOKEN to a new token'],
  [
    'roomctl config login push; if the token is right, ask',
    'set ROOMCTL_PUSH_TOKEN to a new token; if the token is right, ask',
  ],
  ['roomctl config login room', 'roomctl config login room'],
  ['roomctl config login', 'roomctl config login'],
])('%s is advised as %s where the environment holds the token of push', (advice, said) => {
  expect(advised(advice)).toBe(said)
})
