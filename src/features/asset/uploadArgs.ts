import * as Args from '@oclif/core/args'
import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import {lines} from '../../terminal/input.js'
import {nearest} from '../../text/nearest.js'

export const uploadIdsArg = Args.string({
  name: 'ID',
  description: 'ids of uploads, or their beginnings; - reads them from stdin, one a line',
  multiple: true,
  ignoreStdin: true,
})

/**
 * The uploads that arguments name, by their ids or by the beginning of one, `-` replaced by the lines of stdin, each once and in
 * the order they were named. Raises a Failure: `missing` for one that is not among `known`, `usage` for a beginning that
 * several have.
 */
export async function uploadsNamed<Entry extends {readonly id: string}>(
  session: Session,
  given: readonly string[],
  known: readonly Entry[],
): Promise<Entry[]> {
  const {stdin, signal} = session.runtime
  const named = new Set<Entry>()
  for (const word of given) {
    if (word !== '-') named.add(uploadOf(word, known))
    else for await (const line of lines(stdin, signal)) if (line.trim()) named.add(uploadOf(line.trim(), known))
  }
  return [...named]
}

function uploadOf<Entry extends {readonly id: string}>(word: string, known: readonly Entry[]): Entry {
  if (word.trim() === '') {
    const why = 'an empty id names nothing; is a shell variable unset?'
    throw new Failure({exit: 'usage', message: 'ID is empty', why})
  }
  const begins = known.filter(({id}) => id.startsWith(word.toLowerCase()))
  const found = begins.find(({id}) => id === word.toLowerCase()) ?? begins[0]
  if (found && (begins.length === 1 || found.id === word.toLowerCase())) return found
  if (!found) throw unknown(word, known)
  throw new Failure({
    exit: 'usage',
    message: `${word} is the beginning of ${begins.length} uploads`,
    why: begins.map(({id}) => id).join(', '),
    try: 'type more of the id',
  })
}

function unknown(word: string, known: readonly {readonly id: string}[]): Failure {
  const ids = known.map(({id}) => id)
  const guess = nearest(word, ids)
  return new Failure({
    exit: 'missing',
    code: 'unknown-upload',
    message: `there is no upload ${word} in the ledger`,
    why: guess === undefined ? undefined : `did you mean ${guess}?`,
    try: 'roomctl asset uploads --all lists those that there are',
  })
}
