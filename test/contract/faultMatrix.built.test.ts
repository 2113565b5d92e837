import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {type Transport, WireError, type WireRequest, type WireResponse} from '../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {isChange, lost, page, readyFor, reply, sandboxOf} from '../commands/answers.js'
import {bench, creates} from '../commands/asset/uploads.js'
import {answered, type Change, changes, remarks} from '../commands/every/changes.js'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

/** When the service makes the change that a request asks for; `later`: 400 ms after it was answered. */
type Effect = 'never' | 'before' | 'later'

interface Fault {
  readonly effect: Effect
  /** What the client gets; raises what breaks the connection. */
  answer(): WireResponse
  /** The service asks for the request again: it is sent a second time, and reaches the service. */
  readonly asksAgain?: true
  /** The status is one of success. */
  readonly acknowledges?: true
  /** A service without an envelope says by it that the change was made. */
  readonly isPlainSuccess?: true
}

function cut(): never {
  throw lost('reset', 'maybe')
}

const upstream = () => reply('upstream connect error or disconnect/reset before headers', {status: 503})
const gatewayTimeout = () => page(504)
const comeAgain = () => page(503, {'retry-after': '1'})
/** Also to a service without an envelope. */
const outOfSync = () => reply('{"status":"FAIL","error_code":"CE101"}', {status: 503, headers: {'retry-after': '1'}})
const empty = (status: number) => () => reply('', {status})

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
  ['503 with Retry-After before the change', {effect: 'never', answer: comeAgain, asksAgain: true}],
  ['503 with Retry-After after the change', {effect: 'before', answer: comeAgain, asksAgain: true}],
  ['429 after the change', {effect: 'before', answer: () => page(429), asksAgain: true}],
  ['CE101 after the change', {effect: 'before', answer: outOfSync, asksAgain: true}],
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
  ...[401, 403, 404, 408, 409].flatMap((status) => timesOf(`a page with ${status}`, () => page(status))),
  ...[407, 408, 425].flatMap((status) => timesOf(`${status} in JSON`, () => reply('{"message":"blocked"}', {status}))),
  ...timesOf('460 to no part of a file', () => reply('', {status: 460})),
]

/** An answer that is not the service's own, before the change, after it and with the change a moment later. */
function timesOf(name: string, answer: () => WireResponse): [string, Fault][] {
  return [
    [`${name} before the change`, {effect: 'never', answer}],
    [`${name} after the change`, {effect: 'before', answer}],
    [`${name}, and the change a moment later`, {effect: 'later', answer}],
  ]
}

/** What the command says became of the change, and its line in the journal. */
type Verdict = 'done' | 'failed' | 'unknown'

interface Cell {
  readonly verdict: Verdict
  /** The outcomes in the journal. */
  readonly journal: readonly string[]
  /** Whether the state of the service is another than before, once every change that was under way is made. */
  readonly isMade: boolean
  /** How often the change went out. */
  readonly sent: number
}

/** The changes of which the sandbox keeps nothing: whether it carried them out is counted. */
const leaveNothing = ['room.send', 'attendee.token']

/** The changes that what is read afterwards shows as a whole. */
const shown = [
  ...['room.update', 'room.adminUpdate', 'room.delete', 'room.end', 'room.delegate', 'attendee.add'],
  ...['asset.describe', 'push.iosKey', 'push.android'],
]

/** The changes of which it can be read that they were not made, though not that they were: others may have the same effect. */
const absent = ['attendee.block', 'push.iosCertificate']

/** The repetitions that the sandbox refuses for what the first try changed, where no read shows that it was. */
const refusedTwice = [
  ...['attendee.block', 'attendee.restore', 'record.start', 'record.stop', 'appConfig.create'],
  ...['asset.create', 'push.modify', 'push.cancel'],
]

/** Without their answer it is not known what they made. */
const answeredWithData = ['push.send', 'asset.create']

