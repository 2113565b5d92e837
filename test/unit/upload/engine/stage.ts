import {createCipheriv, createHash} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {directTransport} from '../../../../src/api/http/transports/direct.js'
import {withCredential} from '../../../../src/api/http/transports/selectTransport.js'
import {openUploader} from '../../../../src/upload/engine/uploader.js'
import type {UploadContext} from '../../../../src/upload/engine/uploadState.js'
import {openLedger} from '../../../../src/upload/ledger/ledger.js'
import type {UploadEvent, UploadJob, UploadSettings} from '../../../../src/upload/model/job.js'
import {freshFolder} from '../../../support/folder.js'
import {atEnd} from '../../api/http/support.js'

export const chunk = 64 * 1024

/** Bytes without a pattern, the same each time. */
export function bytes(size: number, seed = 'a'): Buffer {
  const key = createHash('md5').update(seed).digest()
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size))
}

/** A file of that size in a folder of its own. */
export function file(size: number, name = 'level1.bundle'): string {
  const at = path.join(freshFolder(), name)
  writeFileSync(at, bytes(size))
  return at
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

export function sha256Of(at: string): string {
  return sha256(readFileSync(at))
}

export function job(at: string, changed: Partial<UploadJob> = {}): UploadJob {
  const name = path.basename(at)
  const [key, description] = [name, 'of the test']
  return {key, path: at, container: 'games/foo', name, platform: 'ios', description, ...changed}
}

export const defaults: UploadSettings = {
  checksum: 'sha1',
  fresh: false,
  headerEncoding: 'percent',
  stallMs: 20_000,
  attempts: 8,
}

interface Circumstances {
  readonly settings?: Partial<UploadSettings>
  /** The folder of the ledger; one of its own if it is not given. */
  readonly state?: string
  readonly abort?: AbortController
  readonly token?: string
  readonly now?: () => Date
  readonly onEvent?: (event: UploadEvent) => unknown
  /** Parts of the tool's own choice; else they are of 64 KiB, unless the settings say more. */
  readonly chunks?: 'usual'
  /** What each wait takes in place of its time. */
  readonly sleepMs?: number
  /** The uuids that the container lists under the name of the file. */
  readonly listed?: readonly string[]
  /** Their role for the file; default `other`. */
  readonly identities?: Readonly<Record<string, Awaited<ReturnType<UploadContext['identify']>>>>
  /** How many bytes the dataUrl of an upload has; nothing says it, unless it is given. */
  readonly storedBytes?: (uuid: string) => number | undefined
}

/** One run of the tool over a service at that base address: its waits take no time, and its ledger is a real one. */
export async function run(base: URL, circumstances: Circumstances = {}) {
  const {state = freshFolder(), abort = new AbortController(), token = 'token', now, onEvent, sleepMs} = circumstances
  const events: UploadEvent[] = []
  const slept: number[] = []
  const ledger = await openLedger(state, {now: () => new Date()})
  const open = directTransport({connectMs: 2_000, headersMs: 2_000})
  const context: UploadContext = {
    access: {
      base,
      open,
      transport: withCredential(open, {origin: base.origin, header: async () => ({authorization: `Bearer ${token}`})}),
      route: ({method, route}) => ({method, path: route}),
    },
    ledger,
    settings: {
      ...defaults,
      ...(circumstances.chunks ? {} : {chunkBytes: chunk}),
      ...circumstances.settings,
    },
    emit: (event) => {
      events.push(event)
      onEvent?.(event)
    },
    now: () => now?.() ?? new Date(),
    random: () => 0.5,
    sleep: async (ms) => {
      slept.push(ms)
      if (sleepMs) await pause(sleepMs)
    },
    signal: abort.signal,
    listedAs: async () => circumstances.listed ?? [],
    identify: async (_, {uuid}) => {
      const identity = circumstances.identities?.[uuid] ?? 'other'
      return typeof identity === 'object' ? {...identity} : identity
    },
    storedBytes: async (_, uuid) => circumstances.storedBytes?.(uuid),
  }
  const uploader = openUploader(context)
  const end = async () => {
    await uploader.close()
    await ledger.close()
  }
  atEnd(end)
  return {
    upload: (task: UploadJob) => uploader.upload(task),
    /** Ends the run as the process would. */
    end,
    ledger,
    events,
    /** How long it wanted to wait each time, in milliseconds. */
    slept,
    told: (kind: UploadEvent['kind']) => events.filter((event) => event.kind === kind),
  }
}
