import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

// A room service in which something happens before each answer with the list, but for the first. It runs in a process of its own
// and prints its address; /made returns the number of events that a watch must have reported by now.

const meetings = 4
const others = 96
const start = '2026-12-01T09:00:00Z'

interface Room {
  room_id: string
  name: string
  room_status: string
  max_attendee_count: number
  reserved_start_time: string
  created_by: string
}

const rooms = Array.from({length: meetings + others}, (_, at) =>
  roomOf(`r-${at}`, at < meetings ? 'MEETING' : 'RESERVED'),
)
const users = ['ann', 'ben', ...Array.from({length: 17}, (_, at) => `user-${at}`)]
const present = rooms.map(() => new Set(['ann']))
const hosts = rooms.map(() => 'ann')
let lists = 0
let made = 0

function roomOf(room_id: string, room_status: string): Room {
  const name = `Planning of ${room_id}`
  return {room_id, name, room_status, max_attendee_count: 30, reserved_start_time: start, created_by: 'ann'}
}

/** One event or more before each list: people come and go, hosts and limits change, a room appears and goes again. */
function happen(): void {
  const meeting = lists % meetings
  const people = present[meeting]
  const user = `user-${(lists * 5) % 17}`
  if (people?.has(user)) people.delete(user)
  else people?.add(user)
  made += 1
  if (lists % 3 === 0) {
    hosts[meeting] = hosts[meeting] === 'ann' ? 'ben' : 'ann'
    made += 1
  }
  const limited = rooms[lists % (meetings + others)]
  if (limited) limited.max_attendee_count += 1
  made += 1
  if (lists % 7 === 0) {
    rooms.push(roomOf(`r-new-${lists}`, 'RESERVED'))
    made += 1
  }
  if (lists % 7 === 3 && rooms.length > meetings + others) {
    rooms.pop()
    made += 1
  }
}

function detail(id: string): object {
  const at = rooms.findIndex((room) => room.room_id === id)
  const isMeeting = at < meetings
  const attendees = users.map((user_id) => ({
    user_id,
    is_host: user_id === (hosts[at] ?? 'ann'),
    is_present: isMeeting && present[at]?.has(user_id) === true,
  }))
  return {...rooms[at], attendees, attendee_count: {present_count: present[at]?.size ?? 0}}
}

function answer(path: string): unknown {
  if (path === '/made') return made
  if (path !== '/media/v1/rooms') return detail(path.split('/').at(-1) ?? '')
  if (lists > 0) happen()
  lists += 1
  return rooms
}

const server = createServer((request, reply) => {
  reply.setHeader('content-type', 'application/json')
  reply.end(JSON.stringify({status: 'SUCCESS', data: answer(request.url ?? '')}))
}).listen(0, '127.0.0.1', () => {
  // A server on a port has an address with one.
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/media\n`)
})
