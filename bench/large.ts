import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {Readable} from 'node:stream'

// A room and an asset service with as much as asked for: rooms in the list, attendees in each room, and resources in each container, which
// have bytes. It runs in a process of its own, so that its work is not charged to the program that is measured. Prints its address.
// Its argument is a JSON object of `Amounts`.

interface Amounts {
  readonly rooms?: number
  /** The name of the first room ends with this. */
  readonly suffix?: string
  readonly attendees?: number
  readonly resources?: number
  /** Of each resource. */
  readonly bytes?: number
}

const {
  rooms = 1,
  suffix = '',
  attendees = 1,
  resources = 0,
  bytes = 16_384,
}: Amounts = JSON.parse(process.argv[2] ?? '{}')

const roomAt = (at: number) => ({
  room_id: `5f3c9a1e-${String(at).padStart(8, '0')}`,
  name: `Weekly planning of team ${at % 97}${at === 0 ? suffix : ''}`,
  room_status: 'MEETING',
  start_time: '2026-12-01T09:01:12Z',
  max_attendee_count: 50,
  is_public: at % 2 === 0,
  created_by: `user-${at % 1000}`,
  host_selection_type: 'CREATOR',
  is_elect_host: true,
  is_joinable: true,
})
const attendeeAt = (at: number) => ({user_id: `user-${at}`, is_host: at === 0, is_present: at % 2 === 0})
const resourceAt = (at: number) => ({
  type: 'AssetResource',
  platform: 'IOS',
  name: `part${at}.png`,
  uri: `/asset/games/puzzle/u-${at}?type=asset`,
  description: '',
})
const content = Buffer.alloc(bytes, 'roomctl ')

/** A JSON text with the elements in place of `[]`, in pieces of a thousand, since it can be larger than a string may be. */
function* withElements(text: string, count: number, at: (index: number) => object): Generator<string> {
  const [before, after] = text.split('[]', 2)
  yield `${before}[`
  for (let from = 0; from < count; from += 1000) {
    const piece = Array.from({length: Math.min(1000, count - from)}, (_, index) => at(from + index))
    yield `${from === 0 ? '' : ','}${JSON.stringify(piece).slice(1, -1)}`
  }
  yield `]${after}`
}

function metaOf(at: number, address: string): string {
  const {name, platform} = resourceAt(at)
  const dataUrl = `${address}/asset/games/puzzle/u-${at}?type=asset`
  return JSON.stringify({uuid: `u-${at}`, originalFileName: name, platform, description: '', trashed: false, dataUrl})
}

const server = createServer(({method = '', url = '', headers}, answer) => {
  const [, at] = /\/u-(\d+)(?:\?|$)/.exec(url) ?? []
  if (at !== undefined && (method === 'HEAD' || !url.endsWith('type=meta'))) {
    answer.setHeader('etag', `"${at}"`)
    answer.setHeader('content-length', content.length)
    answer.setHeader('upload-offset', content.length)
    answer.setHeader('upload-length', content.length)
    answer.end(method === 'HEAD' ? undefined : content)
    return
  }
  answer.setHeader('content-type', 'application/json')
  if (at !== undefined) answer.end(metaOf(Number(at), `http://${headers.host}`))
  else if (url.startsWith('/asset')) {
    const text =
      '{"type":"BasicContainer","name":"puzzle","contains":"","resources":{"commonResources":"","assetResources":[]}}'
    Readable.from(withElements(text.replaceAll('""', '[ ]'), resources, resourceAt)).pipe(answer)
  } else if (/\/rooms(?:\?|$)/.test(url)) {
    Readable.from(withElements('{"status":"SUCCESS","data":[]}', rooms, roomAt)).pipe(answer)
  } else if (method === 'GET') {
    const id = url.split('/').at(-1) ?? ''
    const room = JSON.stringify({...roomAt(0), room_id: id, attendees: []})
    Readable.from(withElements(`{"status":"SUCCESS","data":${room}}`, attendees, attendeeAt)).pipe(answer)
  } else answer.end('{"status":"SUCCESS"}')
}).listen(0, '127.0.0.1', () => {
  // A server on a port has an address with one.
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}\n`)
})
