import {expect, test} from 'vitest'
import {recordingFile, recordTool} from '../../scripts/recording.js'
import {readText, root} from '../support/repository.js'

const recorded = readText(recordingFile)

/** The lines that a recording shows, without what time and speed change: numbers, ids, dates, and how often a bar is drawn. */
function linesOf(recording: string): string[] {
  const texts = [...recording.matchAll(/<text [^>]*>(.*)<\/text>/gu)].map(([, line = '']) =>
    line
      .replace(/<[^>]*>/gu, ' ')
      .replace(/\s+/gu, ' ')
      .trim(),
  )
  const steady = texts
    .filter((text) => !/\d %|\d%|\/s\b/u.test(text))
    .map((text) =>
      text
        .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gu, 'UUID')
        .replace(/[A-Z][a-z]{2} \d{1,2} /gu, '')
        .replace(/\d+/gu, '0'),
    )
  return [...new Set(steady)].sort()
}

test('each line of the recording, typed into an empty home, shows what the recording shows (npm run task -- recording)', async () => {
  const again = await recordTool(root)
  expect(linesOf(again)).toEqual(linesOf(recorded))
  for (const recording of [again, recorded]) {
    expect(recording).toMatch(/>\$ roomctl sandbox seed --files \.</u)
    // The bar of an upload, drawn while bytes go.
    expect(recording.match(/>\[</gu)?.length).toBeGreaterThan(3)
  }
})

test('the recording is under 300 KB, animated, light and dark', () => {
  expect(Buffer.byteLength(recorded)).toBeLessThan(300_000)
  expect(recorded).toMatch(/@media \(prefers-color-scheme:dark\)/u)
  expect(recorded).toMatch(/@media \(prefers-reduced-motion:reduce\)/u)
  // A plain colour before each variable, and the last frame without an animation: a viewer without both shows the upload.
  expect(recorded.match(/(?:fill|stroke):var/gu)).toHaveLength(
    recorded.match(/(fill|stroke):#\w{6};\1:var/gu)?.length ?? 0,
  )
  expect(recorded).toMatch(/\.play\{transform:translateX\(-\d+px\);animation:/u)
  expect(recorded.match(/translateX\(/gu)?.length).toBeGreaterThan(20)
  expect(recorded).not.toMatch(/<script|<image|https?:\/\/(?!www\.w3\.org\/2000\/svg")/u)
})
