import type {Diagnosis} from '../../../view/tool/doctor.js'
import {ok, warn} from './finding.js'

/** Milliseconds by which the clocks may differ: the header has whole seconds, and an answer takes its time. */
const tolerance = 90_000

/**
 * Compares this machine's clock with the Date header of an answer that came at `at`. No line where there is no such header, or
 * where a cache has kept the answer (Age), which then tells of another time.
 */
export function checkClock(check: string, headers: Readonly<Record<string, string>>, at: Date): Diagnosis[] {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs) || Number(headers.age ?? 0) > 0) return []
  const ahead = at.getTime() - theirs
  const details = {ahead_seconds: Math.round(ahead / 1000), service_time: new Date(theirs).toISOString()}
  if (Math.abs(ahead) <= tolerance) return [ok(check, "this machine's clock and the service's agree", details)]
  const what = `this machine's clock is ${lengthOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  const advice = 'set it by network time (timedatectl set-ntp true): scheduled pushes and certificates go by it'
  return [warn(check, what, advice, details)]
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}
