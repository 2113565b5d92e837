import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request} from 'node:http'
import path from 'node:path'

// The floor of many small files: a loop over node:http that reads each file, computes both digests, and sends the two requests
// of its upload. It checks no answer, remembers nothing, and cannot resume. Arguments: the address that uploads are created
// at, how many files at a time, and the files.

const [endpoint = '', width = '1', ...files] = process.argv.slice(2)
const agent = new Agent({keepAlive: true})
const common = {Authorization: 'Bearer bench', 'Tus-Resumable': '1.0.0'}

function send(method: string, url: URL, headers: OutgoingHttpHeaders, body?: Buffer): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const asked = request(url, {agent, method, headers: {...common, ...headers}}, (answer) => {
      answer.resume().on('end', () => resolve(answer.headers))
    })
    asked.on('error', reject).end(body)
  })
}

async function upload(file: string): Promise<void> {
  const content = readFileSync(file)
  const checksum = createHash('sha1').update(content).digest('base64')
  createHash('sha256').update(content).digest('hex')
  const url = new URL(endpoint)
  const {location = ''} = await send('POST', url, {
    'Upload-Length': content.length,
    Original_File_Name: path.basename(file),
    Platform: 'ios',
    Description: 'bench',
  })
  const part = {'Upload-Offset': 0, 'Content-Type': 'application/offset+octet-stream', 'Content-Length': content.length}
  await send('PATCH', new URL(location, url), {...part, 'Upload-Checksum': `sha1 ${checksum}`}, content)
}

async function lane(): Promise<void> {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await upload(file)
}

void Promise.all(Array.from({length: Number(width)}, lane)).then(() => agent.destroy())
