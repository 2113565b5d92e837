import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {instead, isChange, success} from '../answers.js'

test('gives the same token alone on a terminal, with -q and as JSON', async () => {
  const transport = await instead(isChange, [() => success({token: 'tok-en'})])
  expect((await cli('attendee token r-standup ben', {transport, columns: 80})).stdout).toBe('tok-en\n')
  expect((await cli('attendee token r-standup ben -q', {transport})).stdout).toBe('tok-en\n')
  expect(JSON.parse((await cli('attendee token r-standup ben -o json', {transport})).stdout)).toEqual({token: 'tok-en'})
})

test('--name is the participant’s name', async () => {
  const ran = await cli(['attendee', 'token', 'r-standup', '김민준', '--name', '민준'])
  expect(ran.sent[0]).toMatchObject({
    path: '/media/v1/rooms/r-standup/attendees/%EA%B9%80%EB%AF%BC%EC%A4%80/token',
    body: {user_name: '민준'},
  })
})

test('--decode shows the claims of a JWT as well', async () => {
  const ran = await cli('attendee token r-standup ben --decode -o json')
  const {token, claims} = JSON.parse(ran.stdout)
  expect(token).toMatch(/^eyJ/)
  expect(claims).toEqual(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()))
  const people = await cli('attendee token r-standup ben --decode')
  const [first = '', second = ''] = people.stdout.split('\n')
  expect(first).toMatch(/^eyJ/)
  expect(JSON.parse(second)).toMatchObject({room: expect.anything()})
  const exp = await cli('attendee token r-standup ben --decode -o json --query claims.exp')
  expect(Number(exp.stdout)).toBeGreaterThan(Date.parse('2026-12-01T12:00:00Z') / 1000)
})

test.each(['opaque', 'a.b', 'a.b.c', 'eyJ.bm90IGpzb24.x'])(
  'a token of another form (%s) is not lost to --decode',
  async (token) => {
    const transport = await instead(isChange, [() => success({token})])
    const ran = await cli('attendee token r-standup ben --decode', {transport})
    expect(ran).toMatchObject({
      exit: 0,
      stdout: `${token}\n`,
      stderr: 'the token is not a JWT, so it has no claims to show\n',
    })
    const json = await cli('attendee token r-standup ben --decode -o json', {transport})
    expect(JSON.parse(json.stdout)).toEqual({token, claims: null})
  },
)

test.each(['', ' ', '\t\u00a0\n'])('a blank token is a broken answer: %j', async (token) => {
  const transport = await instead(isChange, [() => success({token})])
  const ran = await cli('attendee token r-standup ben -o json', {transport})
  expect(ran).toMatchObject({exit: 10, stdout: ''})
  expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'broken-answer', outcome: 'applied'})
})
