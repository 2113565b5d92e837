import {describe, expect, it} from 'vitest'
import type {RoomSummary} from '../../../src/api/contract/room.js'
import {type RoomConditions, roomFilter} from '../../../src/selection/roomFilter.js'
import {everyCase} from '../../support/everyCase.js'

const now = new Date('2026-11-02T12:00:00Z')
const room: RoomSummary = {
  room_id: 'r-1',
  name: 'test-1',
  room_status: 'MEETING',
  created_by: 'ann',
  start_time: '2026-11-02T03:00:00Z',
}

/** The flag that the room does not match. */
function misfit(conditions: RoomConditions, changes: Partial<RoomSummary> = {}, present?: number) {
  return roomFilter(conditions)?.misfit({...room, ...changes}, now, present)
}

const older = (text: string, hours: number) => ({olderThan: {text, ms: hours * 3_600_000}})

describe('roomFilter', () => {
  it('does not exist without a flag', () => {
    expect(roomFilter({})).toBeUndefined()
    expect(roomFilter({empty: false})).toBeUndefined()
  })

  it('names the first flag that a room does not match, as it was typed', () =>
    everyCase(
      [
        [{status: ['IDLE', 'MEETING']}, {}, undefined],
        [{status: ['IDLE', 'ENDED']}, {}, '--status IDLE,ENDED'],
        [{status: ['IDLE']}, {room_status: undefined}, '--status IDLE'],
        [{match: 'test-*'}, {}, undefined],
        [{match: 'Test-*'}, {}, '--match Test-*'],
        [{match: '*'}, {name: undefined}, '--match *'],
        [{createdBy: 'ann'}, {}, undefined],
        [{createdBy: 'Ann'}, {}, '--created-by Ann'],
        [{createdBy: 'ann'}, {created_by: undefined}, '--created-by ann'],
        [{status: ['MEETING'], match: 'x', createdBy: 'ben'}, {}, '--match x'],
      ] as [RoomConditions, Partial<RoomSummary>, string | undefined][],
      (conditions, changes, flag) => {
        expect(misfit(conditions, changes)).toBe(flag)
      },
    ))

  it('counts the age from the start, and of a RESERVED room from its reserved start', () =>
    everyCase(
      [
        [8, {}, true],
        // The age must be more than the duration.
        [9, {}, false],
        [8, {room_status: 'IDLE'}, true],
        [8, {room_status: 'ENDED'}, true],
        [8, {room_status: 'RESERVED'}, false],
        [8, {room_status: 'RESERVED', start_time: undefined, reserved_start_time: '2026-11-02T03:00:00Z'}, true],
        [0, {room_status: 'RESERVED', reserved_start_time: '2026-11-02T13:00:00Z'}, false],
        [0, {start_time: '2026-11-02T13:00:00Z'}, false],
        [0, {start_time: undefined, reserved_start_time: '2026-11-02T03:00:00Z'}, false],
        [0, {room_status: 'IDLE', start_time: null}, false],
        [0, {start_time: 'yesterday'}, false],
        [0, {start_time: ''}, false],
      ] as [number, Partial<RoomSummary>, boolean][],
      (hours, changes, matches) => {
        expect(misfit(older('8h', hours), changes)).toBe(matches ? undefined : '--older-than 8h')
      },
    ))

  it('takes only MEETING and IDLE rooms without present users as empty', () =>
    everyCase(
      [
        ['MEETING', 0, true],
        ['IDLE', 0, true],
        ['MEETING', 1, false],
        ['MEETING', Number.NaN, false],
        ['RESERVED', 0, false],
        ['ENDED', 0, false],
        ['PAUSED', 0, false],
        [undefined, 0, false],
      ] as [string | undefined, number, boolean][],
      (room_status, present, matches) => {
        expect(misfit({empty: true}, {room_status}, present)).toBe(matches ? undefined : '--empty')
      },
    ))

  it('decides by the row of the list, unless only the detail says who is present', () => {
    const decided = (conditions: RoomConditions, changes: Partial<RoomSummary> = {}) =>
      roomFilter(conditions)?.decides({...room, ...changes}, now)
    expect(decided({match: 'test-*'})).toBe(true)
    expect(decided({match: 'x'})).toBe(false)
    expect(decided({empty: true})).toBeUndefined()
    expect(decided({empty: true, match: 'x'})).toBe(false)
    expect(decided({empty: true}, {room_status: 'RESERVED'})).toBe(false)
    expect([roomFilter({match: 'x'})?.needsDetail, roomFilter({empty: true})?.needsDetail]).toEqual([false, true])
  })
})
