import {appendFileSync} from 'node:fs'
import path from 'node:path'
import {Ajv2020, type ValidateFunction} from 'ajv/dist/2020.js'
import {expect} from 'vitest'
import {shapeOf} from '../../scripts/fields/shape.js'
import {type FieldSchema, type Fields, readFields} from '../../src/cli/help/fields.js'
import {jsonLines} from './logText.js'
import {root} from './repository.js'

/** The `-o json` output of one command line. */
interface JsonAnswer {
  /** The name of the command: `room list`. */
  readonly command: string
  /** The flags that give its answer another form: `--dry-run`. */
  readonly form: string
  readonly value: unknown
}

/** The flags that give an answer another form; of some the value does. */
const forming = /^--(?:dry-run|check|methods|view)(?==|$)/u
/** The flags under which the answer is another one each time. */
const choosing = /^(?:--(?:query|help|watch)(?:=.*)?|help)$/u

/**
 * The answer of a line that asks for JSON as it is, or for the events of a watch as lines; undefined if it does not, or printed none.
 * `names`: the command of each name, that of an alias too.
 */
function jsonAnswerOf(
  words: readonly string[],
  stdout: string,
  names: ReadonlyMap<string, string>,
): JsonAnswer | undefined {
  const format = words.flatMap((word, at) =>
    word === '--json'
      ? ['json']
      : word === '-o' || word === '--output'
        ? [words[at + 1]]
        : (/^(?:-o|--output=)(\w+)$/u.exec(word)?.[1] ?? []),
  )[0]
  if (stdout === '' || words.some((word) => choosing.test(word))) return undefined
  const found = words.flatMap((_, at) =>
    [3, 2, 1].flatMap((count) => names.get(words.slice(at, at + count).join(' ')) ?? []),
  )
  const command = found[0]
  if (command === undefined || format !== (command === 'room watch' ? 'ndjson' : 'json')) return undefined
  const form = words.flatMap((word, at) =>
    !forming.test(word) ? [] : word === '--view' ? [`--view ${words[at + 1]}`] : [word.replace(/^(--view)=/u, '$1 ')],
  )
  try {
    const value = format === 'json' ? JSON.parse(stdout) : jsonLines(stdout)
    return {command, form: [...new Set(form)].sort().join(' '), value}
  } catch {
    return undefined
  }
}

/**
 * The commands whose answers have no schema: what a service says, what a shell reads, and what runs until it is stopped; `config init`
 * asks.
 */
export const unpromised: ReadonlySet<string> = new Set([
  ...['api', 'complete', 'completion', 'sandbox start'],
  'config init',
])

const noted = new Set<string>()

/** The tests whose answers `npm run task -- fields` takes; services of the others send members and files of their own. */
const promising = /\/test\/(?:unit|commands|contract|sandbox)\/.*(?<!\.full)\.test\.ts$/u

/** Takes an answer into the folder of `npm run task -- fields`; otherwise holds it, or the failure, to docs/fields.json. */
export function heedFields(
  words: readonly string[],
  {stdout, stderr}: {readonly stdout: string; readonly stderr: string},
  {names, isForeign}: {readonly names: ReadonlyMap<string, string>; readonly isForeign: boolean},
): void {
  const folder = process.env.FIELDS_FOLDER
  if (folder === undefined) holdFailure(stderr)
  const answer = jsonAnswerOf(words, stdout, names)
  if (!answer || unpromised.has(answer.command)) return
  if (folder !== undefined) noteShape(folder, answer, isForeign)
  else if (promising.test(expect.getState().testPath ?? '')) holdToSchema(answer)
}

function noteShape(folder: string, {value, ...about}: JsonAnswer, isForeign: boolean): void {
  const line = `${JSON.stringify({...about, isForeign, shape: shapeOf(value)})}\n`
  if (noted.has(line)) return
  noted.add(line)
  appendFileSync(path.join(folder, `${process.pid}.jsonl`), line)
}

const again = 'if it is meant to: npm run task -- fields'
let known: Fields | undefined
/** One for all: each has to compile the schema of schemas first. */
const ajv = new Ajv2020({strict: false, allErrors: true})
const validators = new Map<string, ValidateFunction>()

function holdToSchema({command, form, value}: JsonAnswer): void {
  known ??= readFields(root)
  const schema = known.commands[command]?.[form]
  const line = form === '' ? command : `${command} ${form}`
  if (schema === undefined) throw new Error(`docs/fields.json has no answer of ${line}; ${again}`)
  hold(line, schema, value)
}

/** Holds the object that a program gets of a failure to docs/fields.json, its code included unless a service made it up. */
function holdFailure(stderr: string): void {
  const last = stderr.trimEnd().split('\n').at(-1) ?? ''
  if (!last.startsWith('{"error":')) return
  known ??= readFields(root)
  const value = JSON.parse(last)
  hold('a failure', known.failure, value)
  const {code} = value.error
  if (/^[a-z][a-z0-9-]+$/u.test(code) && !known.error_codes.includes(code)) {
    throw new Error(`docs/fields.json does not have the error code ${code}; ${again}`)
  }
}

function hold(what: string, schema: FieldSchema, value: unknown): void {
  const validate = validators.get(what) ?? ajv.compile(schema)
  validators.set(what, validate)
  if (validate(value)) return
  const wrong = validate.errors?.map(({instancePath, message, params}) => {
    const more = 'additionalProperty' in params ? ` (${params.additionalProperty})` : ''
    return `${instancePath || 'the answer'} ${message}${more}`
  })
  throw new Error(`${what} differs from docs/fields.json: ${wrong?.join('; ')}; ${again}`)
}
