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
  async (one) => {
    let refused = 0
    const place = await placeWith(one, run)
    const {ran, n, calls} = await atEveryCall(
      place,
      one,
      'short',
      (met) => {
        const at = `full at ${met.call}: ${met.stderr}`
        const written = one.keeps === 'all' ? [...met.before, met.n] : [met.n]
        if (one.refusal.test(met.stderr)) {
          refused += 1
          expect(met.exit, at).toBe(one.exit)
          expect(met.stderr, at).toMatch(/the disk is full/u)
          expect(met.stderr, at).toMatch(/^ {2}try: \S|; fix that, or set /mu)
          expect(met.stderr, at).not.toContain('ENOSPC')
          expect(one.mayBeKept ? [met.before, written] : [met.before], at).toContainEqual(met.after)
        } else {
          expect({exit: met.exit, after: met.after}, at).toEqual({exit: one.done, after: written})
        }
        expect(met.left, at).toEqual([])
      },
      // A lock tries the times of its disk once in a process, which is one of the few calls here.
      one.word === 'bytes' ? tool : run,
    )
    expect(refused).toBeGreaterThan(0)
    expect(calls).toBeGreaterThanOrEqual(one.fewestCalls)
    expect({exit: ran.exit, newest: valuesIn(one, place.dir).at(-1)}).toEqual({exit: one.done, newest: n})
  },
)
