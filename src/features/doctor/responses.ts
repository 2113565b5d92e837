import type {PushConfiguration} from '../../api/contract/push.js'
import {dateOf, daysText, wholeDaysUntil} from '../../view/push/configuration.js'
import type {Diagnosis} from '../../view/tool/doctor.js'
import {fail, hint, ok, warn} from './finding.js'

/** Milliseconds by which the clocks may differ: the header has whole seconds, and an answer takes its time. */
const clockTolerance = 90_000

/**
 * Compares this machine's clock with the Date header of an answer that came at `at`. No line where the header is missing, or
 * where a cache has kept the answer (Age), which then tells of another time.
 */
export function checkClock(check: string, headers: Readonly<Record<string, string>>, at: Date): Diagnosis[] {
  const theirs = Date.parse(headers.date ?? '')
  if (Number.isNaN(theirs) || Number(headers.age ?? 0) > 0) return []
  const ahead = at.getTime() - theirs
  const details = {ahead_seconds: Math.round(ahead / 1000), service_time: new Date(theirs).toISOString()}
  if (Math.abs(ahead) <= clockTolerance) return [ok(check, "this machine's clock matches the service's", details)]
  const what = `this machine's clock is ${lengthOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} the service's`
  const advice = 'sync it with network time (timedatectl set-ntp true): scheduled pushes and certificates depend on it'
  return [warn(check, what, advice, details)]
}

function lengthOf(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

const headersCheck = 'asset headers'

/**
 * Uploads send headers with underscores in their names (asset, Upload), which nginx drops unless it is told to keep them. No
 * read shows whether they arrive; whether such a server stands in the way can show in an answer's headers.
 */
export function checkHeaderUnderscores(headers: Readonly<Record<string, string>>): Diagnosis {
  const {server = '', via = ''} = headers
  const said = [server, via].filter((value) => value !== '')
  const details = {server: server || null, via: via || null}
  if (!/nginx|openresty|tengine/iu.test(said.join(' ')) && via === '') {
    const what =
      'no sign of a proxy that drops headers with underscores; the first upload is read back and would show it'
    return ok(headersCheck, what, details)
  }
  const what = `the answer came through ${said.join(', ')}, which may drop upload headers with underscores; only an upload shows that`
  return hint(headersCheck, what, 'in nginx: underscores_in_headers on; an upload that loses its name says so', details)
}

const pushCertificateCheck = 'push certificate'
/** Days before its end from which a certificate is a finding (product: "warns me 30 days before it expires"). */
const soonDays = 30

/** Whether the iOS certificate that is registered expires. A key does not; no line where none is registered. */
export function checkPushCertificate(found: PushConfiguration | null, now: Date): Diagnosis[] {
  const {ios_apns_type: type, certificate_expiry_date: text} = found ?? {}
  if (type === 'TOKEN') return [ok(pushCertificateCheck, 'the iOS credential is a key, which does not expire')]
  if (type !== 'CERTIFICATE' && !text) return []
  const date = dateOf(text)
  const details = {expires: text ?? null}
  if (date === undefined) {
    const advice = 'roomctl push inspect FILE shows the expiry of the certificate itself'
    return [warn(pushCertificateCheck, 'the service does not show when the iOS certificate expires', advice, details)]
  }
  const days = wholeDaysUntil(date, now)
  const what = `the iOS certificate ${days < 0 ? 'expired' : 'expires'} on ${text}, ${daysText(days)}`
  const advice = 'create a new one at developer.apple.com/account, and register it with roomctl push ios-cert'
  if (days < 0) return [fail(pushCertificateCheck, what, advice, details)]
  return [days < soonDays ? warn(pushCertificateCheck, what, advice, details) : ok(pushCertificateCheck, what, details)]
}
