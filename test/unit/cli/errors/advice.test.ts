import {expect, test} from 'vitest'
import {forEnvironment, forProfile} from '../../../../src/cli/errors/advice.js'

const ids = [
  'room:delete',
  'room:list',
  'config:set',
  'config:login',
  'config:list',
  'config:profile:use',
  'doctor',
  'sandbox:seed',
]
const withProfile = (advice: string) => forProfile(advice, 'staging', (id) => ids.includes(id))

test.each([
  ['roomctl room delete r-1', 'roomctl room delete -p staging r-1'],
  ['roomctl room delete standup', 'roomctl room delete -p staging standup'],
  ['roomctl config set push.url https://…', 'roomctl config set -p staging push.url https://…'],
  ['check the address: roomctl config list', 'check the address: roomctl config list -p staging'],
  ['roomctl doctor && roomctl room list', 'roomctl doctor -p staging && roomctl room list -p staging'],
])('%s names the profile as %s', (advice, typed) => {
  expect(withProfile(advice)).toBe(typed)
})

test.each([
  'roomctl config profile use live',
  'roomctl sandbox seed',
  'roomctl room delete r-1 -p live',
  'roomctl room delete r-1 --profile live',
  'roomctl room delete --help',
  'roomctl has no such command',
  'add --yes',
])('%s stays as it is', (advice) => {
  expect(withProfile(advice)).toBe(advice)
})

const withVariables = (advice: string) => forEnvironment(advice, (service) => service === 'push')

test.each([
  ['roomctl config login push', 'export ROOMCTL_PUSH_TOKEN again, with a new token'],
  [
    'roomctl config login push; if the token is right, ask',
    'export ROOMCTL_PUSH_TOKEN again, with a new token; if the token is right, ask',
  ],
  ['roomctl config login room', 'roomctl config login room'],
  ['roomctl config login', 'roomctl config login'],
])('%s is advised as %s where the environment holds the token of push', (advice, said) => {
  expect(withVariables(advice)).toBe(said)
})
