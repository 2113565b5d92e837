import {randomBytes, randomUUID} from 'node:crypto'
import type {Platform} from '../../api/contract/assetShapes.js'
import {catalogue} from '../../api/contract/catalogue.js'
import {Failure, type FailureFacts} from '../../api/contract/failure.js'
import type {Code} from '../../api/contract/operation.js'
import type {destinations, dispatchTypes, PushType} from '../../api/contract/push.js'
import type {layouts, RecordingFile} from '../../api/contract/record.js'
import type {hostSelectionTypes, RoomState} from '../../api/contract/room.js'
import {type Choices, type Configuration, defaultChoices} from './choices.js'

export type Layout = (typeof layouts)[number]

/** Somebody on a room's attendee list (room, Attendee), with what the service knows but does not show. */
export interface Attendee {
  readonly userId: string
  /** Set from user_name in a token request. */
  name?: string
  isHost: boolean
  isPresent: boolean
  isReserved: boolean
  isInvited: boolean
  isBlocked: boolean
  /** Rises with every entrance into the room, 0 before the first: who entered earliest becomes host. */
  entered: number
}

export interface Recording {
  readonly layout: Layout
  /** ISO 8601 UTC. */
  readonly startedAt: string
}

/** A room. Times are ISO 8601 UTC; `start` and `end` are the actual ones, absent while RESERVED (room, Room). */
export interface Room {
  readonly id: string
  readonly createdBy: string
  readonly createdAt: string
  readonly hostSelection: (typeof hostSelectionTypes)[number]
  readonly isElectHost: boolean
  readonly bizId?: string
  name: string
  status: RoomState
  description: string
  reservedStart: string
  reservedEnd?: string
  start?: string
  end?: string
  maxAttendees: number
  isPublic: boolean
  isJoinable: boolean
  attendees: Attendee[]
  /** A JSON text with the presenter (room §12). */
  metadata?: string
  recording?: Recording
  files: RecordingFile[]
}

/** Data that was sent on the data channel; `to` is empty for the whole room. */
export interface SentMessage {
  readonly id: string
  readonly roomId: string
  readonly from: string
  readonly to: readonly string[]
  readonly data: string
  readonly at: string
}

/**
 * An event that the service sent to its clients (room, Events). The document does not show its form, so only the fact is kept.
 */
export interface WorldEvent {
  readonly event: 'RoomMetadataChanged' | 'AttendeeAdded'
  readonly roomId: string
  /** The metadata as it is now. */
  readonly metadata?: string
  /** Who is notified. */
  readonly userId?: string
  readonly at: string
}

/** Everything the sandbox knows; plain data, so that it can be kept as JSON. It is one application with one token. */
export interface World {
  readonly version: 1
  applicationToken: string
  /** Signs the room access tokens. */
  readonly tokenSecret: string
  choices: Choices
  /** In the order of creation. */
  rooms: Room[]
  configuration?: {applicationId: string; values: Configuration}
  messages: SentMessage[]
  events: WorldEvent[]
  /** In the order of creation. */
  containers: Container[]
  /** Files that are there whole, in the order in which they became so; what is still being uploaded is in the files folder. */
  resources: StoredResource[]
  push: PushWorld
}

/** The token of a sandbox inside the process, where nothing listens: it protects nothing and may be known. */
export const sandboxToken = 'sandbox-application-token'

/** An empty world with a signing secret of its own. */
export function newWorld(options: {applicationToken?: string; choices?: Partial<Choices>} = {}): World {
  return {
    version: 1,
    applicationToken: options.applicationToken ?? sandboxToken,
    tokenSecret: randomBytes(32).toString('base64url'),
    choices: {...defaultChoices, ...options.choices},
    rooms: [],
    messages: [],
    events: [],
    containers: [],
    resources: [],
    push: emptyPush(),
  }
}

/** How many messages and events are remembered. Every command reads the whole world, so it must not grow for ever. */
const mostRecent = 500

/** Adds to a list of memories and lets the oldest go. */
export function appendRecent<T>(list: T[], entry: T): void {
  list.push(entry)
  list.splice(0, list.length - mostRecent)
}

/** A moment as the service writes it: ISO 8601 UTC, with milliseconds only where there are any. */
export function isoUtc(moment: Date): string {
  return moment.toISOString().replace('.000Z', 'Z')
}

/** A container (asset, Container). Its path has no slash at its ends: `games/puzzle`. */
export interface Container {
  readonly path: string
  /** `_id` on the wire. */
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly name: string
  description: string
}

/** What the create request of an upload says of its file (asset, Create upload headers), decoded. */
export interface UploadFacts {
  /** The path of the container. */
  readonly container: string
  /** Original_File_Name. */
  readonly name: string
  readonly platform: Platform
  readonly description: string
  /** Asset_Resource_File_Id. */
  readonly link?: string
}

/** A file that is there whole (asset, Common resource metadata). */
export interface StoredResource extends UploadFacts {
  /** `_id` on the wire. */
  readonly id: string
  readonly uuid: string
  /** Bytes. */
  readonly size: number
  /** ISO 8601 UTC. */
  readonly createdAt: string
  /** The bytes in base64, of a demonstration file; those of an uploaded one are in the files folder. */
  readonly content?: string
}

interface Places {
  readonly containers: readonly Container[]
  readonly resources: readonly StoredResource[]
}

/** A new internal id and uuid, which no other process can have made too. */
export function newIdentity(): {id: string; uuid: string} {
  return {id: randomBytes(12).toString('hex'), uuid: randomUUID()}
}

/** The path of the parent container; empty at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function containerAt<W extends Places>({containers}: W, path: string): W['containers'][number] | undefined {
  return containers.find((container) => container.path === path)
}

export function resourceAt({resources}: Places, container: string, uuid: string): StoredResource | undefined {
  return resources.find((resource) => resource.uuid === uuid && resource.container === container)
}

/**
 * Says whether a resource is an asset resource, which the document describes as "bundle files and a catalog file": one that
 * is linked to an asset file, or has the name of a bundle or a catalog.
 */
export function isAsset({name, link}: StoredResource): boolean {
  return link !== undefined || /\.bundle$|^catalog.*\.(?:json|bin|hash)$/i.test(name)
}

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
export interface PushNotification {
  readonly title: string
  readonly body: string
  readonly dispatchType: (typeof dispatchTypes)[number]
  readonly destination: readonly (typeof destinations)[number][]
  /** ISO 8601 UTC; absent for IMMEDIATE. */
  readonly dispatchAt?: string
}

/** A request to send a notification to all users of an application (push, States). */
export interface PushRequest extends PushNotification {
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

/**
 * Something the sandbox's own commands cannot do. `code` is the one the service would answer, where it has one, and
 * decides the exit code; without one it is `exit`, a wrong state unless said otherwise.
 */
export class SandboxProblem extends Failure {
  override readonly name = 'SandboxProblem'
  readonly code: Code | undefined

  constructor(
    message: string,
    code?: Code,
    {exit = 'state', why, try: advice, cause}: ErrorOptions & Partial<Pick<FailureFacts, 'exit' | 'why' | 'try'>> = {},
  ) {
    super({exit: code ? catalogue[code].exit : exit, code, message, why, try: advice}, {cause})
    this.code = code
  }
}
