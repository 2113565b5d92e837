import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {lines} from '../../terminal/input.js'
import {type ResourcePlace, resourceOf} from './assetPath.js'

/** A resource, and how it was named. */
export interface NamedResource extends ResourcePlace {
  readonly text: string
}

/** The resources that a command was given. */
export interface Resources {
  readonly all: readonly NamedResource[]
  /** Whether the answer is about one resource alone: it fails with its own exit code. */
  readonly single: boolean
}

/**
 * The resources that arguments name, in their order, `-` replaced by the lines of stdin, each resource once. Raises a Failure
 * (usage) for one that cannot be one, and where there is none.
 */
export async function resourcesNamed(session: Session, given: readonly string[] = []): Promise<Resources> {
  const {base} = await session.api.access('asset')
  const all = new Map<string, NamedResource>()
  for await (const {text, where} of words(session, given)) {
    const place = locating(where, () => resourceOf(text, base))
    const key = `${place.container}/${place.uuid}`
    if (!all.has(key)) all.set(key, {...place, text})
  }
  if (all.size > 0 || given.includes('-'))
    return {all: [...all.values()], single: all.size === 1 && !given.includes('-')}
  const facts = {exit: 'usage', message: 'CONTAINER/UUID is missing'} as const
  throw new Failure({...facts, try: 'roomctl asset list CONTAINER shows the resources in a container'})
}

/** A word of a command line, or of stdin; `where` says which line of it. */
interface Word {
  readonly text: string
  readonly where?: string
}

async function* words({runtime}: Session, given: readonly string[]): AsyncGenerator<Word> {
  for (const word of given) {
    if (word !== '-') {
      yield {text: word}
      continue
    }
    let number = 0
    for await (const line of lines(runtime.stdin, runtime.signal)) {
      number += 1
      if (line.trim() !== '') yield {text: line.trim(), where: `line ${number} of stdin`}
    }
  }
}

/** Puts before a failure's message where its cause stands: among many lines nobody finds it otherwise. */
function locating<T>(where: string | undefined, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (where === undefined || !(error instanceof Failure)) throw error
    throw new Failure({...error.facts, message: `${where}: ${error.facts.message}`}, {cause: error})
  }
}
