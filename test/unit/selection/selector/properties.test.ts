import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import type {RoomSubject} from '../../../../src/selection/selector/field.js'
import {parseSelector} from '../../../../src/selection/selector/selector.js'
import {anyText} from '../../../support/anyText.js'
import {failureOf, unlessRefused} from '../../../support/failures.js'
import {counts, moments, noon, statuses, texts, trees} from './expressions.js'
import {type Facts, holds} from './oracle.js'
import {type Choose, print} from './print.js'

const missing = fc.constant(undefined)
const facts: fc.Arbitrary<Facts> = fc.record({
  status: fc.oneof(fc.constantFrom(...statuses), missing),
  name: fc.oneof(texts, missing),
  id: fc.oneof(texts, missing),
  creator: fc.oneof(texts, missing),
  started: fc.oneof(moments, missing),
  reservedStart: fc.oneof(moments, missing),
  ended: fc.oneof(moments, missing),
  reservedEnd: fc.oneof(moments, missing),
  present: fc.oneof(counts, missing),
  max: fc.oneof(counts, missing),
  public: fc.oneof(fc.boolean(), missing),
  joinable: fc.oneof(fc.boolean(), missing),
})

/** The room the service would show; missing values are left out, null or nonsense. */
function subjectOf(room: Facts, nothing: unknown): RoomSubject {
  const time = (moment: number | undefined) => (moment === undefined ? nothing : new Date(moment).toISOString())
  return {
    room_status: room.status ?? nothing,
    name: room.name ?? nothing,
    room_id: room.id ?? nothing,
    created_by: room.creator ?? nothing,
    start_time: time(room.started),
    reserved_start_time: time(room.reservedStart),
    end_time: time(room.ended),
    reserved_end_time: time(room.reservedEnd),
    present_count: room.present ?? nothing,
    max_attendee_count: room.max ?? nothing,
    is_public: room.public ?? nothing,
    is_joinable: room.joinable ?? nothing,
  }
}

const choosers: fc.Arbitrary<Choose> = fc
  .infiniteStream(fc.nat({max: 11}))
  .map((stream) => (choices: number) => Number(stream.next().value) % choices)

describe('any expression, in any of its spellings', () => {
  it('selects the rooms that a naive reading selects', async () => {
    const nothing = fc.constantFrom(undefined, null, {}, Number.POSITIVE_INFINITY)
    await fc.assert(
      fc.asyncProperty(
        trees,
        choosers,
        fc.array(fc.tuple(facts, nothing), {minLength: 1, maxLength: 8}),
        async (tree, choose, rooms) => {
          const selector = await parseSelector(print(tree, choose))
          for (const [room, absent] of rooms) {
            const selected = holds(tree, room, noon)
            expect(selector.matches(subjectOf(room, absent), new Date(noon))).toBe(selected)
            const {present_count: _, ...row} = subjectOf(room, absent)
            expect([selected, undefined]).toContain(selector.decides(row, new Date(noon)))
          }
        },
      ),
      {numRuns: 500},
    )
  })
})

describe('any text', () => {
  const pieces = fc.constantFrom(
    ...['status', 'name', 'age', 'start', 'present', 'public', 'and', 'or', 'not', 'MEETING', '8h', 'yes', '1', 'now'],
    ...[
      '=',
      '!=',
      '<',
      '>',
      '<=',
      '~',
      '!~',
      '==',
      '!',
      '(',
      ')',
      "'",
      '"',
      '\\',
      ' ',
      '\n',
      '[',
      '*',
      '{9}',
      '^',
      '|',
      '&',
    ],
    ...['회의', '🎉', '\ud800', '\u0000', '\u202e'],
  )
  const garbage = fc.oneof(
    anyText({maxLength: 200}),
    fc.array(pieces, {maxLength: 40}).map((parts) => parts.join('')),
    fc.tuple(fc.constantFrom('name~', "name!~'"), fc.string({unit: 'grapheme-ascii'})).map((parts) => parts.join('')),
  )

  it('is a selector or is refused with a place within the text', async () => {
    await fc.assert(
      fc.asyncProperty(garbage, async (text) => {
        const selector = await unlessRefused(() => parseSelector(text))
        if (selector !== undefined) {
          expect(typeof selector.matches({name: text, room_status: text}, new Date(noon))).toBe('boolean')
          return
        }
        const {facts} = await failureOf(() => parseSelector(text))
        const {message, position = -1, pointer = []} = facts
        expect(message).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        expect(position).toBeGreaterThanOrEqual(0)
        expect(position).toBeLessThanOrEqual(text.length)
        expect(pointer.join('\n')).toMatch(/^.*\n *\^$/u)
      }),
      {numRuns: 700},
    )
  })

  it('as long as it may be is read to its end, whatever is repeated in it, and a longer one is not started', async () => {
    for (const part of [
      '(',
      'not ',
      'name=a and ',
      "name~'a' or ",
      '!',
      '"',
      "'\\\\",
      'name~(a*)*',
      ' ',
      'é',
      '\ud800',
    ]) {
      const text = part.repeat(4096).slice(0, 4096)
      const selector = await unlessRefused(() => parseSelector(text))
      if (selector) continue
      const {position = -1} = (await failureOf(() => parseSelector(text))).facts
      expect(position, part).toBeGreaterThanOrEqual(0)
      expect(position, part).toBeLessThanOrEqual(text.length)
      const {message} = await failureOf(() => parseSelector(`${text} `))
      expect(message).toBe('the selector has 4097 characters; at most 4096 are allowed')
    }
  })

  it('that is any answer of a service never makes a selector fail', async () => {
    const selector = await parseSelector(
      "status=IDLE or name~a or id!~'^b' or age>1h or start<now or end>now or present=0 or public=yes or max!=3",
    )
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(subjectOf(anyRoom, 1))), fc.anything()), (room) => {
        expect(typeof selector.matches(room, new Date(noon))).toBe('boolean')
      }),
      {numRuns: 500},
    )
  })
})

const anyRoom: Facts = {
  status: undefined,
  name: undefined,
  id: undefined,
  creator: undefined,
  started: undefined,
  reservedStart: undefined,
  ended: undefined,
  reservedEnd: undefined,
  present: undefined,
  max: undefined,
  public: undefined,
  joinable: undefined,
}
