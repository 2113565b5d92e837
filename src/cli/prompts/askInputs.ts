import {accessSync, constants} from 'node:fs'
import type {Service} from '../../api/contract/operation.js'
import {reasonOf} from '../../storage/disk/privateFile.js'
import {cannotRead} from '../files/readFile.js'
import type {Session} from '../session/session.js'
import {askText, typedPath} from './confirm.js'

/** Checks that files can be read, before a question whose answer would be lost. Throws Failure (file). */
export function checkFiles(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      accessSync(path, constants.R_OK)
    } catch (error) {
      throw cannotRead(path, reasonOf(error), 'check the path', error)
    }
  }
}

/** A required flag or argument that was not given. */
export interface MissingInput {
  readonly name: string
  readonly flag: boolean
  readonly choices: readonly string[]
}

interface InputQuestions {
  readonly service: Service | undefined
  readonly argv: readonly string[]
  readonly missing: readonly MissingInput[]
}

/** Asks for each input; returns the line with the answers. Throws Failure. */
export async function askForInputs(session: Session, {service, argv, missing}: InputQuestions): Promise<string[]> {
  const flags: string[] = []
  const words: string[] = []
  for (const {name, flag, choices} of missing) {
    const label = name.toLowerCase()
    const typed = await askText(session, label, {service, choices})
    // A leading ~ is the home folder.
    const answer = label === 'file' ? typedPath(session, typed) : typed
    if (flag) flags.push(`--${name}=${answer}`)
    else words.push(answer)
  }
  // After `--` every word is a value.
  const at = argv.indexOf('--')
  const before = at < 0 ? argv : argv.slice(0, at)
  const behind = [...(at < 0 ? [] : argv.slice(at + 1)), ...words]
  return [...flags, ...before, ...(behind.length > 0 ? ['--', ...behind] : [])]
}
