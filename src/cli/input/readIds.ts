import {fillRoute} from '../../api/http/route/route.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {lines, readBytes} from '../../terminal/input.js'
import {safeText, shortly} from '../../text/text.js'
import {decodeText, readInputFile} from '../files/readFile.js'
import type {Session} from '../session/session.js'

type IdKind = 'ROOM' | 'USER' | 'UUID' | 'ENTRY' | 'APPLICATION' | 'ID'

const limits = {maxBytes: 16 * 1024 * 1024, most: '16 MiB', idleMs: 30_000}

const listIsLarger = 'use - in place of the file, and pass the list on stdin, where it may be of any length'

/** Distinct ids in the order of their first mention. */
export interface IdList {
  readonly ids: readonly string[]
  readonly repeated: number
}

/**
 * The ids from arguments and the file `from`; `-` is stdin in both. Each line is one id, as it is; empty lines are skipped. Throws
 * Failure: usage if an id is empty or stdin is not a list of ids, file if the file cannot be read or is not text.
 */
export async function readIds(
  session: Session,
  what: IdKind,
  typed: readonly string[],
  from?: string | undefined,
): Promise<IdList> {
  const mentioned: string[] = []
  for (const word of typed) {
    if (word === '-') for await (const id of listedIds(session, word)) mentioned.push(checkedId(what, id))
    else mentioned.push(requireId(what, word))
  }
  if (from !== undefined) for await (const id of listedIds(session, from)) mentioned.push(checkedId(what, id))
  const ids = [...new Set(mentioned)]
  return {ids, repeated: mentioned.length - ids.length}
}

/** The lines of stdin for `-`, or of a file, which are not empty. Throws Failure. */
export async function* listedIds(session: Session, source: string): AsyncGenerator<string> {
  let isFirst = true
  for await (const line of linesFrom(session, source)) {
    if (line === '') continue
    if (isFirst && beginsJson.test(line)) throw jsonInPlaceOfIds(source)
    if (isFirst && beginsTable.test(line)) {
      const name = source === '-' ? 'stdin' : safeText(source)
      session.warn(
        `note: ${name} begins with ${safeText(shortly(line, 60))}: each whole line is one id, also of a table`,
      )
    }
    isFirst = false
    yield line
  }
}

/** The beginning of an array or object, or a text in quotes. */
const beginsJson = /^\s*(?:\[\s*(?:$|["{[\]])|\{\s*(?:$|["}])|"(?:[^"\\]|\\.)*"\s*,?\s*$)/u

/** Several columns, or the header of one. */
const beginsTable =
  /[,;\t]|^["']?(?:user|room|recipient)?[ _-]?(?:ids?|names?|uuids?|e-?mails?|users?|recipients?)["']?$/iu

function jsonInPlaceOfIds(source: string): Failure {
  return wrongUsage(`${source === '-' ? 'stdin' : source} is JSON, not a list of ids; nothing was sent`, {
    why: 'each line is one id',
    try: "list ids with -q, or texts of a query with -r, as in --query '[].room_id' -r",
  })
}

async function* linesFrom(session: Session, source: string): AsyncGenerator<string> {
  const {stdin, signal} = session.runtime
  if (source !== '-')
    yield* decodeText(await readBytesInput(session, source, listIsLarger), source).split(/\r\n|\n|\r/u)
  else yield* lines(stdin, signal)
}

/** The text of a file or a pipe, or of stdin for `-`. Throws Failure; `otherwise` as in `decodeText`. */
export async function readTextInput(session: Session, path: string, otherwise?: string): Promise<string> {
  return decodeText(await readBytesInput(session, path), path, otherwise)
}

/** The bytes of a file or a pipe, or of stdin for `-`. Throws Failure; `ifLarger`: what to do if a file is too large. */
export function readBytesInput({runtime}: Session, path: string, ifLarger?: string): Promise<Buffer> {
  const bounds = {...limits, ifLarger, signal: runtime.signal}
  return path === '-' ? readBytes(runtime.stdin, bounds) : readInputFile(path, bounds)
}

/**
 * The id as given. Throws Failure (usage) if it is empty, for example from an unset shell variable, or if a room id
 * fits no path: all ids are checked before the first request.
 */
export function requireId(what: IdKind, typed: string): string {
  if (typed.trim() === '') {
    throw wrongUsage(`${what} is empty`, {why: 'is a shell variable unset?'})
  }
  return checkedId(what, typed)
}

function checkedId(what: IdKind, id: string): string {
  if (what === 'ROOM') fillRoute('/{ROOM}', {ROOM: id})
  return id
}
