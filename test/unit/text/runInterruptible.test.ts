import process from 'node:process'
import {expect, test} from 'vitest'
import {runInterruptible} from '../../../src/text/runInterruptible.js'

test('takes the signals while it runs, and restores the listeners', () => {
  const heard = () => undefined
  process.on('SIGTERM', heard)
  const before = process.listeners('SIGTERM')
  expect(runInterruptible(() => process.listenerCount('SIGTERM'))).toBe(0)
  const raised = new RangeError('mine')
  const raising = () => {
    throw raised
  }
  expect(() => runInterruptible(raising)).toThrow(raised)
  expect(process.listeners('SIGTERM')).toEqual(before)
  process.off('SIGTERM', heard)
})
