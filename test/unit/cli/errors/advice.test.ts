import {expect, test} from 'vitest'
import {type AdvisedCommand, adviceText} from '../../../../src/advice.js'
import {adviceFor} from '../../../../src/cli/errors/advice.js'

const withProfile = (advice: AdvisedCommand) => adviceText(adviceFor(advice, {profile: 'staging'}))

test.each<[AdvisedCommand, string]>([
  [{command: ['room delete', 'r-1']}, 'roomctl room delete -p staging r-1'],
  [{command: ['room delete', 'standup']}, 'roomctl room delete -p staging standup'],
  [{command: ['room show', 'roomctl room list']}, "roomctl room show -p staging 'roomctl room list'"],
  [{command: ['room show', '김 민준']}, "roomctl room show -p staging '김 민준'"],
  [{sentence: 'check the address', command: ['config list']}, 'check the address: roomctl config list -p staging'],
  [{command: ['doctor'], next: ['room list']}, 'roomctl doctor -p staging && roomctl room list -p staging'],
  [{command: ['config profile use', 'live']}, 'roomctl config profile use live'],
  [{command: ['sandbox seed']}, 'roomctl sandbox seed'],
  [{command: ['room delete', 'r-1', '-p', 'live']}, 'roomctl room delete r-1 -p live'],
  [{command: ['room delete', 'r-1', '--profile', 'live']}, 'roomctl room delete r-1 --profile live'],
  [{command: ['room delete', '--help']}, 'roomctl room delete --help'],
])('%j names the profile as %s', (advice, typed) => {
  expect(withProfile(advice)).toBe(typed)
})

test('the built-in profile is not set up', () => {
  const advice = adviceFor({command: ['config init']}, {profile: 'sandbox'})
  expect(adviceText(advice)).toBe('roomctl config init')
})

test('a sentence stays as it is, whatever it quotes', () => {
  expect(adviceFor('did you mean roomctl room list?', {profile: 'staging'})).toBe('did you mean roomctl room list?')
})

const withVariables = (advice: AdvisedCommand) =>
  adviceText(adviceFor(advice, {isInEnvironment: (service) => service === 'push'}))

test.each<[AdvisedCommand, string]>([
  [{command: ['config login', 'push']}, 'export ROOMCTL_PUSH_TOKEN again, with a new token'],
  [
    {sentence: 'if the token is wrong', command: ['config login', 'push']},
    'if the token is wrong: export ROOMCTL_PUSH_TOKEN again, with a new token',
  ],
  [{command: ['config set', 'push.url', 'https://x/a b']}, "export ROOMCTL_PUSH_URL='https://x/a b'"],
  [{command: ['config login', 'room']}, 'roomctl config login room'],
  [{command: ['config login']}, 'roomctl config login'],
])('%j is advised as %s where the environment has the values of push', (advice, said) => {
  expect(withVariables(advice)).toBe(said)
})
