import {describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import type {Change} from '../support/operationRows.js'
import {changes} from '../support/operations.js'
import {asNamed, cut, type Effect, leaveNothing, play, type Sight, type Verdict} from './faultyService.js'

function having(text: string, members: object): string {
  const {status, data} = JSON.parse(text)
  return JSON.stringify({status, data: {...data, ...members}})
}

/** Two seconds after every sending. */
const since = {created_by: 'zoe', start_time: '2026-12-01T12:00:02Z', reserved_start_time: '2026-12-01T12:00:02Z'}
const anHourAgo = {room_status: 'ENDED', end_time: '2026-12-01T11:00:00'}

/** With it the operations about whose outcome this sight says nothing, or else it is known as without it. */
const sights: readonly (readonly [string, Sight, RegExp])[] = [
  ['another room', ({now, before}) => having(now ?? before, {room_id: 'r-other'}), /^/u],
  ['a new room with its id', ({now, before}) => having(now ?? before, since), /^/u],
  ['a stale room for a second', ({now, before, reads}) => (reads < 3 ? before : now), /^$/u],
  ['a room that ended an hour ago', ({now}) => now && having(now, anHourAgo), /^room\.end$/u],
  ['no room for one read', ({now, reads}) => (reads === 1 ? undefined : now), /^(?!room\.delete$)/u],
]

/** The changes that a read proves against one before, and those that it can only disprove. */
const [proven, disproven] = [
  /^room\.(?:update|delete|end|delegate)$/u,
  /^(?:room\.adminUpdate|attendee\.(?:add|block))$/u,
]

function expectedVerdict(operation: string, effect: Effect, wasRead: boolean): Verdict {
  if (effect === 'never') return proven.test(operation) || disproven.test(operation) ? 'failed' : 'unknown'
  return proven.test(operation) && wasRead ? 'done' : 'unknown'
}

const network = 'check the network, and the address: roomctl config list'

/** What each verdict is for a user: the exit, the claim and the advice. */
function answerOf({evidence}: Change, verdict: Verdict): readonly [exit: number, claim: unknown, advice: unknown] {
  if (verdict === 'done') return [0, undefined, undefined]
  if (verdict === 'failed') return [10, expect.stringMatching(/^cannot /u), network]
  const repeats = expect.stringMatching(/^run the same command again: |setting it again is safe$/u)
  return [10, expect.stringMatching(/ may have been .*: the answer was lost$/u), evidence ?? repeats]
}

const ofRooms = changes
  .filter(({path, operation}) => /\/rooms\/r-/u.test(path) && !leaveNothing.includes(operation))
  .map((change) => [change.operation, change] as const)

describe.each(sights)('a change after which a read shows %s', (_, sight, unclear) => {
  test.each([
    ['never', true],
    ['before', true],
    ['never', false],
    ['before', false],
  ] as const)('is claimed as far as that proves it: made %s, room read before %s', (effect, wasRead) =>
    everyCase(ofRooms, async (operation, change) => {
      const played = await play(wasRead ? change : asNamed(change), {effect, answer: cut}, {sight})
      const {ran, verdict, journal, isMade, sent} = played
      const expected = unclear.test(operation) ? 'unknown' : expectedVerdict(operation, effect, wasRead)
      expect({verdict, journal, sent}).toEqual({verdict: expected, journal: [expected], sent: 1})
      if (verdict !== 'unknown') expect(isMade).toBe(verdict === 'done')
      const {message, try: advice} = ran.stderr === '' ? {} : JSON.parse(ran.stderr).error
      expect([ran.exit, message, advice]).toEqual(answerOf(change, expected))
    }),
  )
})
