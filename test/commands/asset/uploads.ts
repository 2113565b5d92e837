import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Transport, WireRequest} from '../../../src/api/http/wire/transport.js'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import {type Circumstances, cli, demoStore, freshHome, type Ran, type Sent} from '../../support/cli.js'
import {sandboxOf} from '../answers.js'

/** A file of bytes that depend on its name, and their sha256. */
export interface Made {
  readonly path: string
  readonly bytes: Buffer
  readonly sha256: string
}

/** A folder of files to upload, a home and a sandbox, shared by the lines that are run in it. */
export interface Bench {
  readonly home: string
  readonly store: WorldStore
  readonly file: (name: string, size: number) => Made
  /** Runs `asset upload games/puzzle FILES --platform ios --description d`, with more words behind. */
  readonly upload: (files: readonly (Made | string)[], more?: readonly string[], where?: Circumstances) => Promise<Ran>
  readonly cli: (line: readonly string[], where?: Circumstances) => Promise<Ran>
  /** The service's bytes of an upload. */
  readonly bytesOf: (uuid: string) => Promise<string>
}

export async function bench(): Promise<Bench> {
  const home = freshHome()
  const store = await demoStore()
  const folder = join(home, 'work')
  mkdirSync(folder)
  const run = (line: readonly string[], where: Circumstances = {}) => cli(line, {home, store, ...where})
  return {
    home,
    store,
    cli: run,
    file: (name, size) => {
      const path = join(folder, name)
      const bytes = Buffer.alloc(size, `${name} of ${size} bytes; `)
      writeFileSync(path, bytes)
      return {path, bytes, sha256: createHash('sha256').update(bytes).digest('hex')}
    },
    upload: (files, more = [], where = {}) => {
      const paths = files.map((file) => (typeof file === 'string' ? file : file.path))
      const words = ['asset', 'upload', 'games/puzzle', ...paths, '--platform', 'ios', '--description', 'd', ...more]
      return run(words, where)
    },
    bytesOf: async (uuid) => {
      const to = join(home, `${uuid}.read`)
      await run(['asset', 'download', `games/puzzle/${uuid}`, '--to', to, '--overwrite'])
      return createHash('sha256').update(readFileSync(to)).digest('hex')
    },
  }
}

export const creates = (sent: readonly Sent[]) => sent.filter(({method}) => method === 'POST')
export const patches = (sent: readonly Sent[]) => sent.filter(({method}) => method === 'PATCH')

/** A header by the name that the document gives it, in that case. */
export function header({headers}: Pick<Sent, 'headers'>, name: string): string | undefined {
  return headers[name]
}

/** The sandbox of a store, with something done before each request that it answers. */
export function watched(store: WorldStore, look: (request: WireRequest) => void | Promise<void>): Transport {
  const sandbox = sandboxOf(store)
  return async (request) => {
    await look(request)
    return sandbox(request)
  }
}
