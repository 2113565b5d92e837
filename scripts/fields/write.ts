import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {FieldFile} from '../../src/cli/help/fields.js'
import {readCalls, readColumns, readUsedNames} from '../docs/calls.js'
import {readCommands} from '../docs/commands.js'
import {vitest} from '../vitest.js'
import {contractObjects, errorCodes} from './contract.js'
import {declaredTypes} from './declared.js'
import {schemaOf} from './schema.js'
import {failureShape, mergedShape, type Shape, unitedShape, withAlike} from './shape.js'

/** Runs the tests of the commands in process, and writes docs/fields.json from the answers that they see of the sandbox. */
export async function writeFields(root: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-fields-'))
  try {
    const inProcess = ['test/unit', 'test/commands', 'test/contract', 'test/sandbox']
    const words = ['--project', 'main', '--maxWorkers=2', ...inProcess]
    const exit = vitest(words, {cwd: root, env: {...process.env, FIELDS_FOLDER: folder}, stdio: 'inherit'})
    if (exit !== 0) throw new Error('the tests failed: docs/fields.json stays as it was')
    writeFileSync(path.join(root, 'docs/fields.json'), await fieldText(root, readShapes(folder)))
  } finally {
    rmSync(folder, {recursive: true})
  }
}

/** The recorded answers of a form of a command, from the sandbox and other services. */
interface Answer {
  readonly command: string
  readonly form: string
  readonly shapes: readonly Shape[]
  readonly foreign: readonly Shape[]
}

type Noted = Pick<Answer, 'command' | 'form'> & {readonly isForeign: boolean; readonly shape: Shape}

/** The merged shapes of the answers in a folder, by command and form. */
export function readShapes(folder: string): Answer[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  const answers = new Map<string, Answer>()
  for (const {command, form, isForeign, shape} of lines.map((line): Noted => JSON.parse(line))) {
    const key = JSON.stringify([command, form])
    const {shapes = [], foreign = []} = answers.get(key) ?? {}
    const merged = (all: readonly Shape[]) => [[...all, shape].reduce(mergedShape)]
    const own = isForeign ? {shapes, foreign: merged(foreign)} : {shapes: merged(shapes), foreign}
    answers.set(key, {command, form, ...own})
  }
  return [...answers.keys()].sort().flatMap((key) => answers.get(key) ?? [])
}

/** The text of docs/fields.json: of the same answers always the same. */
export async function fieldText(root: string, answers: readonly Answer[]): Promise<string> {
  const commands = readCommands(root)
  const [calls, columns] = [await readCalls(root, commands), await readColumns(root, commands)]
  const {objects: declared, answersOf} = declaredTypes(root)
  const views = readUsedNames(root, commands, 'src/view/')
  const united = answers.map(({command, form, shapes, foreign}) => {
    const drawn = (views.get(command) ?? []).flatMap(answersOf)
    return {
      command,
      form,
      shape: unitedShape({seen: shapes, foreign, declared: drawn, isOwn: form.includes('--dry-run')}),
    }
  })
  const file: Record<string, Record<string, FieldFile[string][string]>> = {}
  const failure = {command: '', form: '', shape: failureShape()}
  for (const {command, form, shape} of withAlike([...united, failure])) {
    const meanings = (columns.get(command) ?? []).flatMap(({name, label}) => (label ? [[name, label] as const] : []))
    const known = {contract: contractObjects(calls.get(command) ?? []), declared, meanings: new Map(meanings)}
    file[command] = {...file[command], [form]: schemaOf(shape, known)}
  }
  const text = JSON.stringify(
    {
      $comment: 'Made by `npm run task -- fields`; an edit here is lost.',
      error_codes: errorCodes(root),
      failure: file['']?.[''],
      commands: Object.fromEntries(Object.entries(file).filter(([command]) => command !== '')),
    },
    null,
    1,
  )
  // A list of words on one line.
  return `${text.replaceAll(/\[\s+((?:null|")[^[\]{}]*?")\s+\]/gu, (_, words: string) => `[${words.replaceAll(/\s+/gu, ' ')}]`)}\n`
}
