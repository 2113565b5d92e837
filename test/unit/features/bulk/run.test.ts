import {beforeEach, describe, expect, test} from 'vitest'
import type {ProgressKind} from '../../../../src/cli/flags/flags.js'
import type {Session} from '../../../../src/cli/session/session.js'
import {BulkCounts} from '../../../../src/features/bulk/run.js'
import {noStyle} from '../../../../src/text/text.js'
import {passTenths, resetTicking, ticking, tickingTerminal} from '../../../support/ticking.js'

beforeEach(resetTicking)

async function shown(kind: ProgressKind, targets: number, columns?: number) {
  const {screen, part} = tickingTerminal({}, columns)
  const session = {...part, style: noStyle} as unknown as Session
  const counts = new BulkCounts(session, targets)
  return {screen, counts, close: await counts.show(session, kind)}
}

const pass = (ms: number) => passTenths(ms / 100)

const settle = (counts: BulkCounts, ...outcomes: readonly Parameters<BulkCounts['settled']>[0][]) => {
  for (const outcome of outcomes) counts.settled(outcome)
}

describe('a run over several targets', () => {
  test('has a bar with its counts on a terminal, and notes stand above it', async () => {
    const {screen, counts, close} = await shown('auto', 40, 80)
    void counts.during(() => new Promise(() => undefined))
    settle(counts, 'done', 'done', 'done', 'failed')
    pass(100)
    ticking.notes.length = 0
    void screen.output.write('error: cannot end room r-2\n')
    pass(900)
    expect(await screen.lines()).toEqual([
      'error: cannot end room r-2',
      `[${'='.repeat(4)}${' '.repeat(36)}]  4 of 40`,
      '3 done, 1 failed, 1 under way, 4.0/s, 9s left',
    ])
    close()
    expect(await screen.lines()).toEqual(['error: cannot end room r-2'])
    expect(ticking.ticks).toEqual([])
  })

  test('fits a narrow terminal, and says only its numbers on one that is narrower still', async () => {
    for (const columns of [40, 20]) {
      resetTicking()
      const {screen, counts} = await shown('auto', 1000, columns)
      settle(counts, 'done', 'failed', 'skipped')
      pass(1000)
      const lines = await screen.lines()
      for (const line of lines) expect(line.length).toBeLessThan(columns)
      expect(lines).toHaveLength(columns < 40 ? 1 : 2)
    }
  })

  test('of one or two targets has none within the first second', async () => {
    const {screen} = await shown('auto', 2, 80)
    pass(900)
    expect(await screen.lines()).toEqual([])
    pass(200)
    expect(await screen.lines()).toHaveLength(2)
  })

  test('has a line in a log after two seconds, then every ten if there is something new', async () => {
    const {counts, close} = await shown('auto', 40)
    settle(counts, 'done', 'done', 'skipped', 'not-tried')
    pass(4000)
    settle(counts, 'done', 'done', 'done', 'done')
    pass(30_000)
    expect(ticking.notes).toEqual([
      '4 of 40: 2 done, 1 skipped, 1 not started, 0 under way, 1.0/s, 36s left',
      '8 of 40: 6 done, 1 skipped, 1 not started, 0 under way, 0.5/s, 1m 04s left',
    ])
    close()
    expect(ticking.ticks).toEqual([])
  })

  test('is one object each second for a program', async () => {
    const {counts} = await shown('json', 40, 80)
    settle(counts, 'done', 'failed')
    pass(1000)
    expect(ticking.notes.map((line) => JSON.parse(line))).toEqual([
      {
        event: 'progress',
        targets: 40,
        active: 0,
        done: 1,
        failed: 1,
        skipped: 0,
        not_tried: 0,
        rate: 2,
        seconds_left: 19,
      },
    ])
  })

  test('says nothing with --progress none', async () => {
    await shown('none', 40, 80)
    pass(20_000)
    expect(ticking).toMatchObject({notes: [], ticks: []})
  })
})
