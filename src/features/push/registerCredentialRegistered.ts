import type {Exit} from '../../api/contract/exits.js'
import {Failure} from '../../api/contract/failure.js'
import type {PushConfiguration} from '../../api/contract/pushShapes.js'
import type {Session} from '../../cli/session/session.js'
import {shortly} from '../../text/shortly.js'
import {safeText} from '../../text/text.js'
import {credentialText, maskedKey} from '../../view/push/push.js'
import {readConfiguration} from './configuration.js'

/** What is registered before a credential is: nothing of its platform, a credential, or nobody knows. */
export type Before =
  | {readonly kind: 'nothing'}
  /** `replaced`: its members, the server key masked. `text`: in words, as `the iOS key KEY1234567 of team TEAM123456`. */
  | {readonly kind: 'credential'; readonly replaced: Readonly<Record<string, unknown>>; readonly text: string}
  /** `why`: why it cannot be read. */
  | {readonly kind: 'unknown'; readonly why: string}

const members = {
  ios: ['ios_apns_type', 'bundle_id', 'team_id', 'key_id', 'certificate_expiry_date'],
  android: ['package_name', 'fcm_server_key'],
} as const

/** Failures of a read that say nothing against the change that is to follow. */
const passing: ReadonlySet<Exit> = new Set(['missing', 'forbidden', 'refused', 'state', 'temporary', 'network'])

/** Reads what a credential would replace. A configuration that cannot be read is said, and does not stop the change. */
export async function configurationBefore(
  session: Session,
  applicationId: string,
  platform: 'ios' | 'android',
): Promise<Before> {
  try {
    const found = await readConfiguration(session, applicationId)
    const text = found === null ? undefined : credentialText(found, platform, session.runtime.now())
    if (found === null || text === undefined) return {kind: 'nothing'}
    return {kind: 'credential', replaced: partOf(found, platform), text: shortly(text)}
  } catch (error) {
    if (!(error instanceof Failure) || !passing.has(error.facts.exit)) throw error
    return {kind: 'unknown', why: safeText(error.facts.message)}
  }
}

function partOf(found: PushConfiguration, platform: 'ios' | 'android'): Readonly<Record<string, unknown>> {
  const told = members[platform].filter((name) => found[name])
  return Object.fromEntries(
    told.map((name) => [name, name === 'fcm_server_key' ? maskedKey(found[name] ?? '') : found[name]]),
  )
}
