import {expect, test} from 'vitest'
import {valuesIn} from './look.js'
import {atEveryCall, placeWith} from './stage.js'
import {tool, toolInOneProcess} from './tool.js'
import {everyFile} from './written.js'

// The disk is full from the first call on that needs room of it, then from the second, and so on: to open, to write, to rename. A
// write is taken in part first, as a quota or the last free block does it. realDisk.test.ts does less of it, to every file.

const run = toolInOneProcess()

test.each(everyFile)(
  '$name is unchanged wherever the disk is full, and the error says what to do',
  {
    timeout: 120_000,
  },
  async (entry) => {
    let refused = 0
    const place = await placeWith(entry, run)
    const {ran, n, calls} = await atEveryCall(
      place,
      entry,
      'short',
      (met) => {
        const at = `full at ${met.call}: ${met.stderr}`
        const written = entry.keeps === 'all' ? [...met.before, met.n] : [met.n]
        if (entry.refusal.test(met.stderr)) {
          refused += 1
          expect(met.exit, at).toBe(entry.exit)
          expect(met.stderr, at).toMatch(/the disk is full/u)
          expect(met.stderr, at).toMatch(/^ {2}try: \S|; fix that, or set /mu)
          expect(met.stderr, at).not.toContain('ENOSPC')
          expect(entry.mayBeKept ? [met.before, written] : [met.before], at).toContainEqual(met.after)
        } else {
          expect({exit: met.exit, after: met.after}, at).toEqual({exit: entry.done, after: written})
        }
        expect(met.left, at).toEqual([])
      },
      // A lock tries the times of its disk once in a process, which is one of the few calls here.
      entry.word === 'bytes' ? tool : run,
    )
    expect(refused).toBeGreaterThan(0)
    expect(calls).toBeGreaterThanOrEqual(entry.fewestCalls)
    expect({exit: ran.exit, newest: valuesIn(entry, place.dir).at(-1)}).toEqual({exit: entry.done, newest: n})
  },
)
