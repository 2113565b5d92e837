import {expect} from 'vitest'
import type {WorldStore} from '../../src/sandbox/world/store.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {journalOf} from './push/requests.js'

/** A machine with its sandbox; `done` must succeed. */
export async function machine() {
  const [store, home] = [await demoStore(), freshHome()]
  const run = (line: string | readonly string[], more: object = {}) =>
    cli(line, {store, home, env: {ROOMCTL_APPLICATION_ID: 'app-1', NO_COLOR: '1'}, ...more})
  const done = async (line: string | readonly string[], more: object = {}) => {
    const ran = await run(line, more)
    expect({line, exit: ran.exit, stderr: ran.exit === 0 ? '' : ran.stderr}).toEqual({line, exit: 0, stderr: ''})
    return ran
  }
  const newest = () => String(journalOf(home).at(-1)?.id)
  return {store, home, run, done, newest}
}

/** The whole state of the service's rooms and scheduled requests. */
export const stateOf = (store: WorldStore) =>
  store.read(({rooms, push}) => structuredClone({rooms, scheduled: push.requests.filter(isScheduled)}))
const isScheduled = ({status}: {status: string}) => status === 'SCHEDULED'
export const blockedIn = (store: WorldStore, roomId: string) =>
  store.read(({rooms}) =>
    rooms.flatMap(({room_id: id, attendees}) =>
      id === roomId ? attendees.filter(({isBlocked}) => isBlocked).map((one) => one.user_id) : [],
    ),
  )
