import type {PushApplication, PushRequest, PushUser} from '../world/pushWorld.js'
import type {World} from '../world/world.js'

/** The push service as the sandbox knows it, under wire names where there are any. Secrets are masked. */
export interface PushStatus {
  readonly users: readonly UserStatus[]
  readonly requests: readonly RequestStatus[]
  readonly applications: readonly ApplicationStatus[]
  /** How many there are of each status. */
  readonly transactions: Readonly<Record<string, number>>
}

interface UserStatus {
  readonly user_id: string
  readonly tokens: readonly {readonly push_type: string; readonly push_token: string; readonly is_gone: boolean}[]
}

interface RequestStatus {
  readonly request_uuid: string
  readonly application_id: string
  readonly status: string
  readonly dispatch_type: string
  /** When it is to be sent. ISO 8601 UTC. */
  readonly dispatch_at: string | null
  readonly sent_at: string | null
  readonly title: string
  readonly body: string
}

interface ApplicationStatus {
  readonly application_id: string
  readonly package_name: string | null
  readonly fcm_server_key: string | null
  readonly ios_apns_type: string
  readonly bundle_id: string | null
  readonly team_id: string | null
  readonly key_id: string | null
  readonly certificate_expiry_date: string | null
}

export function pushStatus({push: {users, requests, applications, transactions}}: World): PushStatus {
  const counts = new Map<string, number>()
  for (const {status} of transactions) counts.set(status, (counts.get(status) ?? 0) + 1)
  return {
    users: users.map(userStatus),
    requests: requests.map(requestStatus),
    applications: applications.map(applicationStatus),
    transactions: Object.fromEntries(counts),
  }
}

function userStatus({userId, tokens}: PushUser): UserStatus {
  return {
    user_id: userId,
    tokens: tokens.map(({type, token, isGone}) => ({
      push_type: type,
      push_token: masked(token),
      is_gone: isGone ?? false,
    })),
  }
}

function requestStatus({uuid, applicationId, status, dispatchType, dispatchAt, sentAt, title, body}: PushRequest) {
  return {
    request_uuid: uuid,
    application_id: applicationId,
    status,
    dispatch_type: dispatchType,
    dispatch_at: dispatchAt ?? null,
    sent_at: sentAt ?? null,
    title,
    body,
  }
}

function applicationStatus({applicationId, android, ios}: PushApplication): ApplicationStatus {
  const key = ios?.type === 'TOKEN' ? ios : undefined
  const certificate = ios?.type === 'CERTIFICATE' ? ios : undefined
  return {
    application_id: applicationId,
    package_name: android?.packageName ?? null,
    fcm_server_key: android ? masked(android.serverKey) : null,
    ios_apns_type: ios?.type ?? 'NONE',
    bundle_id: ios?.bundleId ?? null,
    team_id: key?.teamId ?? null,
    key_id: key?.keyId ?? null,
    certificate_expiry_date: certificate?.expiry ?? null,
  }
}

/** `AAAA*** (152 characters)`; the beginning only of one that is long enough to stay a secret. */
function masked(secret: string): string {
  return `${secret.length < 20 ? '' : secret.slice(0, 4)}*** (${secret.length} characters)`
}
