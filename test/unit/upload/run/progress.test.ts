import {beforeEach, describe, expect, test} from 'vitest'
import {Failure} from '../../../../src/failure.js'
import type {UploadEvent} from '../../../../src/upload/model/job.js'
import {UploadProgress} from '../../../../src/upload/run/progress.js'

const mebibyte = 1024 * 1024
let time = 0

beforeEach(() => {
  time = 1_000_000
})

function progress(files: number, bytes: number): UploadProgress {
  const made = new UploadProgress(() => new Date(time))
  made.add([bytes, ...Array(files - 1).fill(0)])
  return made
}

const begun = (key: string, size: number, from = 0): UploadEvent => ({kind: 'begun', key, size, from})
const sent = (key: string, bytes: number): UploadEvent => ({kind: 'sent', key, bytes})
const acked = (key: string, offset: number): UploadEvent => ({kind: 'acked', key, offset})
const failed = (key: string): UploadEvent => ({
  kind: 'failed',
  key,
  failure: new Failure({exit: 'missing', message: 'x'}),
})
const done = (key: string, bytes: number): UploadEvent => ({
  kind: 'done',
  key,
  result: {key, path: key, uuid: 'u', bytes, sha256: 'd', sentBytes: bytes},
})

/** Sends at an even speed for some seconds, and acknowledges nothing. */
function flow(model: UploadProgress, key: string, bytesPerSecond: number, seconds: number): void {
  for (let tick = 0; tick < seconds * 10; tick += 1) {
    time += 100
    model.take(sent(key, bytesPerSecond / 10))
  }
}

describe('the rate', () => {
  test.each([1, 3, 10, 60])('is the speed of an even flow after %i s', (seconds) => {
    const model = progress(1, 1000 * mebibyte)
    model.take(begun('a', 1000 * mebibyte))
    flow(model, 'a', 5 * mebibyte, seconds)
    expect(model.snapshot().rate / (5 * mebibyte)).toBeCloseTo(1, 1)
  })

  test('is counted once, whether bytes were seen leaving or only acknowledged', () => {
    const model = progress(2, 40 * mebibyte)
    model.take(begun('a', 20 * mebibyte))
    flow(model, 'a', mebibyte, 10)
    const before = model.snapshot().rate
    model.take(acked('a', 10 * mebibyte))
    expect(model.snapshot().rate).toBeCloseTo(before, -3)
    const blind = progress(1, 20 * mebibyte)
    blind.take(begun('a', 20 * mebibyte))
    for (let second = 1; second <= 10; second += 1) {
      time += 1000
      blind.take(acked('a', second * mebibyte))
    }
    expect(blind.snapshot().rate / mebibyte).toBeCloseTo(1, 0)
  })

  test('follows a change within about ten seconds', () => {
    const model = progress(1, 1e12)
    model.take(begun('a', 1e12))
    flow(model, 'a', 8e6, 30)
    flow(model, 'a', 1e6, 20)
    expect(model.snapshot().rate).toBeLessThan(2.5e6)
  })
})

describe('the time left', () => {
  test('is shown after three seconds, and counts bytes under way', () => {
    const model = progress(1, 100e6)
    model.take(begun('a', 100e6))
    flow(model, 'a', 10e6, 2)
    expect(model.snapshot().secondsLeft).toBeUndefined()
    flow(model, 'a', 10e6, 2)
    expect(model.snapshot().secondsLeft).toBeCloseTo(6, 0)
  })

  test('does not wait for files that failed', () => {
    const model = progress(2, 200e6)
    model.take(begun('a', 100e6))
    model.take(begun('b', 100e6))
    model.take(failed('b'))
    flow(model, 'a', 10e6, 5)
    expect(model.snapshot().secondsLeft).toBeCloseTo(5, 0)
  })
})

test('many small files beside a large one count as files: in the share, and in the time left', () => {
  const model = progress(101, 10e6 + 100 * 1000)
  model.take(begun('large', 10e6))
  flow(model, 'large', 2e6, 5)
  model.take(done('large', 10e6))
  const {sent, bytes, work, secondsLeft} = model.snapshot()
  expect(sent / bytes).toBeGreaterThan(0.98)
  expect(work.sent / work.bytes).toBeLessThan(0.65)
  expect(secondsLeft).toBeGreaterThan(2)
})

describe('a file that does not move', () => {
  test('is stalled after ten seconds without a byte, and continues with the next', () => {
    const model = progress(1, 100)
    model.take(begun('a', 100))
    model.take(sent('a', 10))
    time += 9_999
    expect(model.snapshot()).toMatchObject({stalled: false, active: [{state: 'sending'}]})
    time += 1
    expect(model.snapshot()).toMatchObject({stalled: true, active: [{state: 'stalled'}]})
    expect(model.snapshot().secondsLeft).toBeUndefined()
    model.take(sent('a', 1))
    expect(model.snapshot()).toMatchObject({stalled: false, active: [{state: 'sending'}]})
  })

  test('waits for a reason that is known, and is stalled only after that', () => {
    const model = progress(1, 100)
    model.take(begun('a', 100))
    model.take({kind: 'waiting', key: 'a', ms: 30_000, why: 'the service asked for it (503)'})
    time += 29_000
    expect(model.snapshot().active).toMatchObject([{state: 'waiting', why: 'the service asked for it (503)'}])
    time += 10_000
    expect(model.snapshot().active).toMatchObject([{state: 'sending'}])
    time += 1_000
    expect(model.snapshot().active).toMatchObject([{state: 'stalled'}])
  })

  test('does not make a run stalled in which another one moves', () => {
    const model = progress(2, 200)
    model.take(begun('a', 100))
    model.take(begun('b', 100))
    time += 20_000
    model.take(sent('b', 1))
    expect(model.snapshot()).toMatchObject({stalled: false, active: [{state: 'stalled'}, {state: 'sending'}]})
  })
})

test('a file keeps its row, and one that begins takes the row of one that ended', () => {
  const model = progress(4, 400)
  for (const key of ['a', 'b', 'c']) model.take(begun(key, 100))
  model.take(done('b', 100))
  expect(model.snapshot().active.map(({name}) => name)).toEqual(['a', 'c'])
  model.take(begun('d', 100))
  expect(model.snapshot().active.map(({name}) => name)).toEqual(['a', 'd', 'c'])
})
