import {describe, expect, test} from 'vitest'
import type {WireResponse} from '../../src/api/http/wire/transport.js'
import {page, readyFor, reply, sandboxOf} from '../commands/answers.js'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import type {Change} from '../support/operationRows.js'
import {answered, changes} from '../support/operations.js'
import {asNamed, cut, type Fault, play, type Verdict} from './faultyService.js'

const upstream = () => reply('upstream connect error or disconnect/reset before headers', {status: 503})
const gatewayTimeout = () => page(504)
const comeAgain = () => page(503, {'retry-after': '1'})
/** Also to a service without an envelope. */
const outOfSync = () => reply('{"status":"FAIL","error_code":"CE101"}', {status: 503, headers: {'retry-after': '1'}})
const empty = (status: number) => () => reply('', {status})

/** Bodies of a 200 that say that nothing was done, as gateways answer. */
const denials: readonly (readonly [string, object, Partial<Fault>?])[] = [
  ['200 with FAIL', {status: 'FAIL', message: 'no'}, {isRefusalOfRooms: true}],
  ['200 with an error', {error: {code: 403}}],
  ['200 with a message alone', {message: 'Unauthorized'}],
  ['200 with success: false', {success: false}],
]

const faults: readonly (readonly [string, Fault])[] = [
  ['a reset before the change', {effect: 'never', answer: cut}],
  ['a reset after the change', {effect: 'before', answer: cut}],
  ['a reset, and the change a moment later', {effect: 'later', answer: cut}],
  ['502 before the change', {effect: 'never', answer: () => page(502)}],
  ['502 after the change', {effect: 'before', answer: () => page(502)}],
  ['502, and the change a moment later', {effect: 'later', answer: () => page(502)}],
  ['503 before the change', {effect: 'never', answer: upstream}],
  ['503 after the change', {effect: 'before', answer: upstream}],
  ['503, and the change a moment later', {effect: 'later', answer: upstream}],
  ['503 with Retry-After before the change', {effect: 'never', answer: comeAgain, asksAgain: 'state'}],
  ['503 with Retry-After after the change', {effect: 'before', answer: comeAgain, asksAgain: 'state'}],
  [
    '429 after the change',
    {effect: 'before', answer: () => reply('{"message":"slowly"}', {status: 429}), asksAgain: 'any'},
  ],
  ...timesOf('a page with 429', () => page(429)),
  ['CE101 after the change', {effect: 'before', answer: outOfSync, asksAgain: 'any'}],
  ['504 before the change', {effect: 'never', answer: gatewayTimeout}],
  ['504 after the change', {effect: 'before', answer: gatewayTimeout}],
  ['504, and the change a moment later', {effect: 'later', answer: gatewayTimeout}],
  ...[200, 202, 204].flatMap((status): [string, Fault][] => {
    const said = {answer: empty(status), acknowledges: true, isPlainSuccess: true} as const
    return [
      [`an empty ${status} after the change`, {effect: 'before', ...said}],
      [`an empty ${status}, and the change a moment later`, {effect: 'later', ...said}],
    ]
  }),
  ['a page with 200 before the change', {effect: 'never', answer: () => page(200), acknowledges: true}],
  ['a page with 200 after the change', {effect: 'before', answer: () => page(200), acknowledges: true}],
  ['a page with 200, and the change a moment later', {effect: 'later', answer: () => page(200), acknowledges: true}],
  ...denials.flatMap(([name, body, more]) =>
    timesOf(name, () => reply(JSON.stringify(body)), {acknowledges: true, ...more}),
  ),
  ...[401, 403, 404, 408, 409].flatMap((status) => timesOf(`a page with ${status}`, () => page(status))),
  ...[407, 408, 425].flatMap((status) => timesOf(`${status} in JSON`, () => reply('{"message":"blocked"}', {status}))),
  ...timesOf('460 to no part of a file', () => reply('', {status: 460})),
]

/** An answer that is not the service's own, before the change and after it. */
function timesOf(name: string, answer: () => WireResponse, more: Partial<Fault> = {}): [string, Fault][] {
  const fault = {answer, ...more}
  return [
    [`${name} before the change`, {effect: 'never', ...fault}],
    [`${name} after the change`, {effect: 'before', ...fault}],
  ]
}

/** The changes that a read shows as a whole, whose state the command reads before, too. */
const shown = ['room.update', 'room.delete', 'room.end', 'room.delegate', 'push.iosKey', 'push.android']

/** The changes that a read can disprove but not prove: their effect may have been there before. */
const absent = [...['room.adminUpdate', 'attendee.add', 'asset.describe'], ...['attendee.block', 'push.iosCertificate']]

/** The repetitions that the sandbox refuses for what the first try changed, where no read shows that it was. */
const refusedTwice = [
  ...['attendee.block', 'attendee.restore', 'record.start', 'record.stop', 'appConfig.create'],
  ...['asset.create', 'push.modify', 'push.cancel'],
]

