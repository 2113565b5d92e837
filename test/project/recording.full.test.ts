import {expect, test} from 'vitest'
import {recordingFile, recordTool} from '../../scripts/recording.js'
import {readText, root} from '../support/repository.js'

const recorded = readText(recordingFile)

test('the recording of the README is what the built tool shows on a terminal (npm run task -- recording)', async () => {
  expect(await recordTool(root)).toBe(recorded)
})

test('the recording is under 300 KB, animated, light and dark, and names no time but that of its clock', () => {
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
