import {writeFileSync} from 'node:fs'
import path from 'node:path'
import stringWidth from 'string-width'
import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal, type TerminalRun, type TerminalScript} from '../support/pty.js'
import {frames} from '../support/screen.js'
import {freshPlace, type Place, start} from './place.js'

const names = ['레벨-하나-아주-긴-이름의-번들-파일입니다.bundle', 'b.bundle', 'catalog.json']
let place: Place
let address: Record<string, string>

/** A service that takes its time for each of the chunks. */
beforeAll(async () => {
  place = freshPlace()
  for (const name of names) writeFileSync(path.join(place.dir, name), Buffer.alloc(256 * 1024, name))
  const server = start(place, 'exec roomctl sandbox start --port 0 --seed demo --latency 200ms')
  const said = await server.prints('ROOMCTL_ASSET_TOKEN=')
  const [, url = ''] = /ROOMCTL_ASSET_URL=(\S+)/u.exec(said) ?? []
  const [, token = ''] = /ROOMCTL_ASSET_TOKEN=(\S+)/u.exec(said) ?? []
  address = {ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: token}
}, 30_000)

function upload(more: readonly string[], script: Partial<TerminalScript> = {}): Promise<TerminalRun> {
  const words = ['asset', 'upload', 'games/puzzle', ...names, '--platform', 'ios', '--description', 'd']
  // The files are there after the first upload of them.
  const anew = more.includes('--state-dir') ? [] : ['--fresh']
  return onTerminal({
    command: ['roomctl', ...words, '--chunk-size', '64KiB', '--concurrency', '2', ...anew, ...more],
    cwd: place.dir,
    ...script,
    env: {...place.env, ...address, TERM: 'xterm-256color', ...script.env},
  })
}

const isTotal = (line: string) => line.startsWith('total ') || /^\d+% {2}/u.test(line)
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for.
const colours = /\u001b\[[0-9;]*m/u

describe.each([80, 200, 36])('on a terminal of %i columns', (columns) => {
  test('bars are drawn in their place, never wrap, and leave the results alone on the screen', async () => {
    const ran = await upload([], {columns, env: {NO_COLOR: '1'}})
    expect({exit: ran.exit, timed_out: ran.timed_out}).toEqual({exit: 0, timed_out: false})
    expect(ran.terminal).not.toMatch(colours)

    const {seen, last, cursor} = await frames(ran.terminal, columns)
    const drawn = seen.filter((lines) => lines.some(isTotal))
    expect(drawn.length).toBeGreaterThan(5)
    for (const lines of drawn) {
      expect(lines.filter(isTotal)).toHaveLength(1)
      for (const line of lines) expect(stringWidth(line)).toBeLessThan(columns)
    }
    expect(cursor).toBe(true)
    expect(ran.terminal).toContain('\u001b[?25l')
    expect(last.filter(isTotal)).toEqual([])
    if (columns === 80) {
      const rows = seen.flat()
      const bar = /^레벨-하나-…니다\.bundle +\[=+-+ *\] +(?:50|75|99)% {2}\d+\.0 KiB of 256\.0 KiB$/u
      expect(rows, 'acknowledged and sent bytes, under a name that is cut').toContainEqual(expect.stringMatching(bar))
      expect(rows).toContainEqual(expect.stringMatching(/^\d.*\/s, (?:\d+s left, )?\d of 3 files done$/u))
    }
    expect(last[0]).toMatch(/^on 127\.0\.0\.1:/u)
    expect(last[1]).toMatch(/^(?:FILE|UUID)/u)
    expect(ran.text).toMatch(/\r\nuploaded 3 files, 768\.0 KiB in [^\r]*\r\n$/u)
  })
})

test('colour is there where it is wanted, and bars look the same without', async () => {
  const ran = await upload([], {columns: 80})
  expect(ran.terminal).toMatch(colours)
  const {last, cursor} = await frames(ran.terminal, 80)
  expect({cursor, totals: last.filter(isTotal)}).toEqual({cursor: true, totals: []})
})

test('Ctrl-\\ ends it as it ends any program, and the cursor is back', async () => {
  const steps = [{expect: ' KiB of 256.0 KiB', send: '\u001c'}]
  // The files are there from the tests before, which another ledger does not know.
  const ran = await upload(['--state-dir', 'left', '--yes'], {columns: 80, steps, env: {NO_COLOR: '1'}})
  expect(ran).toMatchObject({exit: null, signal: 3})
  const {last, cursor} = await frames(ran.terminal, 80)
  expect({cursor, totals: last.filter(isTotal)}).toEqual({cursor: true, totals: []})
})

test.each([
  ['a log', {pipes: ['stderr']}],
  ['a screen reader', {env: {ACCESSIBLE: '1'}}],
] as const)('%s gets lines without escapes', async (_, script) => {
  const ran = await upload([], {...script, columns: 200})
  expect(ran.exit).toBe(0)
  const said = 'pipes' in script ? ran.stderr : ran.terminal
  expect(said).not.toContain('\u001b[?25l')
  expect(said).not.toContain('\u001b[J')
  expect(said).toContain('uploaded 3 files, 768.0 KiB in ')
  if ('pipes' in script) for (const control of ['\r', '\u001b']) expect(said).not.toContain(control)
})
