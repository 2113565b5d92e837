import {isDeepStrictEqual} from 'node:util'
import {type Effect, Failure} from '../../../failure.js'
import {info as containerInfo} from '../../contract/asset.js'
import {fillText, type Input, type Operation, type Output, type Values} from '../../contract/operation.js'
import {show as showPush} from '../../contract/push.js'
import {getRoom} from '../../contract/room.js'
import {type Evidence, type FoundRoom, type Probe, probeOf, settlingMs, settlingPausesMs} from '../../rules/evidence.js'
import {isTemporary, isUncertain} from '../response/refusalKind.js'
import type {CallFailure} from '../response/response.js'
import type {RefusedCall} from './refusal.js'

type Read = <O extends Operation>(operation: O, input: Input<O>) => Promise<Output<O>>

export interface FollowUp {
  readonly read: Read
  readonly interrupted: () => boolean
  /** Waits between two reads; shorter once the program is interrupted. */
  readonly wait: (ms: number) => Promise<void>
  readonly now: () => Date
  /** The Date of the service's last answer to a read and the own time at which it came, both in milliseconds. */
  readonly serviceDate: () => {readonly date: number; readonly at: number} | undefined
}

/** `seen`: what reads showed that proves nothing, to follow a semicolon. */
export interface Verdict {
  readonly outcome: Effect
  readonly seen?: string
}

/**
 * The outcome of a change that did not succeed (docs/reliability.md). `before`: the state that this run read before it
 * sent the change, if it did. If the exchange leaves the outcome open, the state is read: `applied` if it shows the effect and did not
 * before; `none` if reads over three seconds agree that it does not, or that nothing changed, and neither the answer nor the service's
 * silence contradicts.
 */
export async function outcomeAfter(
  call: RefusedCall,
  failed: CallFailure,
  followUp: FollowUp,
  before: unknown,
): Promise<Verdict> {
  const {operation, values} = call
  if (operation.effect === 'read' || (certainlyNotMade(failed) && !mayBeMadeBefore(operation, failed))) {
    return {outcome: 'none'}
  }
  const probe = probeOf(operation.id)
  if (probe === undefined) return {outcome: 'unknown'}
  const verdict = await reconcile(probe, values, before, {...followUp, sentAtMs: failed.sentAtMs})
  const {outcome, ...seen} = verdict
  return outcome === 'none' && (isAcknowledged(failed) || mayStillRun(failed)) ? {outcome: 'unknown', ...seen} : verdict
}

/**
 * Whether the exchange alone shows that a change was not made: it did not arrive, the service refused it, or a redirect sent it
 * elsewhere unchanged (307 and 308).
 */
function certainlyNotMade(exchanged: CallFailure): boolean {
  if (exchanged.kind === 'refused') return !isUncertain(exchanged.refusal)
  if (exchanged.kind === 'lost') return exchanged.error.sent === 'no'
  return exchanged.status === 307 || exchanged.status === 308
}

/**
 * Whether an earlier attempt may have made the change: the refusal of this one may be its effect. A creation
 * that makes another each time is never refused for the first one.
 */
function mayBeMadeBefore({id, effect}: RefusedCall['operation'], {earlier, ...failed}: CallFailure): boolean {
  if (earlier === undefined) return false
  const canFollow = effect === 'state' || idempotentCreates.has(id)
  return isUncertain(earlier) || (canFollow && failed.kind === 'refused' && !isTemporary(failed.refusal, 'state'))
}

/** Creations that are refused if the thing exists, by whatever code. */
const idempotentCreates: ReadonlySet<string> = new Set(['appConfig.create', 'asset.create', 'push.register'])

/** Whether the status is one of success. Then reads cannot prove `none`, as they may lag. */
function isAcknowledged(exchanged: CallFailure): boolean {
  if (exchanged.kind === 'refused') return false
  return exchanged.status !== undefined && exchanged.status >= 200 && exchanged.status < 300
}

/**
 * Whether the service may still be working on the request. It is not when it answered, or when it, or a gateway whose connection to
 * it broke (502, 503), ended the connection.
 */
function mayStillRun(exchanged: CallFailure): boolean {
  if (exchanged.kind === 'broken') return false
  if (exchanged.kind === 'lost') return exchanged.status === undefined && exchanged.error.problem !== 'reset'
  const {status} = exchanged.refusal
  return status >= 500 && ![500, 502, 503].includes(status)
}

