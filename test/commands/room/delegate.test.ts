import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'

test('refusals come with what would help', async () => {
  const absent = await cli('room delegate r-standup eve')
  expect(absent).toMatchObject({exit: 8, stdout: ''})
  expect(absent.stderr).toContain('try: roomctl attendee list r-standup --present\n')
  expect(await cli('room delegate r-standup zoe')).toMatchObject({exit: 6, stdout: ''})
  const idle = await cli('room delegate r-review ben')
  expect(idle).toMatchObject({exit: 7, stdout: ''})
  expect(idle.stderr).toContain('it is IDLE')
})
