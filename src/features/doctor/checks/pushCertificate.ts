import type {PushConfiguration} from '../../../api/contract/pushShapes.js'
import {dateOf, daysText, daysUntil} from '../../../view/push/push.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, ok, warn} from './finding.js'

const check = 'push certificate'
/** Days before its end from which a certificate is a finding (product: "warns me 30 days before it expires"). */
const soon = 30

/** Whether the iOS certificate that is registered expires. A key does not; no line where none is registered. */
export function checkPushCertificate(found: PushConfiguration | null, now: Date): Diagnosis[] {
  const {ios_apns_type: type, certificate_expiry_date: text} = found ?? {}
  if (type === 'TOKEN') return [ok(check, 'the iOS credential is a key, which does not expire')]
  if (type !== 'CERTIFICATE' && !text) return []
  const date = dateOf(text)
  const details = {expires: text ?? null}
  if (date === undefined) {
    const advice = 'roomctl push inspect FILE shows the expiry of the certificate itself'
    return [warn(check, 'the service does not tell when the iOS certificate expires', advice, details)]
  }
  const days = daysUntil(date, now)
  const what = `the iOS certificate ${days < 0 ? 'expired' : 'expires'} on ${text}, ${daysText(days)}`
  const advice = 'make a new one at developer.apple.com/account, and register it with roomctl push ios-cert'
  if (days < 0) return [fail(check, what, advice, details)]
  return [days < soon ? warn(check, what, advice, details) : ok(check, what, details)]
}