export async function readFoundRoom(read: Read, {roomId}: Values): Promise<FoundRoom> {
  try {
    return await read(getRoom, {path: {roomId: String(roomId)}})
  } catch (error) {
    if (error instanceof Failure && error.facts.code === 'CE002') return 'missing'
    throw error
  }
}

/** Reads what a call was about, by its values. Throws Failure. */
const readers: Readonly<Record<Probe['of'], (read: Read, values: Values) => Promise<unknown>>> = {
  room: readFoundRoom,
  container: (read, {container}) => read(containerInfo, {path: {container: String(container)}, query: {type: 'meta'}}),
  'push configuration': (read, {application_id: id}) => read(showPush, {query: {application_id: String(id)}}),
}

interface Settling extends FollowUp {
  readonly sentAtMs: number | undefined
}

/** One read that misses a room may be of a replica that lags: two prove it, this many milliseconds apart. */
const absenceMs = 1000

async function settledState(probe: Probe, values: Values, {read, wait}: FollowUp): Promise<unknown> {
  const state = await readers[probe.of](read, values)
  if (state !== 'missing' || probe.evidence(state, values) !== 'shown') return state
  await wait(absenceMs)
  return readers[probe.of](read, values)
}

/** Reads the state of a change whose answer was lost until it is settled, for three seconds at most. */
async function reconcile(probe: Probe, values: Values, before: unknown, followUp: Settling): Promise<Verdict> {
  const {interrupted, wait, now} = followUp
  const was = before === undefined ? undefined : probe.evidence(before, values)
  const effect = fillText(probe.effect, values)
  const look = async (): Promise<Verdict | undefined> => {
    const state = await settledState(probe, values, followUp)
    const isNew = () => probe.begins?.(state).some((moment) => isSinceSending(moment, followUp)) === true
    if (interrupted() || (before === undefined && isNew())) return {outcome: 'unknown'}
    const evidence = probe.evidence(state, values, before)
    if (evidence === 'absent' || (was === 'shown' && isDeepStrictEqual(state, before))) return undefined
    if (evidence !== 'shown') return {outcome: 'unknown'}
    return judge(was, effect, sideOfSending(probe.since?.(state), followUp))
  }
  const lostAt = now().getTime()
  try {
    for (const pauseMs of settlingPausesMs) {
      await wait(pauseMs)
      if (interrupted()) return {outcome: 'unknown'}
      const verdict = await look()
      if (verdict) return verdict
    }
  } catch {
    return {outcome: 'unknown'}
  }
  const outcome = now().getTime() - lostAt >= settlingMs ? 'none' : 'unknown'
  return was === 'shown' ? {outcome, seen: `${effect}, as it was before`} : {outcome}
}

/**
 * An effect that is shown proves the change only if it came about after the sending, or, where its time is not known, if it was not
 * there, or not as a whole, when this run read the state before.
 */
function judge(was: Evidence | undefined, effect: string, side: 'before' | 'after' | undefined): Verdict {
  const isNew = was === 'absent' || was === 'partly'
  if (side === 'after' || (side === undefined && isNew)) return {outcome: 'applied'}
  const before =
    was === undefined && !side ? 'this run did not see it before' : 'it was so before this run sent anything'
  return {outcome: 'unknown', seen: `${effect}; ${before}`}
}

/** A Date has whole seconds, so the service's time was less than this later. */
const dateStepMs = 1000

/** Whether the service dates an effect after the first sending, or more than a second before it, by its own clock. */
function sideOfSending(since: number | undefined, {sentAtMs, serviceDate}: Settling): 'before' | 'after' | undefined {
  const clock = serviceDate()
  if (since === undefined || sentAtMs === undefined || clock === undefined) return undefined
  const sentMs = sentAtMs + clock.date - clock.at
  if (since > sentMs + dateStepMs) return 'after'
  return since < sentMs - dateStepMs ? 'before' : undefined
}

/** Whether a time of the service is after the first sending and not in the future. */
function isSinceSending(moment: number | undefined, followUp: Settling): boolean {
  const clock = followUp.serviceDate()
  if (moment === undefined || clock === undefined || sideOfSending(moment, followUp) !== 'after') return false
  return moment <= followUp.now().getTime() + clock.date - clock.at + dateStepMs
}
