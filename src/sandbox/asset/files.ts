import {createReadStream, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'
import type {Resource} from '../world/assetWorld.js'
import type {WorldStore} from '../world/store.js'

/** The name of the folder of uploaded bytes, beside the world's file. */
const folderName = 'files'

/** The folder of uploaded bytes of a sandbox that is kept in `dir`. */
export function filesIn(dir: string): string {
  return join(dir, folderName)
}

/** Folders that were made for stores whose world is gone with the process. */
const temporary = new WeakMap<WorldStore, string>()

/** The folder that was given, or one for the store that is made with the first upload and removed when the process ends. */
export function filesFolder(store: WorldStore, given: string | undefined): () => string {
  return () => {
    const known = given ?? temporary.get(store)
    if (known !== undefined) return known
    const made = mkdtempSync(join(tmpdir(), 'roomctl-sandbox-'))
    process.once('exit', () => rmSync(made, {recursive: true, force: true}))
    temporary.set(store, made)
    return made
  }
}

/** The bytes of a file that is there whole; it is opened when they are asked for. Rejects when they have been removed. */
export async function* bytesOf({uuid, content}: Resource, files: () => string): AsyncGenerator<Uint8Array> {
  if (content === undefined) yield* createReadStream(join(files(), uuid))
  else yield Buffer.from(content, 'base64')
}
