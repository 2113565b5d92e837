import {randomBytes} from 'node:crypto'
import type {layouts} from '../../api/contract/record.js'
import type {hostSelectionTypes, RoomState} from '../../api/contract/room.js'
import type {Container, Resource} from './assetWorld.js'
import {type Choices, type Configuration, defaultChoices} from './options.js'
import {emptyPush, type PushWorld} from './pushWorld.js'

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

/** A stored recording, under its wire names: bytes and nanoseconds (room, Recording file entry). */
export type RecordingFile = {
  readonly file_name: string
  readonly file_size: number
  readonly duration: number
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

/** What the service told its clients (room, Events). The form of these is not shown, so only the fact is kept. */
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
  readonly applicationToken: string
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
  resources: Resource[]
  push: PushWorld
}

/** The token of a sandbox that was given no other, for every service. It protects nothing and may be known. */
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
const remembered = 500

/** Adds to a list of memories and lets the oldest go. */
export function remember<T>(list: T[], entry: T): void {
  list.push(entry)
  list.splice(0, list.length - remembered)
}
