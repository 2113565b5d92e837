import {expect, test} from 'vitest'
import {Failure, failureJson} from '../../../../src/failure.js'
import {drawStepSummary} from '../../../../src/view/asset/stepSummary.js'
import type {UploadRow} from '../../../../src/view/asset/transfers.js'

const mebibyte = 1024 * 1024
const done = (file: string): UploadRow => ({file, uuid: 'u', bytes: 2048, sha256: 'ab'.repeat(32), outcome: 'done'})
const failed = (file: string, message: string): UploadRow => {
  const error = failureJson(new Failure({exit: 'network', message}))
  return {file, uuid: null, bytes: null, sha256: null, outcome: 'failed', error}
}
const draw = (rows: readonly UploadRow[], room = mebibyte) =>
  drawStepSummary({title: 'asset sync to games/foo', counts: 'uploaded 2 files', rows}, room)

test('shows counts, every failure, and the first 200 files', () => {
  const rows = [...Array.from({length: 250}, (_, at) => done(`${at}.bundle`)), failed('last.bundle', 'it broke')]
  const text = draw(rows)
  const heading = '\n### asset sync to games/foo\n\nuploaded 2 files\n\n| Failed | Error |\n| --- | --- |\n'
  expect(text.startsWith(`${heading}| last.bundle | it broke |\n\n| File | Outcome | Size | SHA256 |\n`)).toBe(true)
  expect(text.match(/^\| \d+\.bundle \| done \| 2\.0 KiB \| abababababab \|$/gmu)).toHaveLength(200)
  expect(text.endsWith('| 199.bundle | done | 2.0 KiB | abababababab |\n\n51 more files not shown.\n')).toBe(true)
})

test('never holds more than it may, and says that it was cut', () => {
  const rows = Array.from({length: 20_000}, (_, at) => failed(`${at}${'가'.repeat(60)}`, 'x'.repeat(5000)))
  const text = draw(rows, 300_000)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(300_000)
  expect(Buffer.byteLength(text)).toBeGreaterThan(299_000)
  expect(text.endsWith(' |\n\nThe rest does not fit into the summary of the step.\n')).toBe(true)
  expect(Buffer.byteLength(draw(rows, 60))).toBeLessThanOrEqual(60)
  expect(draw(rows, 10)).toBe('')
})

test('shows names and messages as they are, and none of them as markup', () => {
  const text = draw([failed('a|b_c`d`<img src=x>', '[x](http://y) **z**\n# www.w.example $v$ 김 🎉 \u202e')])
  const [, row = ''] = /^\| --- \| --- \|\n(.*)$/mu.exec(text) ?? []
  expect(row).not.toMatch(/[_`<>[\]()*#$:@\\](?!\d+;)/u)
  expect(row.split(' | ')).toHaveLength(2)
  const shown = row.replaceAll(/&#(\d+);/gu, (_, code) => String.fromCodePoint(Number(code)))
  expect(shown).toContain('a|b_c`d`<img src=x> | [x](http://y) **z**\\u{a}# www.w.example $v$ 김 🎉 \\u{202e} |')
  expect(row).toContain('www&#46;w.example')
})
