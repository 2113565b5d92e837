import {afterEach, describe, expect, it, vi} from 'vitest'
import {parseInstant} from '../../../src/selection/instant.js'
import {everyCase} from '../../support/everyCase.js'
import {failureOf} from '../../support/failures.js'

const now = new Date('2026-11-20T12:00:00Z')
const read = (text: string, tz: string) => parseInstant(text, {now, tz}).toISOString()

describe.each([
  {
    tz: 'Europe/Berlin',
    gap: ['2026-03-29T02:00', '2026-03-29T02:30', '2026-03-29T02:59:59.999'],
    gapOffsets: ['+01:00', '+02:00'],
    overlap: ['2026-10-25T02:00', '2026-10-25T02:30', '2026-10-25T02:59:59.999'],
    overlapOffsets: ['+02:00', '+01:00'],
    once: [
      ['2026-03-29T01:59', '2026-03-29T00:59:00.000Z'],
      ['2026-03-29T03:00', '2026-03-29T01:00:00.000Z'],
      ['2026-10-25T01:59', '2026-10-24T23:59:00.000Z'],
      ['2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    ],
  },
  {
    // A whole day was skipped when the date line moved; nothing was ever repeated.
    tz: 'Pacific/Apia',
    gap: ['2011-12-30T00:00', '2011-12-30T12:00', '2011-12-30T23:59'],
    gapOffsets: ['-10:00', '+14:00'],
    overlap: [],
    overlapOffsets: [],
    once: [
      ['2011-12-29T23:59', '2011-12-30T09:59:00.000Z'],
      ['2011-12-31T00:00', '2011-12-30T10:00:00.000Z'],
    ],
  },
])('the clocks of $tz', ({tz, gap, gapOffsets, overlap, overlapOffsets, once}) => {
  const doubtful = [
    ...gap.map((text) => [text, 'does not exist', 'set forward', gapOffsets] as const),
    ...overlap.map((text) => [text, 'happens twice', 'set back', overlapOffsets] as const),
  ]

  it('skip times and repeat others, which need an offset', () =>
    everyCase(doubtful, async (text, happens, change, offsets) => {
      const error = await failureOf(() => read(text, tz))
      expect(error.message).toBe(`"${text}" ${happens} in ${tz}: the clocks are ${change} over it`)
      expect(error.facts.try).toBe(`give an offset: ${offsets.map((offset) => text + offset).join(' or ')}`)
    }))

  it('show the times before and after once', () => {
    for (const [text = '', instant] of once) expect(read(text, tz)).toBe(instant)
  })
})

describe('the zone of this machine', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('is read by its name', () =>
    everyCase(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Seoul'], (tz) => {
      vi.stubEnv('TZ', tz)
      expect(read('2026-07-01T09:00', 'local')).toBe(read('2026-07-01T09:00', tz))
      expect(read('2026-12-01T09:00', 'LOCAL')).toBe(read('2026-12-01T09:00', tz))
    }))

  it('refuses what its clocks skip or repeat', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect((await failureOf(() => read('2026-03-29T02:30', 'local'))).message).toContain('does not exist in local')
    expect((await failureOf(() => read('2026-10-25T02:30', 'local'))).facts.try).toContain('2026-10-25T02:30+01:00')
  })
})
