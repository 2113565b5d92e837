import type {PushConfiguration} from '../../api/contract/push.js'
import {safeText} from '../../text/text.js'
import {dayMs, daysText, wholeDaysUntil} from '../../text/time.js'
import type {CardView, Column} from '../format/columns.js'

/** The beginning of a date as the service writes it, YYYY-MM-DD, in UTC; undefined for anything that is no date. */
export function dateOf(text: unknown): Date | undefined {
  const [day = ''] = typeof text === 'string' ? (/^\d{4}-\d\d-\d\d(?=T|$)/.exec(text) ?? []) : []
  const date = new Date(day)
  // Date takes 30 February for 2 March.
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day ? undefined : date
}

/** Whether two texts are dates of the same day, or of adjacent days: a date may be of another zone. */
export function isSameDay(value: unknown, other: unknown): boolean {
  const [first, second] = [dateOf(value), dateOf(other)]
  return first !== undefined && second !== undefined && Math.abs(first.getTime() - second.getTime()) <= dayMs
}

/** A server key must be this long for a part of it to be shown. */
const longEnough = 20

/** A server key shortened so that it is recognisable but useless: `AAAA*** (152 characters)`. */
export function maskedKey(key: string): string {
  const begin = key.length >= longEnough ? key.slice(0, 4) : ''
  return `${begin}*** (${key.length} characters)`
}

type Field = Column<PushConfiguration>

const expiry: Field = {
  name: 'certificate_expiry_date',
  label: 'certificate expires',
  show: ({certificate_expiry_date: text, ios_apns_type: type}, {now}) =>
    type === 'TOKEN' ? (text ?? '') : withDays(text ?? '', now),
}

/** `2026-12-31 (in 30 days)`; any other text unchanged. */
function withDays(text: string, now: Date): string {
  const date = dateOf(text)
  return date === undefined ? text : `${text} (${daysText(wholeDaysUntil(date, now))})`
}

const forms: Readonly<Record<string, string>> = {CERTIFICATE: ' (.p12)', TOKEN: ' (.p8 key)'}
const apnsNames: Readonly<Record<string, string>> = {CERTIFICATE: 'certificate', TOKEN: 'key'}

export const configurationFields: readonly Field[] = [
  {
    name: 'ios_apns_type',
    label: 'APNs credential',
    show: ({ios_apns_type: type}) => `${type ?? ''}${forms[type ?? ''] ?? ''}`,
  },
  {name: 'bundle_id', label: 'bundle id'},
  {name: 'team_id', label: 'team id'},
  {name: 'key_id', label: 'key id'},
  expiry,
  {name: 'package_name', label: 'Android package'},
  {name: 'fcm_server_key', label: 'FCM server key'},
]

/** The push configuration of an application (push §9). A server key is masked before it comes here. */
export function configurationCard(applicationId: string): CardView<PushConfiguration> {
  return {
    title: () => `push configuration of application ${safeText(applicationId)}`,
    id: () => applicationId,
    columns: configurationFields,
    notes: ({ios_apns_type: type}) => (type === 'TOKEN' ? ['a key does not expire'] : []),
  }
}

/** `the iOS key KEY1234567 of team TEAM123456 for com.example.rooms`; undefined if none of that platform is registered. */
export function credentialText(shown: PushConfiguration, platform: 'ios' | 'android', now: Date): string | undefined {
  const text = platform === 'ios' ? iosText(shown, now) : androidText(shown)
  return text === undefined ? undefined : safeText(text)
}

/** A credential in a word or two: its key id, `the certificate for com.example.rooms`, or its package. */
export function credentialName(shown: Partial<PushConfiguration>, platform: 'ios' | 'android'): string | undefined {
  const {ios_apns_type: type, key_id: key, bundle_id: bundle, package_name: name} = shown
  if (platform === 'android') return name ? `package ${name}` : undefined
  if (type === 'CERTIFICATE') return bundle ? `the certificate for ${bundle}` : undefined
  return key || undefined
}

function iosText(shown: PushConfiguration, now: Date): string | undefined {
  const {ios_apns_type: type, bundle_id: bundle, team_id: team, key_id: key, certificate_expiry_date: date} = shown
  const known = [type, bundle, team, key, date].filter((value) => value)
  if (type === 'NONE' || known.length === 0) return undefined
  const kind = type ? (apnsNames[type] ?? `credential (${type})`) : 'credential'
  const ids = [
    [key, ` ${key}`],
    [team, ` of team ${team}`],
    [bundle, ` for ${bundle}`],
    [type === 'TOKEN' ? undefined : date, `, expiry ${withDays(date ?? '', now)}`],
  ]
  return `the iOS ${kind}${ids.flatMap(([value, text]) => (value ? [text] : [])).join('')}`
}

function androidText({package_name: name, fcm_server_key: key}: PushConfiguration): string | undefined {
  if (!name && !key) return undefined
  const masked = key ? `, server key ${maskedKey(key)}` : ''
  return `the Android configuration${name ? ` of package ${name}` : ''}${masked}`
}
