import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, sendJson, serve, success, summary} from './service.js'

/** Names as people give them, and how many columns of a terminal each takes. */
const names: readonly (readonly [name: string, width: number])[] = [
  ['Standup', 7],
  ['프로젝트 착수 회의', 18],
  ['会議室一', 8],
  ['Friday drinks 🎉', 16],
  ['팀 👩‍💻 모임', 10],
  ['깃발 🇰🇷', 7],
  ['Ünïcödé', 7],
  ['Zürich e\u0301te\u0301', 10],
  ['اجتماع', 6],
  ['아주 긴 이름을 가진 방입니다 그래서 좁은 화면에서는 잘립니다', 60],
]

/**
 * The width of a text on a terminal, by a second reckoning of its own: two columns for a wide letter and for a picture,
 * one for any other, none for what is set onto the one before.
 */
function widthOf(text: string): number {
  const graphemes = [...new Intl.Segmenter('ko', {granularity: 'grapheme'}).segment(text)]
  return graphemes.reduce((sum, {segment}) => sum + (isWide(segment) ? 2 : 1), 0)
}

function isWide(grapheme: string): boolean {
  return /\p{Emoji_Presentation}|\p{Regional_Indicator}|[\u1100-\u115f\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/u.test(
    grapheme,
  )
}

/** What stands at a column of a line: the text from there on, and whether a gap of two stands before it. */
function at(line: string, column: number): {before: string; text: string} {
  let width = 0
  let before = ''
  for (const {segment} of new Intl.Segmenter('ko', {granularity: 'grapheme'}).segment(line)) {
    if (width >= column) break
    width += isWide(segment) ? 2 : 1
    before += segment
  }
  // A wide letter across the border shows as a width that went beyond it.
  return {before: width === column ? before : '!', text: line.slice(before.length)}
}

let place: Place

beforeAll(async () => {
  const rooms = names.map(([name], index) =>
    summary(`r-${index}`, {
      name,
      reserved_end_time: '2026-12-01T10:00:00Z',
      created_by: `사용자-${index}`,
      description: `끝 ${index}`,
    }),
  )
  const service = await serve((_path, response) => sendJson(response, success(rooms)))
  place = freshPlace({...environmentOf(service), TERM: 'xterm-256color', NO_COLOR: '1'})
})

test('the second reckoning knows the width of every name', () => {
  for (const [name, width] of names) expect(widthOf(name), name).toBe(width)
})

describe('a table with wide letters', () => {
  /** Every cell begins under its heading, and nothing but spaces stands between. */
  function expectAligned(lines: readonly string[]): void {
    const [heading = '', ...rows] = lines
    const starts = [...heading.matchAll(/(?<=^| {2})\S+/g)].map(({index}) => index)
    expect(starts.length).toBeGreaterThan(3)
    expect(rows).toHaveLength(names.length)
    for (const row of rows) {
      for (const start of starts.slice(1)) expect(at(row, start).before, row).toMatch(/ {2}$/)
      // Left-aligned columns: the id, the name and the state begin right at their place.
      expect(at(row, starts[1] ?? 0).text, row).toMatch(/^\S/)
      expect(at(row, starts[2] ?? 0).text, row).toMatch(/^MEETING/)
    }
  }

  test.each([80, 200])('has its columns one under the other on a terminal of %i columns', async (columns) => {
    const run = await onTerminal({
      command: ['roomctl', 'room', 'list', '--columns', 'id,name,status,created_by,description'],
      env: place.env,
      cwd: place.dir,
      columns,
    })
    expect(run.exit).toBe(0)
    const lines = run.text.trimEnd().split('\r\n')
    expectAligned(lines)
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(columns)
  })

  test('is cut where the terminal is narrow, with a sign of it, but never an id', async () => {
    const run = await onTerminal({
      command: ['roomctl', 'room', 'list', '--columns', 'id,name,status,created_by,description'],
      env: place.env,
      cwd: place.dir,
      columns: 60,
    })
    const lines = run.text.trimEnd().split('\r\n')
    expectAligned(lines)
    expect(lines.at(-1)).toMatch(/^r-9 +아주 긴 .*…/)
    for (const line of lines) expect(widthOf(line), line).toBeLessThanOrEqual(60)
  })

  test('is aligned in a pipe as well, and there nothing is cut', async () => {
    const ran = await shell(place, 'roomctl room list --columns id,name,status,created_by,description')
    expectAligned(ran.stdout.trimEnd().split('\n'))
    for (const [name] of names) expect(ran.stdout).toContain(name)
  })

  test('fits the usual columns into 80 and says which it left out; into 200 all of them go', async () => {
    const on = (columns: number) =>
      onTerminal({command: ['roomctl', 'room', 'list'], env: place.env, cwd: place.dir, columns})
    const [narrow, broad] = await Promise.all([on(80), on(200)])
    for (const line of narrow.text.trimEnd().split('\r\n')) expect(widthOf(line), line).toBeLessThanOrEqual(80)
    expect(narrow.text).toMatch(/not shown: .*created_by/)
    expect(broad.text).not.toContain('not shown')
    expect(broad.text).toMatch(/CREATED_BY/)
    expect(broad.text).toContain('아주 긴 이름을 가진 방입니다 그래서 좁은 화면에서는 잘립니다')
  })
})
