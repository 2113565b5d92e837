import {expect, test} from 'vitest'
import {noStyle, styleOf} from '../../../src/text/text.js'

test('without colour every text is unchanged', async () => {
  expect(await styleOf(false)).toBe(noStyle)
  for (const paint of Object.values(noStyle)) expect(paint('room')).toBe('room')
})

test('the flag decides, in any environment', async () => {
  const style = await styleOf(true)
  expect(style.green('MEETING')).toBe('\u001b[32mMEETING\u001b[39m')
  expect(style.bold('ID')).toBe('\u001b[1mID\u001b[22m')
  expect(style.dim('ENDED')).toBe('\u001b[2mENDED\u001b[22m')
})
