import {roomStates} from '../../api/contract/room.js'
import type {World} from './world.js'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isAttendee(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {userId} = value
  return typeof userId === 'string'
}

function isRoom(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {id, status, files, attendees} = value
  return (
    typeof id === 'string' &&
    roomStates.some((state) => state === status) &&
    Array.isArray(files) &&
    Array.isArray(attendees) &&
    attendees.every(isAttendee)
  )
}

function isContainer(value: unknown): boolean {
  return isRecord(value) && typeof value.path === 'string'
}

function isResource(value: unknown): boolean {
  if (!isRecord(value)) return false
  const {uuid, container, name, size} = value
  return [uuid, container, name].every((text) => typeof text === 'string') && typeof size === 'number'
}

function isPushUser(value: unknown): boolean {
  return isRecord(value) && typeof value.userId === 'string' && Array.isArray(value.tokens)
}

/** The push service's part; a world from before it has none. */
function isPush(value: unknown): boolean {
  if (value === undefined) return true
  if (!isRecord(value)) return false
  const {users, requests, transactions, applications} = value
  const lists = [users, requests, transactions, applications]
  return lists.every((list) => Array.isArray(list) && list.every(isRecord)) && isListOf(isPushUser, users)
}

/** A list in which everything passes; a world from before the asset service has none. */
function isListOf(isOne: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isOne))
}

/** A world as an earlier version may have kept it: without what came later. */
export type KeptWorld = Omit<World, Later> & Partial<Pick<World, Later>>
type Later = 'containers' | 'resources' | 'push'

/** Says whether something read from a file is a world; a look at what every rule relies on. */
export function isWorld(value: unknown): value is KeptWorld {
  if (!isRecord(value)) return false
  const {version, applicationToken, tokenSecret, choices, rooms, messages, events, containers, resources, push} = value
  return (
    version === 1 &&
    typeof applicationToken === 'string' &&
    typeof tokenSecret === 'string' &&
    isRecord(choices) &&
    Array.isArray(rooms) &&
    rooms.every(isRoom) &&
    Array.isArray(messages) &&
    Array.isArray(events) &&
    isListOf(isContainer, containers) &&
    isListOf(isResource, resources) &&
    isPush(push)
  )
}
