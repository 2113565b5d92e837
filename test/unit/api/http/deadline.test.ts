import {expect, test} from 'vitest'
import {Deadline} from '../../../../src/api/http/wire/stopSignal.js'

test('an abort ends all running and later calls, but no finished one', () => {
  const interrupt = new AbortController()
  const begin = () => new Deadline({timeoutMs: 60_000, signal: interrupt.signal})
  const [first, ended, second] = [begin(), begin(), begin()]
  ended.clear()
  interrupt.abort()
  const late = begin()
  const aborted = [first, ended, second, late].map((deadline) => deadline.signal.aborted)
  for (const deadline of [first, second, late]) deadline.clear()
  expect(aborted).toEqual([true, false, true, true])
})

test('calls that end with different signals do not end each other', () => {
  const [one, other] = [new AbortController(), new AbortController()]
  const deadlines = [one, other].map(({signal}) => new Deadline({timeoutMs: 60_000, signal}))
  one.abort()
  const aborted = deadlines.map((deadline) => deadline.signal.aborted)
  for (const deadline of deadlines) deadline.clear()
  expect(aborted).toEqual([true, false])
})
