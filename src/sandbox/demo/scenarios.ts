import {rm} from 'node:fs/promises'
import type {Code} from '../../api/contract/codes.js'
import {errorCatalog} from '../../api/contract/errorCatalog.js'
import {type Failure, failureWith} from '../../failure.js'
import {checkAdmission, enterRoom, leaveRoom} from '../room/presence.js'
import {attendeeIn, currentHost, findRoom, isHost, presentAttendees} from '../room/rules.js'
import {SandboxRefusal} from '../wire/service.js'
import type {WorldStore} from '../world/store.js'
import {type Choices, newWorld, type Room, type World} from '../world/world.js'
import {seedAssets} from './demoAssets.js'
import {seedPush} from './demoPush.js'
import {demoRooms} from './demoRooms.js'

export type PresenceChange = Awaited<ReturnType<typeof enterSandboxRoom>>

/** The Failure of a change that cannot be made, with the exit of the code that the service would answer. */
function refusedChange(message: string, code?: Code): Failure {
  return failureWith(code ? errorCatalog[code].exit : 'state', message, {code})
}

/** Throws Failure with the code of the rule that refuses. */
function presenceChange(change: (room: Room, userId: string, now: Date, world: World) => string[]) {
  return async (store: WorldStore, roomId: string, userId: string, now: Date) => {
    try {
      return await store.change((world) => {
        const room = findRoom(world, roomId)
        const notes = change(room, userId, now, world)
        return {
          room_id: room.room_id,
          user_id: userId,
          room_status: room.room_status,
          host: currentHost(room)?.user_id ?? null,
          present_count: presentAttendees(room).length,
          /** Phrases without a full stop: `ben entered`, `the room is IDLE`. */
          notes,
        }
      })
    } catch (error) {
      if (error instanceof SandboxRefusal) throw refusedChange(error.message, error.code)
      throw error
    }
  }
}

/** The document shows no code for a room that is not joinable (room §1). */
function checkJoinable(room: Room, userId: string, {joinableFalse}: Choices): void {
  if (room.is_joinable || (joinableFalse === 'host' && isHost(room, userId))) return
  const who = joinableFalse === 'host' ? 'only its host' : 'nobody'
  throw refusedChange(`room ${room.room_id} is not joinable: ${who} may enter until is_joinable is true`)
}

/** Connects a user to a room, as a client with a token would (the protocol is not shown). */
export const enterSandboxRoom = presenceChange((room, userId, now, {choices}) => {
  const isPresent = attendeeIn(room, userId)?.is_present
  if (isPresent) throw refusedChange(`user ${userId} is in room ${room.room_id} already`)
  checkAdmission(room, userId)
  checkJoinable(room, userId, choices)
  return enterRoom(room, userId, now)
})

export const leaveSandboxRoom = presenceChange((room, userId, now) => {
  const attendee = attendeeIn(room, userId)
  if (!attendee?.is_present) throw refusedChange(`user ${userId} is not in room ${room.room_id}`)
  return leaveRoom(room, [attendee], now)
})

/** Sets choices for the sandbox's servers and commands alike; the others stay. */
export function configureSandbox(store: WorldStore, choices: Partial<Choices>): Promise<void> {
  return store.change((world) => {
    world.choices = {...world.choices, ...choices}
  })
}

/** Adds the demonstration in place of an earlier one. Returns the ids of the rooms. */
export function seedSandbox(store: WorldStore, now: Date): Promise<string[]> {
  return store.change((world) => {
    const rooms = demoRooms(now)
    const ids = rooms.map((room) => room.room_id)
    world.rooms = [...world.rooms.filter((room) => !ids.includes(room.room_id)), ...rooms]
    seedAssets(world, now)
    seedPush(world, now)
    return ids
  })
}

/** Starts over with an empty world, also if the old one cannot be read; removes the uploaded bytes in `files`. */
export async function resetSandbox(
  store: WorldStore,
  {files, choices = {}}: {readonly choices?: Partial<Choices>; readonly files?: string} = {},
): Promise<void> {
  await store.replace(newWorld({choices}))
  if (files !== undefined) await rm(files, {recursive: true, force: true})
}
