import {expect, test} from 'vitest'
import {cli} from '../support/cli.js'

test('--query means JSON where no format is named', async () => {
  const line = ['room', 'list', '--query', '[].{id: room_id, status: room_status}']
  const named = await cli([...line, '-o', 'json'])
  expect(JSON.parse(named.stdout)).toContainEqual({id: 'r-standup', status: 'MEETING'})
  expect(await cli(line)).toMatchObject({exit: 0, stdout: named.stdout})
  expect((await cli([...line, '-o', 'yaml'])).stdout).toContain('- id: r-standup\n')
  expect(await cli([...line, '-o', 'csv'])).toMatchObject({exit: 2, stdout: ''})
})

test('a failure under --query is one JSON object', async () => {
  const ran = await cli(['room', 'show', 'r-gone', '--query', 'name'])
  expect(ran).toMatchObject({exit: 6, stdout: ''})
  expect(JSON.parse(ran.stderr)).toMatchObject({error: {exit_code: 6}})
})

test('-r prints texts without quotes, one a line, and what is no text as JSON', async () => {
  const ids = (await cli('room list --status meeting -q')).stdout
  expect(await cli('room list --status meeting --query [].room_id -r')).toMatchObject({exit: 0, stdout: ids})
  expect((await cli('room show r-standup --query name -r')).stdout).toBe('Daily standup\n')
  expect((await cli('room show r-standup --query max_attendee_count --raw')).stdout).toMatch(/^\d+\n$/u)
  expect((await cli('room show r-standup --query nothing --raw')).stdout).toBe('null\n')
  expect((await cli('room list --query [?room_id==`none`] --raw')).stdout).toBe('')
})

test('-r gives a pipe the text as it is, and a terminal what is safe', async () => {
  const line = ['room', 'show', 'r-standup', '--query', '`"a\\u001b[31mb"`', '-r']
  expect((await cli(line)).stdout).toBe('a\u001b[31mb\n')
  const shown = (await cli(line, {columns: 80})).stdout
  expect(shown).not.toContain('\u001b')
  expect(shown).toContain('a')
})

test.each(['room list -r', 'room list -r -o yaml --query [0]'])(
  '%s is refused before anything is sent',
  async (line) => {
    expect(await cli(line)).toMatchObject({exit: 2, stdout: '', sent: []})
  },
)

test('a list is sorted downwards by a column whose name begins like a flag', async () => {
  const ids = (await cli('room list -q')).stdout.trim().split('\n')
  const downwards = [...ids].sort().reverse()
  for (const sort of ['--sort -room_id', '--sort=-room_id']) {
    expect((await cli(`room list -q ${sort}`)).stdout.trim().split('\n')).toEqual(downwards)
  }
  expect(await cli('room list --sort --utc')).toMatchObject({exit: 2, stdout: ''})
})
