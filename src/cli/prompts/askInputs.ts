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

/** The wording of a question, by the name of the argument or flag, after its topic if it differs there; otherwise the summary. */
const labels: Readonly<Record<string, string>> = {
  room: 'Room',
  user: 'User',
  name: 'Name',
  key: 'Setting',
  value: 'Value',
  id: 'Operation',
  operation: 'Operation',
  text: 'Description',
  file: 'File',
  'push file': 'File (.p8 or .p12)',
  container: 'Container (path)',
  'container/uuid': 'Resource (CONTAINER/UUID)',
  platform: 'Platform',
  type: 'Platform',
  description: 'Description',
  package: 'Android package',
  title: 'Title',
  body: 'Text',
}

/** An answer that is a path: a leading ~ is the home folder. */
const pathNames: ReadonlySet<string> = new Set(['file'])

/** A required flag or argument that was not given. */
export interface MissingInput {
  readonly name: string
  readonly flag: boolean
  readonly summary: string
  readonly choices: readonly string[]
}

interface InputQuestions {
  readonly topic: string
  readonly service: Service | undefined
  readonly argv: readonly string[]
  readonly missing: readonly MissingInput[]
}

/** Asks for each input; returns the line with the answers. Throws Failure. */
export async function askForInputs(
  session: Session,
  {topic, service, argv, missing}: InputQuestions,
): Promise<string[]> {
  const flags: string[] = []
  const words: string[] = []
  for (const {name, flag, summary, choices} of missing) {
    const key = name.toLowerCase()
    const label = labels[`${topic} ${key}`] ?? labels[key] ?? summary
    const typed = await askText(session, label, {service, choices})
    const answer = pathNames.has(key) ? typedPath(session, typed) : typed
    if (flag) flags.push(`--${name}=${answer}`)
    else words.push(answer)
  }
  // After `--` every word is a value.
  const at = argv.indexOf('--')
  const before = at < 0 ? argv : argv.slice(0, at)
  const behind = [...(at < 0 ? [] : argv.slice(at + 1)), ...words]
  return [...flags, ...before, ...(behind.length > 0 ? ['--', ...behind] : [])]
}
