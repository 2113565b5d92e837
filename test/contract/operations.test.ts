import {describe, expect, test} from 'vitest'
import {operations} from '../../src/api/contract/operations.js'
import {routeParameters} from '../../src/api/http/route/route.js'
import {everyCase} from '../support/everyCase.js'
import {accepts, entryOf} from './entry.js'
import {
  bodyTypes,
  documented,
  documentedOf,
  fieldRows,
  pathSamples,
  samples,
  without,
  witness,
  wrongSample,
} from './witness.js'

/** The operations of the room document; asset.json has the others. */
const ofRooms = operations.filter(({service}) => service === 'room')

describe('the list of operations', () => {
  test('has the numbered endpoints, and then the four without method and path, in the order of the document', () => {
    const numbers = witness.operations.map(({number}) => number)
    const listed = numbers.filter((number) => number !== null)
    expect(numbers).toEqual([...listed.map((_, index) => index + 1), null, null, null, null])
    expect(ofRooms.map(({id}) => documentedOf(id))).toEqual(witness.operations)
  })

  test('has the section, method and path of each', () =>
    everyCase(documented, (id, {number, method, path}) => {
      const entry = entryOf(id)
      expect(entry.service).toBe('room')
      if (number === null) {
        expect(entry.source).toBe('room, Operations outside the list')
        expect(entry.assumed).toMatch(/^docs\/decisions\/\d{4}-[\w-]+\.md$/)
        return
      }
      expect(entry.source).toBe(`room §${number}`)
      expect(entry.assumed).toBeUndefined()
      expect(entry.method).toBe(method)
      // One path writes its parameter {room_Id}; the tool names it as all the others do.
      expect(entry.route).toBe(path?.replace('{room_Id}', '{roomId}'))
    }))

  test('has exactly the documented path and query parameters', () =>
    everyCase(documented, (id, operation) => {
      const entry = entryOf(id)
      const path = pathSamples(operation)
      expect([...routeParameters(entry.route)].sort()).toEqual(Object.keys(path).sort())
      expect(accepts(entry.path, path)).toBe(true)
      expect(accepts(entry.path, {...path, other: 'x'})).toBe(false)
      for (const name of Object.keys(path)) {
        expect(accepts(entry.path, without(path, name))).toBe(false)
        expect(accepts(entry.path, {...path, [name]: ''})).toBe(false)
      }
      expect(accepts(entry.query, samples(operation.query))).toBe(true)
      expect(accepts(entry.query, {})).toBe(true)
      expect(accepts(entry.query, {other: 'x'})).toBe(false)
      for (const [name, type] of Object.entries(operation.query)) {
        expect(accepts(entry.query, {[name]: wrongSample(type)})).toBe(false)
      }
    }))

  test('record.list is a read although it is a POST, and every other POST changes something', () => {
    const reads = ofRooms.filter(({effect}) => effect === 'read').map(({id, method}) => `${id} ${method}`)
    expect(reads).toEqual(['room.list GET', 'room.get GET', 'attendee.list GET', 'record.list POST'])
  })
})

describe('the bodies', () => {
  test('are taken as documented, whole and at their least', () =>
    everyCase(documented, (id, operation) => {
      const {body} = entryOf(id)
      if (operation.body === null) return expect(body).toBeUndefined()
      const whole = samples(bodyTypes(operation))
      const least = Object.fromEntries(
        Object.entries(whole).filter(([name]) => operation.body?.[name]?.required === 'yes'),
      )
      expect(body?.safeParse(whole)).toEqual({success: true, data: whole})
      expect(body?.safeParse(least)).toEqual({success: true, data: least})
    }))

  test('are refused without a required field', () =>
    everyCase(
      fieldRows(({required}) => required === 'yes'),
      (id, name, operation) => {
        expect(accepts(entryOf(id).body, without(samples(bodyTypes(operation)), name))).toBe(false)
      },
    ))

  test('are refused when a field has another type', () =>
    everyCase(
      fieldRows(() => true),
      (id, name, operation, {type}) => {
        const whole = samples(bodyTypes(operation))
        expect(accepts(entryOf(id).body, {...whole, [name]: wrongSample(type)})).toBe(false)
        expect(accepts(entryOf(id).body, {...whole, [name]: null})).toBe(false)
      },
    ))

  test('are refused with a field that the document has not', () =>
    everyCase(
      documented.filter(([, {body}]) => body),
      (id, operation) => {
        expect(accepts(entryOf(id).body, {...samples(bodyTypes(operation)), other: 'x'})).toBe(false)
      },
    ))

  test('an update may name its requester user_id instead, as one example body does', () => {
    const {body} = entryOf('room.update')
    expect(accepts(body, {user_id: 'ann', name: 'Weekly'})).toBe(true)
    expect(accepts(body, {name: 'Weekly'})).toBe(false)
  })
})
