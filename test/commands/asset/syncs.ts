import {createHash} from 'node:crypto'
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import type {WorldStore} from '../../../src/sandbox/world/store.js'
import type {Circumstances, Ran, Sent} from '../../support/cli.js'
import {type Bench, bench, creates, patches} from './uploads.js'

/** One row of the results, as far as the tests look at it. */
export interface Row {
  readonly file: string
  readonly role: string
  readonly uuid: string | null
  readonly sha256: string | null
  readonly outcome: string
  readonly reason?: string
  readonly resumed_from?: number
  readonly error?: {
    readonly code: string
    readonly exit_code: number
    readonly outcome: string
    readonly why: string | null
  }
}

/** A folder that is synced to `games/archive`, which is empty at first. */
export interface SyncBench extends Bench {
  readonly folder: string
  /** Writes files into the folder. */
  readonly put: (files: Readonly<Record<string, string | Uint8Array>>) => void
  readonly drop: (file: string) => void
  /** The sha256 of what the service returns. */
  readonly readBack: (uuid: string | null | undefined) => Promise<string>
  /** Runs `asset sync games/archive FOLDER`, with more words behind. */
  readonly sync: (more?: readonly string[], where?: Circumstances) => Promise<Ran>
}

/** The default contents of the folder: an asset, the bundle that has its name, a catalog. */
export const files = {'level.unity': 'the asset', 'level.bundle': 'the bundle', 'catalog.json': '{"level": 1}'}

/** Flags that say what the folder does not. */
export const words = ['--platform', 'ios', '--description', 'Build 42'] as const

export async function syncBench(content: Readonly<Record<string, string | Uint8Array>> = files): Promise<SyncBench> {
  const own = await bench()
  const folder = path.join(own.home, 'build')
  const put = (more: Readonly<Record<string, string | Uint8Array>>) => {
    for (const [name, text] of Object.entries(more)) {
      mkdirSync(path.dirname(path.join(folder, name)), {recursive: true})
      writeFileSync(path.join(folder, name), text)
    }
  }
  put(content)
  return {
    ...own,
    folder,
    put,
    drop: (file) => rmSync(path.join(folder, file), {force: true}),
    readBack: async (uuid) => {
      const to = path.join(own.home, 'read')
      await own.cli(['asset', 'download', `games/archive/${uuid}`, '--to', to, '--overwrite'])
      return sha256(readFileSync(to))
    },
    sync: (more = words, where = {}) => own.cli(['asset', 'sync', 'games/archive', folder, ...more], where),
  }
}

export function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** The results of a run, by their file. */
export function rowsOf({stdout}: Ran): Map<string, Row> {
  const rows: Row[] = JSON.parse(stdout)
  return new Map(rows.map((row) => [row.file, row]))
}

/** The outcome of each file, in the order of the results. */
export function outcomes(ran: Ran): [string, string][] {
  return [...rowsOf(ran).values()].map(({file, outcome}) => [file, outcome])
}

/** The names of the files whose uploads were started. */
export function begun({sent}: Pick<Ran, 'sent'>): string[] {
  return creates(sent).map(({headers}) => headers.Original_File_Name ?? '')
}

/** How many bytes of files were sent. */
export function bytesSent(sent: readonly Sent[]): number {
  return patches(sent).reduce((sum, {headers}) => sum + Number(headers['Content-Length']), 0)
}

/** Takes a resource out of its container, as another user might. */
export async function remove(store: WorldStore, uuid: string): Promise<void> {
  await store.change((world) => {
    world.resources.splice(
      world.resources.findIndex((resource) => resource.uuid === uuid),
      1,
    )
  })
}
