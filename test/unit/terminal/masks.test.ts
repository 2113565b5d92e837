import {expect, test} from 'vitest'
import {Screen} from '../../support/screen.js'

test('every mask of a stream applies, in their order', async () => {
  const {output, writes} = new Screen(80, 24)
  output.masks.push((text) => text.replaceAll('token-of-live', '***'))
  output.masks.push((text) => text.replaceAll('token-of-test', '***'))
  output.masks.push((text) => text.replaceAll('***', '[masked]'))
  await output.write('token-of-live, token-of-test\n')
  expect(writes.join('')).toBe('[masked], [masked]\n')
})

test('masked text is written unchanged', async () => {
  const {output, writes} = new Screen(80, 24)
  output.masks.push((text) => text.replaceAll('CE001', '***'))
  await output.write('CE001\n', true)
  expect(writes.join('')).toBe('CE001\n')
})
