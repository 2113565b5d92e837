import {createHmac} from 'node:crypto'
import type {Room, World} from '../world/world.js'
import {recordOf} from './people.js'
import {checkAdmission} from './presence.js'

/** How long a room access token is good. Its lifetime is not shown (room, Authentication). */
const lifetimeSeconds = 60 * 60

function part(content: object): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/**
 * A room access token for the user, as a JWT signed with HS256, and the record that goes with it: a visitor of a public
 * room gets one, and `userName` sets the name in it (room §7). Refuses whom the room does not admit.
 */
export function tokenFor(world: World, room: Room, userId: string, now: Date, userName?: string): string {
  checkAdmission(room, userId)
  const attendee = recordOf(room, userId)
  if (userName !== undefined) attendee.name = userName
  const issued = Math.floor(now.getTime() / 1000)
  const claims = {
    sub: userId,
    room: room.id,
    name: attendee.name ?? userId,
    iat: issued,
    exp: issued + lifetimeSeconds,
    iss: 'roomctl-sandbox',
  }
  const signed = `${part({alg: 'HS256', typ: 'JWT'})}.${part(claims)}`
  return `${signed}.${createHmac('sha256', world.tokenSecret).update(signed).digest('base64url')}`
}
