import {expect, test} from 'vitest'
import {sandboxToken} from '../../src/sandbox/world/world.js'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {page} from './answers.js'
import {live} from './live.js'

/** Runs a line without a profile, on a service that the environment names. */
async function inEnvironment(variables: Record<string, string | undefined> = {}) {
  const {origin, arrived} = await live()
  const env = {ROOMCTL_ROOM_URL: `${origin}/media`, ROOMCTL_ROOM_TOKEN: sandboxToken, ...variables}
  return {origin, arrived, run: (line: string, more = {}) => cli(line, {env: {...env, ...more}})}
}

test('addresses and tokens are trimmed', async () => {
  const {origin, run} = await inEnvironment()
  const values = {ROOMCTL_ROOM_URL: ` ${origin}/media\r\n`, ROOMCTL_ROOM_TOKEN: `\t${sandboxToken}\n`}
  expect(await run('room list -q', values)).toMatchObject({exit: 0, stderr: ''})
})

test('a value that cannot be a token is refused before it is sent, and not repeated', async () => {
  const {arrived, run} = await inEnvironment()
  const values = [
    "'tok-1'",
    '"tok-1"',
    'tok-1"',
    'undefined',
    'null',
    'NULL',
    '<token>',
    '***',
    '$ROOM_TOKEN',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the shell.
    '${ROOM_TOKEN}',
    '$(vault)',
  ]
  await everyCase([...values, '%ROOM_TOKEN%', '{{room_token}}', '`vault`'], async (token) => {
    const {exit, stderr} = await run('room list', {ROOMCTL_ROOM_TOKEN: token})
    expect({exit, stderr}).toEqual({
      exit: 2,
      stderr: expect.stringContaining('ROOMCTL_ROOM_TOKEN cannot be used as a token'),
    })
    if (token.includes('1')) expect(stderr).not.toContain('tok-1')
  })
  expect(arrived).toEqual([])
  expect((await run('room list', {ROOMCTL_ROOM_TOKEN: '$2a$10$tok'})).exit).toBe(4)
})

test('an unknown TZ is refused where local times could be shown or read', async () => {
  const {run} = await inEnvironment()
  await everyCase(['Nowhere/X', ':Nowhere/X', 'Asia/Soul', 'CET-1CEST', ':/nowhere/UTC'], async (TZ) => {
    expect(await run('room list', {TZ})).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('TZ names no time zone'),
    })
    expect((await run('room list --tz utc', {TZ})).exit).toBe(0)
  })
  await everyCase(
    ['', 'UTC', 'UTC0', `:${import.meta.filename}`, 'Asia/Seoul', ':Europe/Berlin', 'US/Eastern', 'EST5EDT'],
    async (TZ) => {
      expect((await run('room list', {TZ})).exit).toBe(0)
    },
  )
})

test('CI names itself where it forbids a question, and CI=false and CI=0 do not forbid', async () => {
  const {run} = await inEnvironment()
  await everyCase(
    [
      ...['room end r-standup', 'room delete r-standup', 'room show', 'room create', 'room send r-standup'],
      ...['attendee block r-standup', 'config init', 'asset sync', 'asset upload'],
      ...['push ios', 'push show', 'push prove', 'push android --package a.b --allow-assumed'],
    ],
    async (line) => {
      expect((await run(line, {CI: 'true'})).stderr).toContain('CI is set, so roomctl does not ask')
      expect((await run(line)).stderr).not.toContain('CI is set')
    },
  )
})

test('advice corrects a value where it was set', async () => {
  const wrong = 'http://rooms.example.com/media'
  const refuse = async () => page(401)
  const advice = async (line: string, env: Record<string, string>) =>
    /try: (.*)/u.exec((await cli(line, {env: {ROOMCTL_ROOM_TOKEN: 'tok-1', ...env}, transport: refuse})).stderr)?.[1]
  await everyCase(
    [
      [{ROOMCTL_ROOM_URL: wrong}, 'export ROOMCTL_ROOM_URL=https://rooms.example.com/media'],
      [{ROOMCTL_ROOM_URL: 'https://u:p@x'}, 'export ROOMCTL_ROOM_URL again, with the right address'],
      [{ROOMCTL_ROOM_URL: '', CI: '1'}, 'set ROOMCTL_ROOM_URL in the settings of the CI job'],
      [
        {ROOMCTL_ROOM_URL: 'https://x.example', CI: '1', ROOMCTL_ROOM_TOKEN: ''},
        'set ROOMCTL_ROOM_TOKEN in the settings of the CI job',
      ],
    ] as [Record<string, string>, string][],
    async (env, expected) => expect(await advice('room list', env)).toBe(expected),
  )
  const {origin} = await live({}, refuse)
  const env = {ROOMCTL_ROOM_URL: origin}
  expect(await advice('room list', env)).toBe('export ROOMCTL_ROOM_TOKEN again, with a new token')
})
