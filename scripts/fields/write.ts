import {mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {FieldFile} from '../../src/cli/help/fields.js'
import {readCalls, readColumns} from '../docs/calls.js'
import {readCommands} from '../docs/commands.js'
import {vitest} from '../vitest.js'
import {contractObjects, errorCodes} from './contract.js'
import {declaredObjects} from './declared.js'
import {schemaOf} from './schema.js'
import {mergedShape, type Shape, withAlike} from './shape.js'

/** Runs the tests of the commands in process, and writes docs/fields.json from the answers that they see of the sandbox. */
export async function writeFields(root: string): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomctl-fields-'))
  try {
    const inProcess = ['test/unit', 'test/commands', 'test/contract', 'test/sandbox']
    const words = ['--project', 'fast', '--project', 'built', '--maxWorkers=2', ...inProcess]
    const exit = vitest(words, {cwd: root, env: {...process.env, FIELDS_FOLDER: folder}, stdio: 'inherit'})
    if (exit !== 0) throw new Error('the tests failed: docs/fields.json stays as it was')
    writeFileSync(path.join(root, 'docs/fields.json'), await fieldText(root, readShapes(folder)))
  } finally {
    rmSync(folder, {recursive: true})
  }
}

interface Answer {
  readonly command: string
  readonly form: string
  readonly shape: Shape
}

/** The merged shapes of the answers in a folder, by command and form. */
export function readShapes(folder: string): Answer[] {
  const lines = readdirSync(folder).flatMap((file) => readFileSync(path.join(folder, file), 'utf8').trim().split('\n'))
  const merged = new Map<string, Answer>()
  for (const one of lines.map((line): Answer => JSON.parse(line))) {
    const key = JSON.stringify([one.command, one.form])
    const shape = merged.get(key)?.shape
    merged.set(key, {...one, shape: mergedShape(one.shape, shape ?? one.shape)})
  }
  return [...merged.keys()].sort().flatMap((key) => merged.get(key) ?? [])
}

/** The text of docs/fields.json: of the same answers always the same. */
export async function fieldText(root: string, answers: readonly Answer[]): Promise<string> {
  const commands = readCommands(root)
  const [calls, columns] = [await readCalls(root, commands), await readColumns(root, commands)]
  const declared = declaredObjects(root)
  const file: Record<string, Record<string, FieldFile[string][string]>> = {}
  for (const {command, form, shape} of withAlike(answers)) {
    const meanings = (columns.get(command) ?? []).flatMap(({name, label}) => (label ? [[name, label] as const] : []))
    const known = {contract: contractObjects(calls.get(command) ?? []), declared, meanings: new Map(meanings)}
    file[command] = {...file[command], [form]: schemaOf(shape, known)}
  }
  const text = JSON.stringify(
    {
      $comment: 'Made by `npm run task -- fields`; an edit here is lost.',
      error_codes: errorCodes(root),
      commands: file,
    },
    null,
    1,
  )
  // A list of words on one line.
  return `${text.replaceAll(/\[\s+((?:null|")[^[\]{}]*?")\s+\]/gu, (_, words: string) => `[${words.replaceAll(/\s+/gu, ' ')}]`)}\n`
}