/** Without their answer their result is unknown. */
const answeredWithData = ['push.send', 'asset.create']

/** What of a cell is known from outside: that a change is found where it can be seen, and called unmade where that is proven. */
function expectedVerdict(change: Change, fault: Fault): Verdict | undefined {
  const {operation, plain} = change
  const isSuccess = plain && fault.isPlainSuccess && !answeredWithData.includes(operation)
  if (isRepeated(change, fault))
    return fault.effect === 'before' && refusedTwice.includes(operation) ? 'unknown' : 'done'
  if (isSuccess) return 'done'
  const isMade = fault.effect !== 'never'
  if (!(isMade ? shown : [...shown, ...absent]).includes(operation)) return 'unknown'
  if (isMade) return 'done'
  return staysOpen(fault, plain === true) ? 'unknown' : 'failed'
}

/** CE101 of a service without codes is a mere 503. */
function isRepeated({creates, plain}: Change, {asksAgain, answer}: Fault): boolean {
  const isForStates = asksAgain === 'state' || (plain === true && answer === outOfSync)
  return asksAgain !== undefined && !(isForStates && creates)
}

/** Whether the answer says that the service has taken the change, or leaves it time to make it. */
function staysOpen({acknowledges, isRefusalOfRooms, answer}: Fault, plain: boolean): boolean {
  return answer === gatewayTimeout || (acknowledges === true && (plain || !isRefusalOfRooms))
}

const each = changes.map((change) => [change.operation, change] as const)

/** A third of the changes: what meets a fault is one code for all of a kind. */
const third = (nth: number) => each.filter((_, at) => (at + nth) % 3 === 0)

describe.each(faults.map(([name, fault], nth) => [name, fault, nth] as const))('%s', (_, fault, nth) => {
  test('leaves no change with an untrue verdict, nor sent a second time unasked', () =>
    everyCase(third(nth), async (_operation, change) => {
      const {verdict, journal, isMade, sent} = await play(change, fault)
      expect(sent).toBe(isRepeated(change, fault) ? 2 : 1)
      expect(journal).toEqual([verdict])
      if (verdict !== 'unknown') expect({verdict, isMade}).toEqual({verdict, isMade: verdict === 'done'})
      expect(verdict).toBe(expectedVerdict(change, fault))
    }))
})

test('without a fault every change is made, and its effect is seen', () =>
  everyCase(each, async (_operation, change) => {
    const fine: Fault = {effect: 'never', answer: () => reply('{"message":"slowly"}', {status: 429}), asksAgain: 'any'}
    const cell = {verdict: 'done', journal: ['done'], isMade: true, carriedOut: 1, sent: 2}
    expect(await play(change, fine)).toMatchObject(cell)
  }))

/** The same about objects that do not exist. */
function ofMissing({line, ...change}: Change): Change {
  return {...change, line: line.map((word) => word.replace(/^(?:r-\w+|games\/\w+|app-1)$/u, (id) => `${id}-typo`))}
}

/** The service's own refusal of a repetition. */
const refusedThen: Fault = {effect: 'before', answer: comeAgain, asksAgain: 'state'}

const stateFaults: readonly (readonly [string, Fault])[] = [
  ...faults.filter(([name]) =>
    /^(?:a reset before|(?:a reset|502|408 in JSON|200 with an error|a page with 200) after) the change$/u.test(name),
  ),
  ['503 with Retry-After, then what the service says', refusedThen],
]

describe.each([
  ['its effect was there before', true, (change: Change) => change],
  ['its effect was there before, and nothing was read', true, asNamed],
  ['nothing was read', false, asNamed],
  ['its object is missing', false, ofMissing],
  ['its object is missing, and nothing was read', false, (change: Change) => asNamed(ofMissing(change))],
] as const)('a change where %s', (_, isRepeated, vary) => {
  test.each(stateFaults.map(([name, fault], nth) => [name, fault, nth] as const))(
    'is done only if the service made it in this run: %s',
    (_name, fault, nth) =>
      everyCase(third(nth), async (_operation, change) => {
        const store = await readyFor(change.operation)
        const [home, transport] = [freshHome(), sandboxOf(store)]
        if (isRepeated) await cli(answered(change), {home, transport, onWait: async () => undefined})
        const {verdict, journal, isMade, carriedOut, sent} = await play(vary(change), fault, {store})
        expect(journal).toEqual(sent === 0 ? [] : [verdict])
        if (verdict === 'done') expect({verdict, carriedOut: carriedOut > 0}).toEqual({verdict, carriedOut: true})
        if (verdict === 'failed') expect({verdict, isMade}).toEqual({verdict, isMade: false})
      }),
  )
})
