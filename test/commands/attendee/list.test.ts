import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {always, success, terminal} from '../answers.js'

test('lists everybody on the attendee list', async () => {
  const ran = await cli('attendee list r-standup')
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expect(ran.sent.map(({method, path}) => `${method} ${path}`)).toEqual(['GET /media/v1/rooms/r-standup/attendees'])
  expect(ran.stdout).toBe(`USER    HOST  PRESENT  RESERVED  INVITED
ann     yes   yes      yes       no
ben     no    yes      yes       no
김민준  no    yes      yes       no
dora    no    no       yes       no
eve     no    no       no        yes
`)
  expect((await cli('attendee list r-standup', terminal(80))).stdout).toBe(ran.stdout)
  expect((await cli('attendee list r-standup', terminal(200))).stdout).toBe(ran.stdout)
})

test('gives the records to programs untouched', async () => {
  const rows = JSON.parse((await cli('attendee list r-standup -o json')).stdout)
  expect(rows).toHaveLength(5)
  expect(rows[4]).toEqual({user_id: 'eve', is_host: false, is_present: false, is_reserved: false, is_invited: true})
  expect((await cli('attendee list r-standup -o csv --columns user_id,is_host')).stdout).toBe(
    'user_id,is_host\nann,true\nben,false\n김민준,false\ndora,false\neve,false\n',
  )
})

test('--present and --absent choose, and not both', async () => {
  expect((await cli('attendee list r-standup --present -q')).stdout).toBe('ann\nben\n김민준\n')
  expect((await cli('attendee list r-standup --absent -q')).stdout).toBe('dora\neve\n')
  expect(await cli('attendee list r-standup --present --absent')).toMatchObject({exit: 2, sent: []})
})

test('a user without is_present counts as absent', async () => {
  const transport = always(() => success([{user_id: 'ann'}, {user_id: 'ben', is_present: null}]))
  expect((await cli('attendee list r-1 --present -o json', {transport})).stdout).toBe('[]\n')
  expect((await cli('attendee list r-1 --absent -q', {transport})).stdout).toBe('ann\nben\n')
})

test('an empty list is [] for programs and a sentence for people', async () => {
  const transport = always(() => success([]))
  const nobody = {exit: 0, stdout: '', stderr: 'nobody is on the attendee list\n'}
  expect(await cli('attendee list r-1', {transport})).toMatchObject(nobody)
  expect(await cli('attendee list r-1', {transport, ...terminal(80)})).toMatchObject(nobody)
  expect((await cli('attendee list r-1 -o json', {transport})).stdout).toBe('[]\n')
})

test('a room that does not exist ends with 6', async () => {
  expect(await cli('attendee list nope')).toMatchObject({exit: 6, stdout: ''})
})
