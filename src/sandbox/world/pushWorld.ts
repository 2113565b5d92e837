import type {destinations, dispatchTypes, pushTypes} from '../../api/contract/pushShapes.js'

export type PushType = (typeof pushTypes)[number]

/** A device token (push, Device token registration). */
export interface DeviceToken {
  readonly type: PushType
  readonly token: string
  /** The device has gone: what is sent to it fails. No operation makes it so; the demonstration has one. */
  readonly isGone?: true
}

export interface PushUser {
  readonly userId: string
  tokens: readonly DeviceToken[]
}

/** What a notification says, and when it is to go (push §3, §4). */
export interface Notification {
  readonly title: string
  readonly body: string
  readonly dispatchType: (typeof dispatchTypes)[number]
  readonly destination: readonly (typeof destinations)[number][]
  /** ISO 8601 UTC; absent for IMMEDIATE. */
  readonly dispatchAt?: string
}

/** A request to send a notification to all users of an application (push, States). */
export interface PushRequest extends Notification {
  readonly uuid: string
  readonly applicationId: string
  readonly status: 'SCHEDULED' | 'SENT' | 'CANCELLED'
  /** ISO 8601 UTC; absent until it is sent. */
  readonly sentAt?: string
}

/** One notification on its way to one user (push, Transaction record). */
export interface PushTransaction {
  readonly id: string
  readonly requestId: string
  /** Absent for what went to named users: that operation names no application (push §2). */
  readonly applicationId?: string
  readonly recipientId: string
  readonly status: 'SUCCESS' | 'FAILED'
  /** ISO 8601 UTC. */
  readonly at: string
}

/** The iOS credential of an application. Neither the file nor its password is kept. */
export type IosCredential =
  | {readonly type: 'TOKEN'; readonly bundleId: string; readonly teamId: string; readonly keyId: string}
  /** `expiry` is a date, YYYY-MM-DD; absent where the certificate could not be opened here. */
  | {readonly type: 'CERTIFICATE'; readonly bundleId: string; readonly expiry?: string}

/** What is registered for an application (push, Notification configuration record). */
export interface PushApplication {
  readonly applicationId: string
  readonly android?: {readonly packageName: string; readonly serverKey: string}
  readonly ios?: IosCredential
}

/** Everything the push service knows; lists are in the order in which things came to be. */
export interface PushWorld {
  users: PushUser[]
  requests: PushRequest[]
  transactions: PushTransaction[]
  applications: PushApplication[]
}

/** A push service that knows nobody. */
export function emptyPush(): PushWorld {
  return {users: [], requests: [], transactions: [], applications: []}
}

export function pushUserOf({users}: PushWorld, userId: string): PushUser | undefined {
  return users.find((user) => user.userId === userId)
}

export function applicationOf({applications}: PushWorld, id: string): PushApplication | undefined {
  return applications.find(({applicationId}) => applicationId === id)
}
