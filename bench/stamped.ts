import {readFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'

// An asset service whose one container has a stamped resource for each line of a file: its name, its sha256 and its size, with tabs. It runs in a
// process of its own. Prints its address. Its second argument is how many milliseconds an answer takes. `/requests` returns the number of requests answered since the last such request.

const files = readFileSync(process.argv[2] ?? '', 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))
const place = '/asset/games/puzzle'
const describe = (sha256 = '') => `Build 42 [sha256:${sha256}]`
const listing = JSON.stringify({
  type: 'BasicContainer',
  name: 'puzzle',
  contains: [],
  resources: {
    assetResources: files.map(([name, sha256], at) => {
      const uri = `${place}/u-${at}?type=asset`
      return {type: 'AssetResource', platform: 'IOS', name, uri, description: describe(sha256)}
    }),
    commonResources: [],
  },
})

function metaOf(at: number): string {
  const [name, sha256] = files[at] ?? []
  const uuid = `u-${at}`
  const facts = {uuid, originalFileName: name, platform: 'IOS', description: describe(sha256), trashed: false}
  return JSON.stringify({...facts, dataUrl: `http://127.0.0.1:9/data/${uuid}`, parents: '/games/puzzle/'})
}

const delayMs = Number(process.argv[3] ?? 0)
let requests = 0
const server = createServer(({url = ''}, answer) => {
  answer.setHeader('content-type', 'application/json')
  if (url === '/requests') {
    answer.end(`${requests}`)
    requests = 0
    return
  }
  requests += 1
  const [, at, query] = /\/u-(\d+)(\?type=meta)?$/.exec(url) ?? []
  // A HEAD asks for the offset of an upload (tus 1.0.0).
  const [, , size = '0'] = files[Number(at)] ?? []
  if (at !== undefined && !query) answer.setHeaders(new Headers({'upload-offset': size, 'upload-length': size}))
  const text = at === undefined ? listing : query ? metaOf(Number(at)) : ''
  if (delayMs > 0) setTimeout(() => answer.end(text), delayMs)
  else answer.end(text)
}).listen(0, '127.0.0.1', () => {
  const {port} = server.address() as AddressInfo
  process.stdout.write(`http://127.0.0.1:${port}/asset\n`)
})
