import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {terminal} from '../answers.js'

describe('a word that is nearly one of a few', () => {
  test.each([
    ['room list -o jsn', 'output must be one of table, json', 'did you mean json?'],
    ['config set tokenStore fil -p default', 'tokenStore must be one of file, keyring', 'did you mean file?'],
    ['config set readOnly tru -p default', 'readOnly must be true or false', 'did you mean true?'],
    ['room list --route room.lis=GET', 'unknown operation in --route: room.lis', 'did you mean room.list?'],
    ['completion fihs', 'SHELL takes bash, zsh, fish or powershell', 'did you mean fish?'],
  ])('%s is answered with it, and nothing is done', async (line, message, advice) => {
    const ran = await cli(line)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).toContain(`try: ${advice}`)
  })

  test('is the profile that was most likely meant, which is not used', async () => {
    const home = freshHome()
    mkdirSync(path.join(home, '.config/roomctl'), {recursive: true, mode: 0o700})
    const file = {version: 1, profiles: {staging: {'room.url': 'https://rooms.example.com'}}}
    writeFileSync(path.join(home, '.config/roomctl/config.json'), JSON.stringify(file), {mode: 0o600})
    const ran = await cli('room list -p stagin', {home})
    expect(ran).toMatchObject({exit: 3, stdout: '', sent: []})
    expect(ran.stderr).toBe('error: unknown profile stagin\n  try: -p staging\n')
    expect((await cli('room list -p sandbx', {home})).stderr).toContain('try: -p sandbox')
  })

  test('is a room, once for all rooms of a run that are missing', async () => {
    const ran = await cli('room end r-standup bord r-tset-1 Interveiw --yes --concurrency 1')
    expect(ran.exit).toBe(11)
    const cells = ran.stdout.split('\n').map((line) => line.split(/ {2,}/u))
    expect(cells.map(([id, outcome, , error]) => [id, outcome, error]).slice(1, -1)).toEqual([
      ['r-standup', 'done', '-'],
      ['bord', 'failed', 'it does not exist (CE002)'],
      ['r-tset-1', 'failed', 'it does not exist (CE002); did you mean r-test-1?'],
      ['Interveiw', 'failed', 'it does not exist (CE002); did you mean r-full "Interview"?'],
    ])
    expect(
      ran.sent.map(({method, path}) => `${method} ${path}`).filter((call) => /rooms\/?(\?|$)/u.test(call)),
    ).toEqual(['GET /media/v1/rooms'])
    expect(ran.sent.at(-1)?.path).toBe('/media/v1/rooms')
    const stopped = await cli('record stop nope r-tset-1 --yes -o json --query [].error.why')
    expect(JSON.parse(stopped.stdout)[1]).toBe('did you mean r-test-1?')
  })

  test('is what a room and a user mean that are swapped, or a user alone', async () => {
    const missing = (room: string) => `error: cannot read room ${room}: it does not exist (CE002)\n`
    expect(await cli('attendee why gina r-full')).toMatchObject({
      exit: 6,
      stderr: `${missing('gina')}  why: the arguments look swapped: r-full is a room\n  try: roomctl attendee why r-full gina\n`,
    })
    expect(await cli('attendee block zoe r-full --yes', {})).toMatchObject({
      exit: 6,
      stderr: expect.stringContaining('\n  try: roomctl attendee block r-full zoe --yes\n'),
    })
    expect((await cli('attendee why gina', terminal(80))).stderr).toContain(
      '\n  try: if it is a user: roomctl attendee find gina\n',
    )
  })

  test('a word that is near none of them may be a secret and is not repeated', async () => {
    const ran = await cli('room list --route s3cr3t-value')
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain('--route requires an operation\n')
    expect(ran.stderr).not.toContain('s3cr3t')
  })
})
