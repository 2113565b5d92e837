import {readFileSync} from 'node:fs'
import path from 'node:path'

/** The folder of the repository. */
export const root = path.resolve(import.meta.dirname, '../..')

/** The text of a file of the repository. */
export const readText = (...file: readonly string[]): string => readFileSync(path.join(root, ...file), 'utf8')

/** The members of package.json. */
export const pjson = JSON.parse(readText('package.json'))
