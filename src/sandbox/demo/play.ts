import {rm} from 'node:fs/promises'
import type {RoomState} from '../../api/contract/room.js'
import {
  assetStatus,
  type ContainerStatus,
  type ResourceStatus,
  type UnfinishedUpload,
  unfinishedUploads,
} from '../asset/status.js'
import {type PushStatus, pushStatus} from '../push/status.js'
import {attendeeOf, hostOf, presentIn} from '../room/people.js'
import {checkAdmission, enterRoom, leaveRoom} from '../room/presence.js'
import {findRoom, isHost} from '../room/rules.js'
import {Refusal} from '../wire/refusal.js'
import type {Choices, Configuration} from '../world/options.js'
import {SandboxProblem} from '../world/problem.js'
import type {WorldStore} from '../world/store.js'
import {newWorld, type Room, type SentMessage, type World, type WorldEvent} from '../world/world.js'
import {seedAssets} from './assetSeed.js'
import {seedPush} from './pushSeed.js'
import {demoRooms} from './seed.js'

/** What somebody's coming or going has done, under wire names where there are any. */
export interface Played {
  readonly room_id: string
  readonly user_id: string
  readonly room_status: RoomState
  readonly host: string | null
  readonly present_count: number
  /** What happened, each as a clause without a stop: `ben entered`, `the room is IDLE`. */
  readonly notes: readonly string[]
}

/** A room as the sandbox knows it, with what the service does not show. */
export interface RoomStatus {
  readonly room_id: string
  readonly name: string
  readonly room_status: RoomState
  readonly host: string | null
  readonly present: readonly string[]
  readonly blocked: readonly string[]
  /** The JSON text that carries the presenter. */
  readonly metadata: string | null
  /** The layout of the running recording. */
  readonly recording: string | null
}

export interface SandboxStatus {
  readonly rooms: readonly RoomStatus[]
  readonly configuration: {readonly application_id: string; readonly values: Configuration} | null
  readonly choices: Choices
  /** Data that was sent, oldest first. */
  readonly messages: readonly SentMessage[]
  readonly events: readonly WorldEvent[]
  readonly containers: readonly ContainerStatus[]
  readonly resources: readonly ResourceStatus[]
  /** What is still being uploaded. */
  readonly uploads: readonly UnfinishedUpload[]
  readonly push: PushStatus
}

/** Plays a scene in a room of the world. A rule that refuses comes out as a SandboxProblem with its code. */
async function play(
  store: WorldStore,
  roomId: string,
  userId: string,
  scene: (room: Room, world: World) => string[],
): Promise<Played> {
  try {
    return await store.change((world) => {
      const room = findRoom(world, roomId)
      const notes = scene(room, world)
      return {
        room_id: room.id,
        user_id: userId,
        room_status: room.status,
        host: hostOf(room)?.userId ?? null,
        present_count: presentIn(room).length,
        notes,
      }
    })
  } catch (error) {
    if (error instanceof Refusal) throw new SandboxProblem(error.message, error.code, {cause: error})
    throw error
  }
}

/** Refuses entrance to a room that is not joinable; the document shows no code for it (room §1). */
function checkJoinable(room: Room, userId: string, {joinableFalse}: Choices): void {
  if (room.isJoinable || (joinableFalse === 'host' && isHost(room, userId))) return
  const who = joinableFalse === 'host' ? 'only its host' : 'nobody'
  throw new SandboxProblem(`room ${room.id} is not joinable: ${who} may enter until is_joinable is true`)
}

/** Connects a user to a room, as a client with a token would (the protocol is not shown). Throws a SandboxProblem. */
export function enter(store: WorldStore, roomId: string, userId: string, now: Date): Promise<Played> {
  return play(store, roomId, userId, (room, world) => {
    if (attendeeOf(room, userId)?.isPresent) throw new SandboxProblem(`user ${userId} is in room ${roomId} already`)
    checkAdmission(room, userId)
    checkJoinable(room, userId, world.choices)
    return enterRoom(room, userId, now)
  })
}

/** Disconnects a user from a room. Throws a SandboxProblem for somebody who is not in it. */
export function leave(store: WorldStore, roomId: string, userId: string, now: Date): Promise<Played> {
  return play(store, roomId, userId, (room, world) => {
    const attendee = attendeeOf(room, userId)
    if (!attendee?.isPresent) throw new SandboxProblem(`user ${userId} is not in room ${roomId}`)
    return leaveRoom(room, [attendee], world.choices, now)
  })
}

function statusOf(room: Room): RoomStatus {
  return {
    room_id: room.id,
    name: room.name,
    room_status: room.status,
    host: hostOf(room)?.userId ?? null,
    present: presentIn(room).map((entry) => entry.userId),
    blocked: room.attendees.filter((entry) => entry.isBlocked).map((entry) => entry.userId),
    metadata: room.metadata ?? null,
    recording: room.recording?.layout ?? null,
  }
}

/**
 * What there is in the sandbox, with everything that the service's own answers leave out; `files` is the folder of its
 * uploaded bytes.
 */
export async function status(store: WorldStore, files?: string): Promise<SandboxStatus> {
  const world = await store.read((current) => current)
  const {rooms, configuration, choices, messages, events} = world
  return {
    rooms: rooms.map(statusOf),
    configuration: configuration ? {application_id: configuration.applicationId, values: configuration.values} : null,
    choices,
    messages,
    events,
    ...assetStatus(world),
    uploads: files === undefined ? [] : await unfinishedUploads(files),
    push: pushStatus(world),
  }
}

/** Sets which readings the sandbox takes from now on, for its servers and commands alike; the others stay. */
export function configure(store: WorldStore, choices: Partial<Choices>): Promise<void> {
  return store.change((world) => {
    world.choices = {...world.choices, ...choices}
  })
}

/**
 * Puts the demonstration into the world, rooms, containers with files, and devices with pushes, fresh ones in place of those
 * that are there. Returns the ids of the rooms.
 */
export function seed(store: WorldStore, _name: 'demo', now: Date): Promise<string[]> {
  return store.change((world) => {
    const rooms = demoRooms(now)
    const ids = rooms.map((room) => room.id)
    world.rooms = [...world.rooms.filter((room) => !ids.includes(room.id)), ...rooms]
    seedAssets(world, now)
    seedPush(world, now)
    return ids
  })
}

/** What a fresh world begins with. */
export interface ResetOptions {
  readonly applicationToken?: string
  readonly choices?: Partial<Choices>
  /** The folder of the old world's uploaded bytes, which are removed. */
  readonly files?: string
}

/** Begins anew with an empty world, also where the old one cannot be read. */
export async function reset(store: WorldStore, {files, ...options}: ResetOptions = {}): Promise<void> {
  await store.replace(newWorld(options))
  if (files !== undefined) await rm(files, {recursive: true, force: true})
}
