import {mkdirSync} from 'node:fs'
import path from 'node:path'
import {freshFolder} from '../../../support/folder.js'

/** The folders of one user, made with the modes that roomctl makes them with; gone after the test. */
export interface Folders {
  readonly root: string
  readonly config: string
  readonly state: string
}

export function folders(): Folders {
  const root = freshFolder()
  const [config, state] = [path.join(root, 'config'), path.join(root, 'state')]
  for (const folder of [config, state]) mkdirSync(folder, {mode: 0o700})
  return {root, config, state}
}
