import {describe, expect, test} from 'vitest'
import {layouts} from '../../src/api/contract/record.js'
import {readReply} from '../../src/api/contract/replyParser.js'
import {hostSelectionTypes} from '../../src/api/contract/shapes.js'
import {roomStates} from '../../src/api/contract/states.js'
import {everyCase} from '../support/everyCase.js'
import {accepts, entryOf} from './entry.js'
import {bodyTypes, documented, documentedOf, replySample, samples, witness, wrongSample} from './witness.js'

describe('the replies', () => {
  const withReply = documented.filter(([, {reply}]) => reply !== null)

  test.each(withReply)('%s gives the documented fields back as they came', (id, operation) => {
    const reply = replySample(operation)
    expect(entryOf(id).reply.safeParse(structuredClone(reply))).toEqual({success: true, data: reply})
    expect(readReply(entryOf(id).reply, structuredClone(reply))).toEqual({success: true, data: reply})
  })

  test.each(withReply)('%s refuses a field of another type, and names it', (id, operation) => {
    const [resource = ''] = operation.reply?.split('[]') ?? []
    const isList = operation.reply?.endsWith('[]') ?? false
    for (const [name, type] of Object.entries(witness.resources[resource] ?? {})) {
      const row = {...samples(witness.resources[resource] ?? {}), [name]: wrongSample(type)}
      const reading = readReply(entryOf(id).reply, isList ? [row] : row)
      expect(reading).toEqual({success: false, path: isList ? [0, name] : [name]})
    }
  })

  test.each(withReply)('%s keeps fields that the document does not name', (id, operation) => {
    const [resource = ''] = operation.reply?.split('[]') ?? []
    const row = {...samples(witness.resources[resource] ?? {}), other: {deep: [1, null]}}
    const value = operation.reply?.endsWith('[]') ? [row] : row
    expect(readReply(entryOf(id).reply, structuredClone(value))).toEqual({success: true, data: value})
  })

  test('are the bare envelope where the document shows no more', () =>
    everyCase(
      documented.filter(([, {reply}]) => reply === null),
      (id) => {
        for (const data of [undefined, null, {}, []]) {
          expect(readReply(entryOf(id).reply, data)).toEqual({success: true, data: undefined})
        }
      },
    ))
})

describe('the enumerations', () => {
  test('have the documented values, in their order', () => {
    expect({room_status: roomStates, layout: layouts, host_selection_type: hostSelectionTypes}).toEqual(
      witness.enumerations,
    )
  })

  test('a request takes no other value, and a reply takes any', () => {
    const start = samples(bodyTypes(documentedOf('record.start')))
    const room = samples(witness.resources.Room ?? {})
    const news = {...room, room_status: 'PAUSED', host_selection_type: 'LOTTERY'}
    expect(accepts(entryOf('record.start').body, {...start, layout: 'speaker'})).toBe(false)
    expect(readReply(entryOf('room.get').reply, structuredClone(news))).toEqual({success: true, data: news})
  })
})
