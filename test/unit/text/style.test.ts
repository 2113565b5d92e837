import {expect, test} from 'vitest'
import {colours, noStyle} from '../../../src/text/text.js'

test('without colour every text is unchanged', () => {
  for (const paint of Object.values(noStyle)) expect(paint('room')).toBe('room')
})

test('the decision counts, with any environment and stdout', () => {
  expect(colours.green('MEETING')).toBe('\u001b[32mMEETING\u001b[39m')
  expect(colours.bold('ID')).toBe('\u001b[1mID\u001b[22m')
  expect(colours.dim('ENDED')).toBe('\u001b[2mENDED\u001b[22m')
})
