import process from 'node:process'
import {expect, test} from 'vitest'
import {longTurn} from '../../../src/text/longTurn.js'

test("signals are nobody else's while it lasts, and then as before", () => {
  const heard = () => undefined
  process.on('SIGTERM', heard)
  const before = process.listeners('SIGTERM')
  expect(longTurn(() => process.listenerCount('SIGTERM'))).toBe(0)
  const raised = new RangeError('mine')
  const raising = () => {
    throw raised
  }
  expect(() => longTurn(raising)).toThrow(raised)
  expect(process.listeners('SIGTERM')).toEqual(before)
  process.off('SIGTERM', heard)
})