async function play(change: Change, fault: Fault): Promise<Cell> {
  const store = await readyFor(change.operation)
  const before = await stateOf(store)
  const service = faultyService(store, fault)
  const home = freshHome()
  const ran = await cli([...answered(change), '-o', 'json'], {
    home,
    transport: service.transport,
    onWait: service.passTime,
  })
  await service.passTime(Number.POSITIVE_INFINITY)
  const after = await stateOf(store)
  return {
    verdict: verdictOf(change, ran),
    journal: outcomesIn(home),
    isMade: leaveNothing.includes(change.operation) ? service.carriedOut() > 0 : after !== before,
    sent: ran.sent.filter(({method, path}) => isChange(requestOf(method, path))).length,
  }
}

/** The sandbox, whose first change meets the fault. */
function faultyService(store: WorldStore, {effect, answer}: Fault) {
  const sandbox = sandboxOf(store)
  let [changesSeen, carriedOut, leftMs] = [0, 0, Number.POSITIVE_INFINITY]
  let pending: WireRequest | undefined
  const carryOut = async (request: WireRequest) => {
    const given = await sandbox(request)
    if (given.status < 300) carriedOut += 1
    return given
  }
  const transport: Transport = async (request) => {
    if (!isChange(request)) return sandbox(request)
    changesSeen += 1
    if (changesSeen > 1) return carryOut(request)
    if (effect === 'before') await carryOut(request)
    if (effect === 'later') {
      // The client has gone meanwhile.
      const {signal: _, ...own} = request
      pending = own
      leftMs = 400
    }
    return answer()
  }
  const passTime = async (ms: number) => {
    leftMs -= ms
    const due = leftMs <= 0 ? pending : undefined
    if (due === undefined) return
    pending = undefined
    await carryOut(due)
  }
  return {transport, passTime, carriedOut: () => carriedOut}
}

function requestOf(method: string, path: string) {
  return {method, url: new URL(path, 'http://sandbox.localhost')} as WireRequest
}

async function stateOf(store: WorldStore): Promise<string> {
  return store.read((world) => JSON.stringify(world))
}

function verdictOf(change: Change, ran: {readonly exit: number; readonly stderr: string}): Verdict {
  if (ran.exit === 0) return 'done'
  const {outcome} = JSON.parse(remarks(change, ran)).error
  if (outcome === 'unknown') return 'unknown'
  return outcome === 'applied' ? 'done' : 'failed'
}

function outcomesIn(home: string): string[] {
  const lines = readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line).outcome)
}

/** What of a cell is known from outside: that a change is found where it can be seen, and called unmade where that is proven. */
function expectedVerdict({operation, plain}: Change, fault: Fault): Verdict | undefined {
  const isSuccess = plain && fault.isPlainSuccess && !answeredWithData.includes(operation)
  if (fault.asksAgain) return fault.effect === 'before' && refusedTwice.includes(operation) ? 'unknown' : 'done'
  if (isSuccess) return 'done'
  const isMade = fault.effect !== 'never'
  if (!(isMade ? shown : [...shown, ...absent]).includes(operation)) return 'unknown'
  if (isMade) return 'done'
  return fault.acknowledges || fault.answer === gatewayTimeout ? 'unknown' : 'failed'
}

const each = changes.map((change) => [change.operation, change] as const)

describe.each(faults)('%s', (_, fault) => {
  test('leaves no change with an untrue verdict, nor sent a second time unasked', () =>
    everyCase(each, async (_operation, change) => {
      const {verdict, journal, isMade, sent} = await play(change, fault)
      expect(sent).toBe(fault.asksAgain ? 2 : 1)
      expect(journal).toEqual([verdict])
      if (verdict !== 'unknown') expect({verdict, isMade}).toEqual({verdict, isMade: verdict === 'done'})
      expect(verdict).toBe(expectedVerdict(change, fault))
    }))
})

test('without a fault every change is made, and its effect is seen', () =>
  everyCase(each, async (_operation, change) => {
    const fine: Fault = {effect: 'never', answer: () => page(429), asksAgain: true}
    expect(await play(change, fine)).toEqual({verdict: 'done', journal: ['done'], isMade: true, sent: 2})
  }))

const size = 6 * 1024 * 1024
/** Behind the first record of what a part of a download is proven by. */
const cutAt = 5 * 1024 * 1024
const [before, now] = [Buffer.alloc(size, 'content before; '), Buffer.alloc(size, 'other content; ')]

