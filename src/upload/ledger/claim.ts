import {setTimeout as pause} from 'node:timers/promises'
import {Failure} from '../../api/contract/failure.js'
import {type Other, type Presence, silentMs} from './presence.js'

/** Two processes that want the same upload at the same moment both step back, for a time at random. */
const pauseMs = {least: 10, most: 60}
/** How long a process that certainly runs is given to step back. */
const patienceMs = 250

/**
 * Takes an upload for this process. Raises a Failure (state) that says who has it: at once where the system says that the
 * other process runs, and for a process of another machine once it shows that it is alive.
 */
export async function takeUpload(presence: Presence, id: string): Promise<void> {
  const began = performance.now()
  let first: Other | undefined
  for (;;) {
    presence.hold(id)
    const holder = presence.others().find(({holds}) => holds.has(id))
    if (!holder) return
    presence.drop(id)
    first ??= holder
    const waited = performance.now() - began
    if (waited > (holder.certain ? patienceMs : silentMs) || holder.beat > first.beat) throw heldElsewhere(id, holder)
    await pause(pauseMs.least + Math.random() * (pauseMs.most - pauseMs.least))
  }
}

function heldElsewhere(id: string, {pid, host}: Other): Failure {
  return new Failure({
    exit: 'state',
    code: 'upload-in-use',
    message: `upload ${id} is under way in another roomctl`,
    why: `process ${pid} on ${host} has it`,
    try: 'wait until that one has ended, or end it; roomctl asset uploads shows how far it is',
    retryable: true,
  })
}

/** Hands out each upload of this process to one after the other. */
export class Turns {
  readonly #last = new Map<string, Promise<void>>()

  /** Waits for the turn; the returned function ends it. */
  async take(id: string): Promise<() => void> {
    const before = this.#last.get(id)
    let end = () => {}
    const turn = new Promise<void>((resolve) => {
      end = resolve
    })
    this.#last.set(id, turn)
    await before
    return () => {
      if (this.#last.get(id) === turn) this.#last.delete(id)
      end()
    }
  }
}
