import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {isCompiled} from './warm.js'

/** A file that was found, with its bytes as Latin-1. */
interface Kept {
  readonly name: string
  readonly text: string
}

/** All files below a folder, but for the cache of compiled code that a place begins with. */
export function keptBelow(folder: string): Kept[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => ({name, bytes: readFileSync(path.join(parentPath, name))}))
    .filter(({bytes}) => !isCompiled(bytes))
    .map(({name, bytes}) => ({name, text: bytes.toString('latin1')}))
}