/** What of a 206 is wrong; all else of it says that it is the rest of what came. */
const wrongParts: readonly (readonly [string, PartFacts])[] = [
  ['another tag', {etag: '"2"'}],
  ['a weak tag', {etag: 'W/"1"'}],
  ['another total', {total: size + 1}],
  ['an unknown total', {total: '*'}],
  ['an earlier start', {from: 0}],
  ['a later start', {from: size - 10}],
  ['an end before the last byte', {to: size - 2}],
  ['a coded body', {coding: 'gzip'}],
  ['a body that is too short', {bytes: 10}],
]

interface PartFacts {
  readonly etag?: string
  readonly total?: number | '*'
  readonly from?: number
  readonly to?: number
  readonly coding?: string
  readonly bytes?: number
}

function bytesOf(content: Buffer, status: number, headers: Record<string, string>, breaks = false): WireResponse {
  const body = async function* () {
    yield content
    if (breaks) throw new WireError('broken', 'maybe', 'the answer is incomplete')
  }
  return {status, headers: {'content-type': 'application/octet-stream', ...headers}, body: body(), discard: () => {}}
}

/** The rest from there on, but for what is wrong with it. */
function wrongPart(asked: number, facts: PartFacts): WireResponse {
  const {etag = '"1"', total = size, from = asked, to = size - 1, coding, bytes = size} = facts
  const headers = {etag, 'content-range': `bytes ${from}-${to}/${total}`}
  const rest = now.subarray(from, Math.min(to + 1, from + bytes))
  return bytesOf(rest, 206, coding === undefined ? headers : {...headers, 'content-encoding': coding})
}

test('a download that breaks off is continued by no wrong 206: its file has one content, or there is none', () =>
  everyCase(
    wrongParts.flatMap(([name, facts]) => [true, false].map((recovers) => [name, recovers, facts] as const)),
    async (_, recovers, facts) => {
      const own = await bench()
      const {stdout} = await own.upload([own.file('a.bin', 10)], ['-o', 'ids'])
      const uuid = stdout.trim()
      const sandbox = sandboxOf(own.store)
      let asked = 0
      const whole = {etag: '"1"', 'content-length': String(size)}
      const data = (range: string | undefined) => {
        asked += 1
        if (asked === 1) return bytesOf(before.subarray(0, cutAt), 200, whole, true)
        if (range !== undefined) return wrongPart(Number.parseInt(range.replace('bytes=', ''), 10), facts)
        return recovers ? bytesOf(now, 200, {...whole, etag: '"2"'}) : page(503)
      }
      const transport: Transport = async (request) => {
        const {method, url, headers} = request
        const isData = method === 'GET' && url.pathname.includes(uuid) && url.search === ''
        return isData ? data(headers.range ?? headers.Range) : sandbox(request)
      }
      const to = join(own.home, 'read')
      const ran = await own.cli(['asset', 'download', `games/puzzle/${uuid}`, '--to', to], {transport})
      expect(asked).toBeGreaterThan(2)
      expect({exit: ran.exit === 0, isNow: existsSync(to) && readFileSync(to).equals(now)}).toEqual({
        exit: recovers,
        isNow: recovers,
      })
      expect(existsSync(to)).toBe(recovers)
    },
  ))

const noListings = [
  ...['{}', '{"message":"under maintenance"}', '{"status":"FAIL","error_code":"CE101","message":"busy"}'],
  ...['{"resources":null}', '{"resources":{"items":[]}}', '{"items":[],"total":0}', '[]', 'null', '""'],
]

test('a listing that is none sends nothing, and is an error', () =>
  everyCase(
    ['sync', 'upload'].flatMap((command) => noListings.map((text) => [command, text] as const)),
    async (command, text) => {
      const own = await bench()
      const made = own.file('a.bin', 10)
      const what = command === 'sync' ? join(own.home, 'work') : made.path
      const sandbox = sandboxOf(own.store)
      const transport: Transport = async (request) => {
        const {pathname, search} = request.url
        return request.method === 'GET' && pathname.endsWith('/') && search === '' ? reply(text) : sandbox(request)
      }
      const words = ['asset', command, 'games/archive', what, '--platform', 'ios', '--description', 'd']
      const ran = await own.cli(words, {transport})
      expect({exit: ran.exit, creates: creates(ran.sent)}).toEqual({exit: 10, creates: []})
    },
  ))
