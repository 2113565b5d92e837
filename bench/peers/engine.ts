import path from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {upload} from '../../src/contract/asset.js'
import {directTransport} from '../../src/http/direct.js'
import {withCredential} from '../../src/http/layers.js'
import {openUploader} from '../../src/upload/engine/uploader.js'
import type {UploadJob, UploadSettings} from '../../src/upload/job.js'
import {openLedger} from '../../src/upload/ledger/ledger.js'
import {uploadAll} from '../../src/upload/pool.js'

// What `asset upload` uploads with, without the command: no profile, no arguments to understand, nothing drawn. Arguments:
// the file of the digest thread, the address of the service, the container, the folder of the ledger, how many files at a
// time, the checksum, sha256 or none, and the files.

const [digestThread = '', url = '', container = '', state = '', width = '', checksum, sha256, ...files] =
  process.argv.slice(2)
const base = new URL(url)
const open = directTransport({connectMs: 10_000, headersMs: 30_000})
const header = async () => ({authorization: 'Bearer bench'})
const {signal} = new AbortController()
const settings: UploadSettings = {
  checksum: checksum === 'sha1' ? 'sha1' : 'none',
  sha256: sha256 === 'sha256',
  fresh: false,
  headerEncoding: 'percent',
  stallMs: 60_000,
  attempts: 8,
}
const jobs = files.map(
  (file): UploadJob => ({
    key: file,
    path: file,
    container,
    name: path.basename(file),
    platform: 'ios',
    description: 'bench',
  }),
)

async function main(): Promise<void> {
  const ledger = await openLedger(state, {now: () => new Date()})
  const uploader = openUploader({
    access: {
      base,
      route: () => ({method: upload.method, path: upload.route}),
      open,
      transport: withCredential(open, {origin: base.origin, header}),
    },
    ledger,
    settings,
    emit: () => {},
    now: () => new Date(),
    random: Math.random,
    sleep: (ms, ended) => sleep(ms, undefined, {signal: ended}).catch(() => {}),
    signal,
    digestThread,
  })
  const uploads = await uploadAll(uploader, jobs, {
    concurrency: Number(width),
    failFast: true,
    signal,
    emit: () => {},
  })
  await uploader.close()
  await ledger.close()
  if (uploads.some(({outcome}) => outcome !== 'done')) process.exitCode = 1
}

void main()
