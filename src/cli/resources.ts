import {Failure} from '../contract/failure.js'
import {lines} from '../terminal/input.js'
import {type ResourcePlace, resourceOf} from './assetPlace.js'
import type {Session} from './session.js'

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
  for await (const text of words(session, given)) {
    const place = resourceOf(text, base)
    const key = `${place.container}/${place.uuid}`
    if (!all.has(key)) all.set(key, {...place, text})
  }
  if (all.size > 0 || given.includes('-'))
    return {all: [...all.values()], single: all.size === 1 && !given.includes('-')}
  const facts = {exit: 'usage', message: 'CONTAINER/UUID is missing'} as const
  throw new Failure({...facts, try: 'roomctl asset list CONTAINER shows the resources in a container'})
}

async function* words({runtime}: Session, given: readonly string[]): AsyncGenerator<string> {
  for (const word of given) {
    if (word !== '-') yield word
    else for await (const line of lines(runtime.stdin)) if (line.trim() !== '') yield line.trim()
  }
}
