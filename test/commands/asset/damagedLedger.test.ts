import {writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {cutOff, ledgerFile, ledgerText, part} from './cutOff.js'
import {type Bench, bench, creates} from './uploads.js'

/** The ledger with one bit flipped in its nth line, at a share of the line's length. */
function flip(own: Bench, nth: number, share: number): void {
  const lines = ledgerText(own).split('\n')
  const bytes = Buffer.from(lines[nth] ?? '')
  const at = Math.floor(share * (bytes.length - 1))
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(
    ledgerFile(own),
    Buffer.concat(
      [...lines.entries()]
        .map(([n, line]) => (n === nth ? bytes : Buffer.from(line)))
        .flatMap((line) => [line, Buffer.from('\n')])
        .slice(0, -1),
    ),
  )
}

describe('a ledger with a flipped bit', () => {
  test('never leads to a second copy, in this run or after it was tidied up, and is reported', async () => {
    const shares = [0, 0.4, 1]
    for (const [nth, share] of [0, 1, 2].flatMap((nth) => shares.map((share) => [nth, share] as const))) {
      const own = await bench()
      const [file, other] = [own.file('a.bundle', 2 * part), own.file('b.bundle', 2 * part)]
      await own.upload([file, other])
      flip(own, nth, share)
      const again = await own.upload([file])
      const tidied = await own.upload([own.file('c.bundle', part)])
      const later = await own.upload([other])
      const where = `line ${nth} at ${share}`
      expect(
        [again, tidied, later].map(({exit, sent}) => [exit, creates(sent).length]),
        where,
      ).toEqual([
        [0, 0],
        [0, 1],
        [0, 0],
      ])
      expect(again.stderr, where).toMatch(/^warning: lines? [\d, ]+ of the ledger of uploads \S+ (?:is|are) damaged/u)
      expect(later.stderr, where).not.toContain('damaged')
    }
  })

  test('never loses bytes of an upload that was cut off', async () => {
    for (const nth of [0, 1, 2]) {
      const own = await bench()
      const file = own.file('a.bundle', 3 * part)
      await cutOff(own, [file], 1)
      flip(own, nth, 0.5)
      const {exit, stdout} = await own.upload([file], ['-o', 'json'])
      expect(exit).toBe(0)
      const [{uuid}] = JSON.parse(stdout)
      expect(await own.bytesOf(uuid)).toBe(file.sha256)
    }
  })
})
