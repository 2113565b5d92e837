import {randomUUID} from 'node:crypto'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {WorldStore} from '../../src/sandbox/world/store.js'

/** Made with the first upload, gone with the run. */
const root = path.join(tmpdir(), `roomctl-files-${randomUUID()}`)

const folders = new WeakMap<WorldStore, string>()

/** The folder of the bytes that are uploaded to the sandboxes of a store: every sandbox of the store finds them again. */
export function filesOf(store: WorldStore): string {
  const folder = folders.get(store) ?? path.join(root, randomUUID())
  folders.set(store, folder)
  return folder
}
