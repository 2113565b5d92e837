import {expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'

/** A home folder whose sandbox has the demonstration rooms. */
async function seededHome(): Promise<string> {
  const home = freshHome()
  expect((await cli('sandbox seed', {home})).exit).toBe(0)
  return home
}

test('the first to enter makes a reserved room begin', async () => {
  const home = await seededHome()
  const ran = await cli('sandbox enter r-townhall ann', {home})
  expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
  expect(ran.stdout).toMatch(/^room r-townhall: ann entered; .*MEETING/)
  const json = await cli('sandbox enter r-townhall ben -o json', {home})
  expect(JSON.parse(json.stdout)).toMatchObject({
    room_id: 'r-townhall',
    user_id: 'ben',
    room_status: 'MEETING',
    host: 'ann',
    present_count: 2,
    notes: ['ben entered'],
  })
})

test('those who would get no token do not enter, with the code and exit of the service', async () => {
  const home = await seededHome()
  for (const [line, exit, code] of [
    ['sandbox enter r-standup dora', 5, 'T001'],
    ['sandbox enter r-retro ann', 7, 'T002'],
    ['sandbox enter r-full zoe', 8, 'CE001'],
    ['sandbox enter nope zoe', 6, 'CE002'],
    ['sandbox enter r-standup ann', 7, 'state'],
  ] as const) {
    const ran = await cli(`${line} -o json`, {home})
    expect(ran).toMatchObject({exit, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({code, exit_code: exit})
  }
})

test('--data takes another sandbox', async () => {
  const home = await seededHome()
  const data = freshHome()
  expect(await cli(['sandbox', 'enter', 'r-townhall', 'ann', '--data', data], {home})).toMatchObject({exit: 6})
  expect((await cli(['sandbox', 'seed', '--data', data], {home})).exit).toBe(0)
  expect((await cli(['sandbox', 'enter', 'r-townhall', 'ann', '--data', data], {home})).exit).toBe(0)
  expect((await cli('sandbox enter r-townhall ann', {home})).exit).toBe(0)
})
