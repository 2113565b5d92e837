import {expect, test} from 'vitest'
import {type FinishedRow, FinishedUploads, packIndex, unpackIndex} from '../../../../src/upload/ledger/finished.js'

const idOf = (at: number) =>
  Math.imul(at + 1, 0x9e3779b1)
    .toString(16)
    .replace('-', '')
    .padStart(8, '0')
    .repeat(2)

test('rows that come, go and come again are the same before and after they are packed', () => {
  const expected = new Map<string, FinishedRow>()
  let finished = new FinishedUploads()
  for (let step = 0; step < 3000; step += 1) {
    const at = (step * 7919) % 500
    const id = at % 50 === 0 ? `other-${at}` : idOf(at)
    if (step % 3 === 2) {
      finished.drop(id)
      expected.delete(id)
    } else {
      const row = {id, place: at, entry: step, ...(at % 4 === 0 ? {} : {created: step + 1, done: step + 2})}
      finished.put(row)
      expected.delete(id)
      expected.set(id, row)
    }
    if (step % 97 !== 0) continue
    const {rows, others} = finished.packed()
    const index = unpackIndex(packIndex({others}, rows))
    finished = new FinishedUploads(index?.rows, others)
    expect(finished.all()).toEqual([...expected.values()])
    expect(finished.size).toBe(expected.size)
    expect(finished.find(id)).toEqual(expected.get(id))
  }
  const some = [...expected.values()].filter(({place}) => place < 20)
  expect(finished.placedIn(new Set(some.map(({place}) => place)))).toEqual(some)
  for (const prefix of ['', '9', idOf(3).slice(0, 11), 'other-4', 'none']) {
    const begins = [...expected.values()].filter(({id}) => id.startsWith(prefix))
    expect(finished.startingWith(prefix)).toEqual(begins)
  }
})
