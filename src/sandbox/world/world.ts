import {randomBytes, randomUUID} from 'node:crypto'
import {type AmbiguityChoices, defaultAmbiguityChoices} from '../../api/contract/ambiguities.js'
import type {createConfiguration} from '../../api/contract/appConfig.js'
import type {Platform} from '../../api/contract/assetShapes.js'
import type {Input} from '../../api/contract/operation.js'
import type {broadcast, PushConfiguration, PushType} from '../../api/contract/push.js'
import type {layouts, RecordingFile} from '../../api/contract/record.js'
import type {hostSelectionTypes} from '../../api/contract/shapes.js'
import type {RoomState} from '../../api/contract/states.js'

/** The application configuration, under its wire names (room, Application configuration). */
export type Configuration = Input<typeof createConfiguration>['body']

/** Readings of an ambiguous document. Stored in the world, for servers and commands alike. */
export interface Choices extends AmbiguityChoices {
  /** The delay of every answer, in milliseconds. */
  readonly latencyMs: number
}

export const defaultChoices: Choices = {
  ...defaultAmbiguityChoices,
  latencyMs: 0,
}

export type Layout = (typeof layouts)[number]

/** A member of a room's attendee list (room, Attendee), under its wire names; in camel case what the service does not show. */
export interface Attendee {
  readonly user_id: string
  is_host: boolean
  is_present: boolean
  is_reserved: boolean
  is_invited: boolean
  isBlocked: boolean
  userName?: string
  /** Rises with every entrance, 0 before the first: who entered earliest becomes host. */
  entered: number
}

export interface Recording {
  readonly layout: Layout
  readonly startedAt: string
}

/** A room, in names like those of an attendee. The actual times are absent while RESERVED (room, Room). All times are ISO 8601 UTC. */
export interface Room {
  readonly room_id: string
  name: string
  room_status: RoomState
  reserved_start_time: string
  reserved_end_time?: string
  start_time?: string
  end_time?: string
  max_attendee_count: number
  is_public: boolean
  readonly created_by: string
  description: string
  is_joinable: boolean
  readonly is_elect_host: boolean
  readonly host_selection_type: (typeof hostSelectionTypes)[number]
  /** A JSON text with the presenter (room §12). */
  metadata?: string
  attendees: Attendee[]
  readonly createdAt: string
  readonly bizId?: string
  recording?: Recording
  files: RecordingFile[]
}

/** The texts of a room whose creation names none. */
export const unsetTexts = {description: ''} satisfies Partial<Room>

/** The state of the sandbox: one application with one token, as plain data. */
export interface World {
  readonly version: 3
  applicationToken: string
  /** Signs the room access tokens. */
  readonly tokenSecret: string
  choices: Choices
  /** In the order of creation. */
  rooms: Room[]
  configuration?: {applicationId: string; values: Configuration}
  /** In the order of creation. */
  containers: Container[]
  /** Complete files, in the order of completion; unfinished ones are in the files folder. */
  resources: StoredResource[]
  push: PushWorld
}

/** The token of a sandbox inside the process, which has no listener to protect. */
export const sandboxToken = 'sandbox-application-token'

/** With a signing secret of its own. */
export function newWorld(options: {applicationToken?: string; choices?: Partial<Choices>} = {}): World {
  return {
    version: 3,
    applicationToken: options.applicationToken ?? sandboxToken,
    tokenSecret: randomBytes(32).toString('base64url'),
    choices: {...defaultChoices, ...options.choices},
    rooms: [],
    containers: [],
    resources: [],
    push: {users: [], requests: [], transactions: [], applications: []},
  }
}

/** ISO 8601 UTC, with milliseconds only if not zero. */
export function isoUtc(moment: Date): string {
  return moment.toISOString().replace('.000Z', 'Z')
}

/** `offset` milliseconds from now, precise to the second. */
export function wholeSecond(now: Date, offset: number): string {
  return isoUtc(new Date(Math.floor((now.getTime() + offset) / 1000) * 1000))
}

/** Merges by key: the fresh elements first. */
export function mergeByKey<T>(fresh: readonly T[], list: readonly T[], keyOf: (element: T) => string): T[] {
  const keys = new Set(fresh.map(keyOf))
  return [...fresh, ...list.filter((element) => !keys.has(keyOf(element)))]
}

/** A container (asset, Container). Its path has no slash at its ends: `games/puzzle`. */
export interface Container {
  readonly path: string
  readonly id: string
  readonly uuid: string
  readonly type: string
  readonly name: string
  description: string
}

/** The create request of an upload (asset, Create upload headers), decoded. */
export interface UploadFacts {
  readonly container: string
  readonly name: string
  readonly platform: Platform
  readonly description: string
  readonly link?: string
}

/** A complete file (asset, Common resource metadata). */
export interface StoredResource extends UploadFacts {
  readonly id: string
  readonly uuid: string
  readonly size: number
  readonly createdAt: string
  /** The bytes of a demonstration file in base64; those of an uploaded one are in the files folder. */
  readonly content?: string
}

/** A new internal id and uuid. */
export function newIdentity(): {id: string; uuid: string} {
  return {id: randomBytes(12).toString('hex'), uuid: randomUUID()}
}

/** Empty for a container at the top. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function containerAt({containers}: World, path: string): Container | undefined {
  return containers.find((container) => container.path === path)
}

/** "Bundle files and a catalog file": linked to an asset file, or with the name of a bundle or a catalog. */
export function isAsset({name, link}: StoredResource): boolean {
  return link !== undefined || /\.bundle$|^catalog.*\.(?:json|bin|hash)$/i.test(name)
}

// The objects of the push service have their wire names, and are shown unchanged.

export interface PushUser {
  readonly user_id: string
  /** `is_gone`: the device is gone, so sending to it fails. Only the demonstration has one. */
  tokens: readonly {readonly push_type: PushType; readonly push_token: string; readonly is_gone: boolean}[]
}

/** A request to send a notification to all users of an application (push §3, §4 and States). */
export interface PushRequest extends Omit<Input<typeof broadcast>['body'], 'dispatch_date'> {
  readonly request_uuid: string
  readonly application_id: string
  readonly status: 'SCHEDULED' | 'SENT' | 'CANCELLED'
  readonly dispatch_at?: string
  readonly sent_at?: string
}

/** One notification on its way to one user (push, Transaction record). */
export interface PushTransaction {
  readonly request_id: string
  readonly transaction_at: string
  readonly recipient_id: string
  readonly transaction_id: string
  readonly status: 'SUCCESS' | 'FAILED'
  /** Absent for what went to named users: that operation names no application (push §2). */
  readonly application_id?: string
}

/** The credentials of an application (push, Notification configuration record), without files and passwords. */
export interface PushApplication {
  readonly application_id: string
  readonly android?: PushConfiguration
  readonly ios?: PushConfiguration
}

/** Lists are in the order of creation. */
export interface PushWorld {
  users: PushUser[]
  requests: PushRequest[]
  transactions: PushTransaction[]
  applications: PushApplication[]
}

export function pushUserOf({users}: PushWorld, userId: string): PushUser | undefined {
  return users.find((user) => user.user_id === userId)
}
