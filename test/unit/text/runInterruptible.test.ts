import process from 'node:process'
import {expect, test} from 'vitest'
import {runInterruptible} from '../../../src/text/runInterruptible.js'

test('signals reach it alone while it lasts, and then as before', () => {
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
