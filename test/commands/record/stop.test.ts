import {expect, test} from 'vitest'
import {cli} from '../../support/cli.js'

test('rooms that cannot be recording are left out of those that flags choose, and of the count that is asked for', async () => {
  const line = ['record', 'stop', '--match', '*e*']
  const ran = await cli(line, {answers: ['5']})
  expect(ran.stderr).toContain('skipped 1 RESERVED room, 1 ENDED room\n')
  expect(ran.stderr).not.toMatch(/^r-.*RESERVED/mu)
  expect(ran.asked).toEqual([expect.stringContaining('5 rooms')])
})
