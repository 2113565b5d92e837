import {existsSync, readFileSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import type {Transport, WireRequest, WireResponse} from '../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {isChange, lost, readyFor, refusal, reply, sandboxOf} from '../commands/answers.js'
import {cli, freshHome, noon, type Ran} from '../support/cli.js'
import type {Change} from '../support/operationRows.js'
import {answered, remarks} from '../support/operations.js'

/** When the service makes the change that a request asks for; `later`: 400 ms after it was answered. */
export type Effect = 'never' | 'before' | 'later'

export interface Fault {
  readonly effect: Effect
  /** The answer to the client; throws to break the connection. */
  answer(): WireResponse
  /** The service asks for the request again, which is sent a second time and reaches it: any, or only a change of a state. */
  readonly asksAgain?: 'any' | 'state'
  /** The status is one of success. */
  readonly acknowledges?: true
  /** A service without an envelope says by it that the change was made. */
  readonly isPlainSuccess?: true
  /** The envelope of the room service refuses by it, whatever the status. */
  readonly isRefusalOfRooms?: true
}

export function cut(): never {
  throw lost('reset', 'maybe')
}

/** What a read of the room shows after the change went out, by what it would show; undefined: that there is no room. */
export type Sight = (seen: {
  readonly now: string | undefined
  readonly before: string
  readonly reads: number
}) => string | undefined

/** The outcome of the change by the command, and its line in the journal. */
export type Verdict = 'done' | 'failed' | 'unknown'

interface Cell {
  readonly ran: Ran
  readonly verdict: Verdict
  /** The outcomes in the journal. */
  readonly journal: readonly string[]
  /** Whether the state of the service is another than before, once every change that was under way is made. */
  readonly isMade: boolean
  /** How often the service carried it out in this run. */
  readonly carriedOut: number
  /** How often the change went out. */
  readonly sent: number
}

/** The changes that leave nothing new in the sandbox, whose presenter is ben already: whether it carried them out is counted. */
export const leaveNothing = ['room.send', 'room.presenter', 'attendee.token']

/** The change with the fault, on a sandbox with the demonstration rooms; `sight`: what its room is shown as after it. */
export async function play(
  change: Change,
  fault: Fault,
  {store: given, sight}: {store?: WorldStore; sight?: Sight} = {},
): Promise<Cell> {
  const store = given ?? (await readyFor(change.operation))
  const before = await stateOf(store)
  const service = faultyService(store, fault, sight)
  const home = freshHome()
  const ran = await cli([...answered(change), '-o', 'json'], {
    home,
    transport: service.transport,
    onWait: service.passTime,
  })
  await service.passTime(Number.POSITIVE_INFINITY)
  const after = await stateOf(store)
  const journal = outcomesIn(home)
  // Thousands of them at the end of the file take longer on a disk than a hook may.
  rmSync(home, {recursive: true, force: true})
  return {
    ran,
    verdict: verdictOf(change, ran),
    journal,
    isMade: leaveNothing.includes(change.operation) ? service.carriedOut() > 0 : after !== before,
    carriedOut: service.carriedOut(),
    sent: ran.sent.filter(({method, path}) => isChange(requestOf(method, path))).length,
  }
}

/** The sandbox, whose first change meets the fault, and which then shows a room as `sight` does. */
function faultyService(store: WorldStore, {effect, answer}: Fault, sight?: Sight) {
  const sandbox = sandboxOf(store)
  let [before, reads, passedMs] = ['', 0, 0]
  const readRoom = async (request: WireRequest) => {
    const shown = await sandbox(request)
    if (!sight || changesSeen === 0 || !/\/rooms\/[^/]+$/u.test(request.url.pathname)) return shown
    const body = await textOf(shown)
    reads += 1
    const seen = sight({now: shown.status === 200 ? body : undefined, before, reads})
    const again = seen === undefined ? refusal('CE002', 'no such room', 404) : reply(seen)
    return {...again, headers: {...again.headers, date: new Date(noon.getTime() + passedMs).toUTCString()}}
  }
  let [changesSeen, carriedOut, leftMs] = [0, 0, Number.POSITIVE_INFINITY]
  let pending: WireRequest | undefined
  const carryOut = async (request: WireRequest) => {
    const given = await sandbox(request)
    if (given.status < 300) carriedOut += 1
    return given
  }
  const transport: Transport = async (request) => {
    if (!isChange(request)) return readRoom(request)
    changesSeen += 1
    if (sight && changesSeen === 1) before = await roomBefore(sandbox, request)
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
    passedMs += ms
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

/** The room of a change, as it was before. */
async function roomBefore(sandbox: Transport, {url, ...request}: WireRequest): Promise<string> {
  const {pathname, origin} = url
  const room = new URL(`/media/v1/rooms/${/\/rooms\/([^/]+)/u.exec(pathname)?.[1]}`, origin)
  const {body: _, ...bare} = request
  return textOf(await sandbox({...bare, method: 'GET', url: room}))
}

async function textOf({body}: WireResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
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
  const file = join(home, '.local/state/roomctl/journal.ndjson')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  return lines.map((line) => JSON.parse(line).outcome)
}

/** A line as a named user, which reads no room before. */
export function asNamed({line, looksUp, ...change}: Change): Change {
  return {...change, line: looksUp ? [...line, '--as', 'ann'] : line}
}
