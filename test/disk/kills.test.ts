import {expect, test} from 'vitest'
import {strangers, valuesIn} from './look.js'
import {atEveryCall, placeWith} from './stage.js'
import {toolInOneProcess} from './tool.js'
import {everyFile} from './written.js'

// Each command is killed (SIGKILL) before the first call that changes the disk, then before the second, and so on to its end; a
// write has taken half of its bytes by then. `npm run bench -- kills --what NAME` does it at moments of chance.

const prepare = toolInOneProcess()

test.each(everyFile)(
  '$name is old or new, and whole, wherever its command is killed; the next command works and removes leftovers',
  {
    timeout: 120_000,
  },
  async (entry) => {
    const place = await placeWith(entry, prepare)
    const {ran, n, calls} = await atEveryCall(place, entry, 'kill', (met) => {
      expect(met).toMatchObject({signal: 'SIGKILL'})
      const written = entry.keeps === 'all' ? [...met.before, met.n] : [met.n]
      const isTold = met.stdout !== ''
      expect(isTold ? [written] : [met.before, written], `killed at ${met.call}`).toContainEqual(met.after)
    })
    expect(calls).toBeGreaterThanOrEqual(entry.fewestCalls)
    expect({exit: ran.exit, newest: valuesIn(entry, place.dir).at(-1)}).toEqual({exit: entry.done, newest: n})
    expect(strangers(entry, place.dir)).toEqual([])
  },
)
