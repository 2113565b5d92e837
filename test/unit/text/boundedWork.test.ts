import process from 'node:process'
import {expect, test} from 'vitest'
import {boundedWork, WorkTooLong} from '../../../src/text/boundedWork.js'

test('work without end is stopped, and what it gives or raises is passed on', async () => {
  const forever = () => {
    for (;;);
  }
  await expect(boundedWork(forever, 50)).rejects.toBeInstanceOf(WorkTooLong)
  expect(await boundedWork(() => 7)).toBe(7)
  const raised = new RangeError('mine')
  await expect(boundedWork(() => Promise.reject(raised))).rejects.toBe(raised)
  await expect(
    boundedWork(() => {
      throw raised
    }),
  ).rejects.toBe(raised)
})

test("signals are nobody else's while it lasts, and then as before", async () => {
  const heard = () => undefined
  process.on('SIGTERM', heard)
  const before = process.listeners('SIGTERM')
  expect(await boundedWork(() => process.listenerCount('SIGTERM'))).toBe(0)
  expect(process.listeners('SIGTERM')).toEqual(before)
  process.off('SIGTERM', heard)
})
