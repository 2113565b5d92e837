import * as fc from 'fast-check'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import {noStyle, styleOf} from '../../../../src/text/text.js'

import type {ProgressSnapshot} from '../../../../src/upload/run/progress.js'
import {drawUploads, uploadLine} from '../../../../src/view/asset/uploadProgress.js'

const mebibyte = 1024 * 1024

const run: ProgressSnapshot = {
  active: [
    {
      name: 'level1.bundle',
      bytes: 64 * mebibyte,
      acked: 16 * mebibyte,
      sent: 32 * mebibyte,
      isLong: true,
      state: 'sending',
    },
    {name: '한글-레벨-둘.bundle', bytes: 10 * mebibyte, acked: 0, sent: 1 * mebibyte, isLong: true, state: 'stalled'},
    {
      ...{name: 'c.bundle', bytes: 10 * mebibyte, acked: 0, sent: 0, isLong: true},
      ...{state: 'waiting', why: 'the service is busy (503)'},
    },
    {name: 'short.bundle', bytes: 10, acked: 0, sent: 0, isLong: false, state: 'sending'},
  ],
  files: 12,
  done: 3,
  failed: 1,
  bytes: 200 * mebibyte,
  acked: 30 * mebibyte,
  sent: 50 * mebibyte,
  work: {acked: 30 * mebibyte, sent: 50 * mebibyte, bytes: 200 * mebibyte},
  rate: 12.3 * mebibyte,
  secondsLeft: 79.4,
  stalled: false,
}

test('a run on 80 columns', () => {
  expect(drawUploads(run, 80, noStyle)).toEqual([
    'level1.bundle            [=====------           ]   50%  32.0 MiB of 64.0 MiB',
    '한글-레벨-둘.bundle      stalled at 10%: nothing moves',
    'c.bundle                 waiting at 0%: the service is busy (503)',
    'total                    [===--                 ]   25%  50.0 MiB of 200.0 MiB',
    '12.3 MiB/s, 1m 20s left, 3 of 12 files done, 1 failed',
  ])
})

test('a run on less than 40 columns is one line of numbers', () => {
  expect(drawUploads(run, 39, noStyle)).toEqual(['25%  12.3 MiB/s, 1m 20s left'])
  expect(drawUploads(run, 12, noStyle)).toEqual(['25%  12.3…'])
  expect(drawUploads({...run, stalled: true}, 39, noStyle)).toEqual(['25%  stalled'])
})

test('files of one folder are distinguished where their paths are cut', () => {
  const names = ['first', 'second'].map((name) => `build/game/android/release/bundles/${name}.bundle`)
  const active = names.map((name) => ({name, bytes: 2, acked: 1, sent: 1, isLong: true, state: 'sending'}) as const)
  const [first = '', second = ''] = drawUploads({...run, active}, 80, noStyle)
  expect(first).toMatch(/^build\/.*…irst\.bundle {2}\[/u)
  expect(second).toMatch(/^build\/.*…cond\.bundle {2}\[/u)
})

test('at most eight bars are drawn, and the others are counted', () => {
  const [file] = run.active
  if (!file) throw new Error('there is a file')
  const active = Array.from({length: 11}, (_, at) => ({...file, name: `${at}.bundle`}))
  const lines = drawUploads({...run, active}, 80, noStyle)
  expect(lines).toHaveLength(8 + 3)
  expect(lines[7]).toMatch(/^7\.bundle/u)
  expect(lines[8]).toBe('and 3 more')
})

test('100% is shown only when everything is acknowledged', () => {
  const {bytes} = run
  expect(uploadLine({...run, work: {bytes, sent: bytes, acked: bytes - 1}})).toMatch(/^99%/u)
  expect(uploadLine({...run, work: {bytes, sent: bytes, acked: bytes}})).toMatch(/^100%/u)
})

test('a reason that all files wait for is shown in place of the rate', () => {
  const waiting = {
    ...run,
    active: run.active.map((file) => ({...file, state: 'waiting', why: 'asked to wait'}) as const),
  }
  expect(uploadLine(waiting)).toContain('waiting: asked to wait, 3 of 12')
  expect(uploadLine({...run, stalled: true})).toContain('stalled, 3 of 12')
})

test('names and reasons of a hostile service are safe text', () => {
  const nasty = '\u001b]0;owned\u0007\u202egnp.bundle\n'
  const [file] = drawUploads(
    {...run, active: [{name: nasty, bytes: 1, acked: 0, sent: 0, isLong: true, state: 'waiting', why: nasty}]},
    200,
    noStyle,
  )
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through.
  expect(file).not.toMatch(/[\u0000-\u001f\u202e]/u)
  expect(file).toContain('\\u{1b}')
})

test('colour says nothing that the text does not', async () => {
  const coloured = drawUploads(run, 80, await styleOf(true)).join('\n')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour escapes are what is taken out.
  expect(coloured.replace(/\u001b\[[0-9;]*m/gu, '')).toBe(drawUploads(run, 80, noStyle).join('\n'))
  expect(coloured).not.toBe(drawUploads(run, 80, noStyle).join('\n'))
})

describe('whatever is under way', () => {
  const file = fc.record({
    name: fc.string({unit: 'grapheme', maxLength: 60}),
    bytes: fc.nat({max: 2 ** 31 - 1}),
    acked: fc.nat({max: 2 ** 31 - 1}),
    sent: fc.nat({max: 2 ** 31 - 1}),
    isLong: fc.boolean(),
    state: fc.constantFrom('sending' as const, 'waiting' as const, 'stalled' as const),
    why: fc.string({unit: 'grapheme', maxLength: 60}),
  })
  const runs = fc.record({
    active: fc.array(file, {maxLength: 12}),
    files: fc.nat(),
    done: fc.nat(),
    failed: fc.nat(),
    bytes: fc.nat(),
    acked: fc.nat(),
    sent: fc.nat(),
    work: fc.record({acked: fc.nat(), sent: fc.nat(), bytes: fc.nat()}),
    rate: fc.double({min: 0, max: 1e12, noNaN: true}),
    secondsLeft: fc.double({min: 0, max: 1e9, noNaN: true}),
    stalled: fc.boolean(),
  })

  test('no line reaches the last column, where a terminal would wrap', () => {
    fc.assert(
      fc.property(runs, fc.integer({min: 2, max: 240}), (any, columns) => {
        const lines = drawUploads(any, columns, noStyle)
        expect(lines.length).toBeLessThanOrEqual(11)
        for (const line of lines) expect(stringWidth(line)).toBeLessThan(columns)
      }),
    )
  })
})
