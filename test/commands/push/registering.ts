import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Answer, PushWire} from './wire.js'
import {pushWire} from './wire.js'

/** The answer to a read of the configuration: a record, null for none, a status, or a broken connection. */
export type Shown = object | null | number | false

export interface Story {
  readonly before: Shown
  readonly after: Shown
  /** The answer to the registration; default 200. */
  readonly answer?: Answer
}

/** A push service on a socket whose configuration reads otherwise once a registration has come. */
export async function registry({before, after, answer = {status: 200}}: Story): Promise<PushWire> {
  let registered = false
  return pushWire(({method}) => {
    if (method === 'GET') return shown(registered ? after : before)
    registered = true
    return answer
  })
}

function shown(what: Shown): Answer {
  if (what === false) return false
  if (what === null) return {status: 204}
  return typeof what === 'number' ? {status: what} : {status: 200, body: what}
}

/** The one change that arrived, or undefined if none did. */
export function changeOf({arrived}: PushWire) {
  const changes = arrived.filter(({method}) => method !== 'GET')
  if (changes.length > 1) throw new Error(`${changes.length} changes arrived`)
  return changes[0]
}

/** Everything that the tool keeps below a home: its journal. */
export function stateOf(home: string): string {
  return readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8')
}
