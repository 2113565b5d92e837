import {readFileSync} from 'node:fs'
import {Pool} from 'undici'

// The POSTs of `room end` by undici's own pool and nothing else: no profile, no journal, nothing checked but the status.
// Arguments: the address of the service, how many at a time, and the file of ids.

const [url = '', width = '', file = ''] = process.argv.slice(2)
const {origin, pathname} = new URL(url)
const ids = readFileSync(file, 'utf8').trimEnd().split('\n')
const pool = new Pool(origin, {connections: Number(width), pipelining: 1})
const headers = {authorization: 'Bearer bench', 'content-type': 'application/json', accept: 'application/json'}

async function end(id: string): Promise<void> {
  const path = `${pathname}/v1/rooms/${id}/end`
  const {statusCode, body} = await pool.request({method: 'POST', path, headers, body: '{"requester_id":"ann"}'})
  const {status} = (await body.json()) as {status?: string}
  if (statusCode !== 200 || status !== 'SUCCESS') throw new Error(`${id} was answered with ${statusCode}`)
}

async function main(): Promise<void> {
  let next = 0
  const worker = async () => {
    for (let id = ids[next++]; id !== undefined; id = ids[next++]) await end(id)
  }
  await Promise.all(Array.from({length: Number(width)}, worker))
  await pool.close()
}

void main()
