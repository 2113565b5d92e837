import {readFileSync} from 'node:fs'
import {setTimeout as pause} from 'node:timers/promises'
import type {Running} from '../stories/place.js'

/** Waits until a program only waits: asleep, and no work done, in ten looks one after the other. */
export async function rest({child}: Running): Promise<void> {
  let before = ''
  for (let looks = 0; looks < 10; ) {
    await pause(15)
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const [state, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const now = `${stat.includes('(bash)')} ${state} ${user} ${system}`
    looks = now === before && now.startsWith('false S') ? looks + 1 : 0
    before = now
  }
}
