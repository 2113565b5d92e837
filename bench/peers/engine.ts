import path from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {directTransport} from '../../src/api/http/transports/direct.js'
import {withCredential} from '../../src/api/http/transports/layers.js'
import {uploadAll} from '../../src/upload/engine/pool.js'
import type {UploadJob, UploadSettings} from '../../src/upload/model/job.js'
import {type UploadRun, withUploads} from '../../src/upload/run/uploads.js'

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
  const world: UploadRun = {
    access: {
      base,
      route: ({method, route}) => ({method, path: route}),
      open,
      transport: withCredential(open, {origin: base.origin, header}),
    },
    stateDir: state,
    settings,
    emit: () => {},
    listedAs: async () => [],
    holds: async () => false,
    now: () => new Date(),
    random: Math.random,
    sleep: (ms, ended) => sleep(ms, undefined, {signal: ended}).catch(() => {}),
    signal,
    digestThread,
  }
  const uploads = await withUploads(world, ({uploader}) =>
    uploadAll(uploader, jobs, {concurrency: Number(width), failFast: true, signal, emit: () => {}}),
  )
  for (const one of uploads) if (one.outcome === 'failed') throw one.failure
}

void main()
