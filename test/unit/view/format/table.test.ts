import {describe, expect, test} from 'vitest'
import {displayWidth} from '../../../../src/text/width.js'
import type {Column, ViewContext} from '../../../../src/view/format/columns.js'
import {drawTable, fitColumns} from '../../../../src/view/format/table.js'
import {drawn, place, spoken} from '../stage.js'

interface Room {
  readonly id: string
  readonly name?: unknown
  readonly count?: unknown
  readonly open?: unknown
}

const columns: readonly Column<Room>[] = [
  {name: 'room_id', label: 'ID', value: (room) => room.id, id: true},
  {name: 'name', value: (room) => room.name, flex: true},
  {name: 'count', value: (room) => room.count, right: true},
  {name: 'open', value: (room) => room.open, paint: (text, room, style) => (room.open ? style.green(text) : text)},
]

const rooms: readonly Room[] = [
  {id: 'r-1', name: '주간 회의', count: 5, open: true},
  {id: 'room-22', name: 'standup 👩🏽‍💻', count: 120, open: false},
]

const draw = (rows: readonly Room[], about: Partial<ViewContext> = {}, header = true) =>
  drawn(drawTable(rows, columns, header, place(about)))

describe('a table off a terminal', () => {
  test('has a heading in capitals and columns that stand under it, whatever the script', async () => {
    expect(await draw(rooms)).toBe(
      [
        'ID       NAME        COUNT  OPEN',
        'r-1      주간 회의       5  yes',
        'room-22  standup 👩🏽‍💻    120  no',
        '',
      ].join('\n'),
    )
  })

  test('leaves the heading out when that is asked for', async () => {
    expect(await draw([{id: 'r-1', name: 'a', count: 1, open: true}], {}, false)).toBe('r-1  a  1  yes\n')
  })

  test('draws nothing at all for no rows', async () => {
    expect(await draw([])).toBe('')
  })

  test('cuts nothing and ends no line in spaces', async () => {
    const long = 'x'.repeat(500)
    const text = await draw([
      {id: 'r-1', name: long},
      {id: 'r-2', name: 'short', open: 'soon  '},
    ])
    expect(text).toContain(long)
    expect(text).not.toMatch(/ $/m)
  })

  test('shows a dash for nothing and something safe for anything unexpected', async () => {
    const text = await draw([
      {id: 'r-1'},
      {id: 'r-2', name: null, count: 'many', open: {by: 'kim'}},
      {id: 'r-3', name: '', count: Number.NaN, open: ['\u001b[2J']},
      {id: 'r\u001b-4', name: 42, count: [], open: '\u202e'},
    ])
    expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'NAME', 'COUNT', 'OPEN'],
      ['r-1', '-', '-', '-'],
      ['r-2', '-', 'many', '{"by":"kim"}'],
      ['r-3', '-', 'NaN', '["\\u001b[2J"]'],
      ['r\\u{1b}-4', '42', '[]', '\\u{202e}'],
      [''],
    ])
  })

  test('finds its widths in the first thousand rows and draws all others', async () => {
    const many = Array.from({length: 2500}, (_, i) => ({id: `r-${i}`, name: i === 2000 ? 'a much longer name' : 'n'}))
    const lines = (await draw(many)).trimEnd().split('\n')
    expect(lines).toHaveLength(2501)
    expect(lines[1]).toBe('r-0    n         -  -')
    expect(lines[2001]).toBe('r-2000  a much longer name      -  -')
  })

  test('comes in pieces', async () => {
    const many = Array.from({length: 1200}, (_, i) => ({id: `r-${i}`}))
    let pieces = 0
    for await (const _ of drawTable(many, columns, true, place())) pieces += 1
    expect(pieces).toBe(4)
  })
})

describe('a table on a terminal', () => {
  const wide: readonly Room[] = [
    {id: 'a-long-id-that-must-stay-whole', name: '아주 긴 이름을 가진 회의실 이름', count: 5, open: true},
    {id: 'r-2', name: 'standup', count: 120, open: false},
  ]

  test.each([50, 60, 80])('is never wider than %i columns and never cuts an id', async (width) => {
    const text = await draw(wide, {columns: width})
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width)
    expect(text).toContain('a-long-id-that-must-stay-whole')
  })

  test('cuts the name first, with an ellipsis, by its width on the screen', async () => {
    expect(await draw(wide, {columns: 62})).toBe(
      [
        'ID                              NAME               COUNT  OPEN',
        'a-long-id-that-must-stay-whole  아주 긴 이름을…        5  yes',
        'r-2                             standup              120  no',
        '',
      ].join('\n'),
    )
  })

  test('leaves out the last columns when cutting is not enough, and says so apart from the result', async () => {
    const notes: string[] = []
    const text = await draw(wide, {columns: 44, note: (note) => notes.push(note)})
    expect(text.split('\n')[0]).toBe('ID                              NAME')
    expect(notes).toEqual(['not shown: count, open; widen the window or use --columns'])
  })

  test('says nothing when all columns are there', async () => {
    const notes: string[] = []
    await draw(wide, {columns: 200, note: (note) => notes.push(note)})
    expect(notes).toEqual([])
  })

  test('has a bold heading and colours that do not move the columns', async () => {
    expect(await draw(rooms.slice(0, 1), {columns: 80, style: spoken})).toBe(
      '<bold>ID   NAME       COUNT  OPEN</>\nr-1  주간 회의      5  <green>yes</>\n',
    )
  })
})

describe('fitting columns', () => {
  const id = {width: 10, id: true} as const
  const name = {width: 40, flex: true} as const
  const time = {width: 26}

  test('keeps all widths where there is room', () => {
    expect(fitColumns([id, name, time], 100).map(({width}) => width)).toEqual([10, 40, 26])
  })

  test('cuts flex columns to sixteen before any other', () => {
    expect(fitColumns([id, name, time], 60).map(({width}) => width)).toEqual([10, 20, 26])
    expect(fitColumns([id, name, time], 56).map(({width}) => width)).toEqual([10, 16, 26])
  })

  test('then cuts the others to seventeen', () => {
    expect(fitColumns([id, name, time], 48).map(({width}) => width)).toEqual([10, 16, 18])
    expect(fitColumns([id, name, time], 47).map(({width}) => width)).toEqual([10, 16, 17])
  })

  test('then leaves out the last, and gives its room to the others', () => {
    expect(fitColumns([id, name, time], 46)).toEqual([
      {index: 0, width: 10},
      {index: 1, width: 34},
    ])
  })

  test('leaves out a whole column rather than cut it', () => {
    const whole = {width: 22, whole: true} as const
    expect(fitColumns([id, name, whole], 54).map(({width}) => width)).toEqual([10, 18, 22])
    expect(fitColumns([id, name, whole], 50)).toEqual([
      {index: 0, width: 10},
      {index: 1, width: 38},
    ])
  })

  test('cuts a flex column to eight before it is left out itself', () => {
    expect(fitColumns([id, name], 20).map(({width}) => width)).toEqual([10, 8])
    expect(fitColumns([id, name], 19)).toEqual([{index: 0, width: 10}])
  })

  test('never leaves out an id, even one that is too wide or stands last', () => {
    expect(fitColumns([name, time, id], 12)).toEqual([{index: 2, width: 10}])
    expect(fitColumns([id], 4)).toEqual([{index: 0, width: 10}])
  })

  test('shares the loss between flex columns', () => {
    expect(fitColumns([name, name], 42).map(({width}) => width)).toEqual([20, 20])
  })
})
