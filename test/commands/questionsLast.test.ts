import {expect, test} from 'vitest'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {terminal} from './answers.js'

/** On a terminal, where each of them would ask: without a service, on the sandbox, and where changes are forbidden. */
const lines: readonly (readonly [line: string, exit: number, error: string])[] = [
  ['push broadcast --at tomorrow -p sandbox', 2, '--at: "tomorrow" is not a time'],
  ['push broadcast --title a --body b --at tomorrow -p sandbox', 2, '--at: "tomorrow" is not a time'],
  ['push broadcast --to LINUX -p sandbox', 2, '--to takes ANDROID, IOS or ALL'],
  ['push modify --to ALL --at tomorrow -p sandbox', 2, '--at: "tomorrow" is not a time'],
  ['push ios no-such-file -p sandbox', 14, 'cannot read no-such-file'],
  ['push android --server-key-file no-such-file -p sandbox', 14, 'cannot read no-such-file'],
  ['push register zoe --token-file no-such-file -p sandbox', 14, 'cannot read no-such-file'],
  ['asset upload games no-such-file -p sandbox', 14, 'cannot upload no-such-file to games: no such file'],
  ['push send --recipients-from no-such-file -p sandbox', 14, 'cannot read no-such-file'],
  ['attendee add --from-file no-such-file -p sandbox', 14, 'cannot read no-such-file'],
  ['room send --file no-such-file -p sandbox', 14, 'cannot read no-such-file'],
  ['room create --start tomorrow -p sandbox', 2, '--start: "tomorrow" is not a time'],
  ['room create Review --end tomorrow -p sandbox', 2, '--end: "tomorrow" is not a time'],
  ['room create Review --max many -p sandbox', 2, '--max'],
  ...['room create', 'room create Review', 'room end', 'asset describe', 'push ios'].map(
    (line) => [line, 3, 'no address is set for the'] as const,
  ),
  ['push broadcast --title a --body b --application-id app-1', 3, 'no address is set for the push service'],
  ['room create -p unknown', 3, 'unknown profile unknown'],
  ['push broadcast -p unknown', 3, 'unknown profile unknown'],
]

test('an error that no answer can solve comes before every question', () =>
  everyCase(lines, async (line, exit, error) => {
    const ran = await cli(line, {...terminal(100, 'x', 'x'), env: {NO_COLOR: '1', ROOMCTL_PROFILE: ''}})
    expect([ran.asked, ran.exit]).toEqual([[], exit])
    expect(ran.stderr).toMatch(/^error: /u)
    expect(ran.stderr).toContain(error)
  }))

test('so do a token that is missing and changes that are forbidden', () =>
  everyCase([['room create'], ['room create Review'], ['push broadcast --title a --body b']], async (line) => {
    const env = {NO_COLOR: '1', ROOMCTL_ROOM_URL: 'http://127.0.0.1:9', ROOMCTL_PUSH_URL: 'http://127.0.0.1:9'}
    const ran = await cli(line, {...terminal(100, 'x', 'x'), env})
    expect([ran.asked, ran.exit]).toEqual([[], 3])
    expect(ran.stderr).toContain('no token')
    const forbidden = await cli(line, {...terminal(100, 'x', 'x'), env: {...env, ROOMCTL_READ_ONLY: '1'}})
    expect([forbidden.asked, forbidden.exit]).toEqual([[], 13])
  }))

test('data that is written on the command line is no file', async () => {
  const words = ['push', 'send', 'ann', '--title', 'T', '--body', 'B', '--data-json', '{"room":"r-1"}', '--dry-run']
  const ran = await cli([...words, '-p', 'sandbox'], {...terminal(100), env: {NO_COLOR: '1', ROOMCTL_PROFILE: ''}})
  expect(ran).toMatchObject({exit: 0, asked: []})
  expect(ran.stdout).toContain('"room":"r-1"')
})

test('a folder to upload leads to a sync, whose platform is still to be named', async () => {
  const ran = await cli('asset upload games . -p sandbox', {
    ...terminal(100),
    env: {NO_COLOR: '1', ROOMCTL_PROFILE: ''},
  })
  expect(ran).toMatchObject({exit: 14, asked: []})
  expect(ran.stderr).toContain('try: roomctl asset sync -p sandbox games .\n')
})
