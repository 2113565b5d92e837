import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

// A room service that knows a list of as many rooms as asked for, and one room, whatever its id. It runs in a process of its own, so that
// its work is not charged to the program that is measured. Prints its address.

const count = Number(process.argv[2])
const states = ['MEETING', 'RESERVED', 'IDLE', 'ENDED']
const roomAt = (at: number) => ({
  room_id: `5f3c9a1e-${String(at).padStart(8, '0')}`,
  name: `Weekly planning of team ${at % 97}`,
  room_status: states[at % states.length],
  reserved_start_time: '2026-12-01T09:00:00Z',
  reserved_end_time: '2026-12-01T10:00:00Z',
  start_time: '2026-12-01T09:01:12Z',
  end_time: '',
  max_attendee_count: 50,
  is_public: at % 2 === 0,
  created_by: `user-${at % 1000}`,
  description:
    'Every week the team looks at what it planned, what it did and what it learnt from the difference. '.repeat(2),
  is_joinable: true,
})

const rooms = Array.from({length: count}, (_, at) => roomAt(at))
const body = Buffer.from(JSON.stringify({status: 'SUCCESS', data: rooms}))

const host = {user_id: 'ann', is_host: true, is_present: true}

const server = createServer(({url = ''}, answer) => {
  answer.setHeader('content-type', 'application/json')
  if (!/\/rooms(?:\?|$)/.test(url)) {
    const room_id = decodeURIComponent(url.split('/').at(-1) ?? '')
    answer.end(JSON.stringify({status: 'SUCCESS', data: {...roomAt(0), room_id, attendees: [host]}}))
  } else answer.end(body)
}).listen(0, '127.0.0.1', () => {
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/media\n`)
})
