import {describe, expect, test} from 'vitest'
import type {Column, ViewContext} from '../../../../src/view/format/columns.js'
import {drawTable, fitColumns, type Natural} from '../../../../src/view/format/table.js'
import {drawn, place, spoken} from '../stage.js'

interface Room {
  readonly id: string
  readonly name?: unknown
  readonly count?: unknown
  readonly open?: unknown
}

const columns: readonly Column<Room>[] = [
  {name: 'room_id', label: 'ID', value: (room) => room.id, id: true},
  {name: 'name', value: (room) => room.name, fit: 'name'},
  {name: 'count', value: (room) => room.count, right: true},
  {name: 'open', value: (room) => room.open, paint: (text, room, style) => (room.open ? style.green(text) : text)},
]

const rooms: readonly Room[] = [
  {id: 'r-1', name: '주간 회의', count: 5, open: true},
  {id: 'room-22', name: 'standup 👩🏽‍💻', count: 120, open: false},
]

const draw = (rows: readonly Room[], about: Partial<ViewContext> = {}, header = true) =>
  drawn(drawTable(rows, columns, header, place(about)))

describe('a table in a pipe', () => {
  test('has a heading in capitals and columns aligned under it, in any script', async () => {
    expect(await draw(rooms)).toBe(
      [
        'ID       NAME        COUNT  OPEN',
        'r-1      주간 회의       5  yes',
        'room-22  standup 👩🏽‍💻    120  no',
        '',
      ].join('\n'),
    )
  })

  test('cuts nothing, and no line ends in spaces', async () => {
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
    const many = Array.from({length: 1200}, (_, i): Room => ({id: `r-${i}`}))
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
    const text = await draw(wide, {columns: 50, note: (note) => notes.push(note)})
    expect(text.split('\n')[0]).toBe('ID                              NAME')
    expect(notes).toEqual(['hidden columns: count, open'])
  })

  test('becomes a block for each row if only the ids would fit, and hides nothing', async () => {
    const notes: string[] = []
    expect(await draw(wide, {columns: 44, note: (note) => notes.push(note)})).toBe(
      [
        '  ID     a-long-id-that-must-stay-whole',
        '  Name   아주 긴 이름을 가진 회의실 이름',
        '  Count  5',
        '  Open   yes',
        '',
        '  ID     r-2',
        '  Name   standup',
        '  Count  120',
        '  Open   no',
        '',
      ].join('\n'),
    )
    expect(notes).toEqual([])
  })

  test('has a bold heading and colours that do not move the columns', async () => {
    expect(await draw(rooms.slice(0, 1), {columns: 80, style: spoken})).toBe(
      '<bold>ID   NAME       COUNT  OPEN</>\nr-1  주간 회의      5  <green>yes</>\n',
    )
  })
})

interface Result {
  readonly uuid: string
  readonly file: string
  readonly at: string
  readonly outcome: string
  readonly sha256: string
  readonly error: string
}

const result: Result = {
  uuid: '0b7d2b1e-6a5d-4a44-9f0c-1f3c58e0c9aa',
  file: '/srv/builds/2026/nightly/linux/a-rather-long-file-name.tar.gz',
  at: '2026-11-20T07:41:09Z',
  outcome: 'failed',
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  error: 'the service refused the upload: the container was deleted while it was under way',
}

const resultColumns: readonly Column<Result>[] = [
  {name: 'file', value: ({file}) => file, fit: 'path', kept: true},
  {name: 'uuid', value: ({uuid}) => uuid, fit: 'whole'},
  {name: 'at', value: ({at}) => at, time: 'minute', fit: 'whole'},
  {name: 'outcome', value: ({outcome}) => outcome},
  {name: 'sha256', value: ({sha256}) => sha256, fit: 'digest'},
  {name: 'error', value: ({error}) => error, fit: 'prose', paint: (text, _, style) => style.red(text)},
]

const drawResult = (about: Partial<ViewContext>) => drawn(drawTable([result], resultColumns, true, place(about)))

describe('what a table of results shows where it is narrow', () => {
  test('the file by both its ends, the outcome, and the whole error in lines; digest, uuid and time are hidden', async () => {
    const notes: string[] = []
    expect(await drawResult({columns: 60, note: (note) => notes.push(note)})).toBe(
      [
        'FILE                      OUTCOME  ERROR',
        '/srv/builds…-name.tar.gz  failed   the service refused the',
        '                                   upload: the container was',
        '                                   deleted while it was',
        '                                   under way',
        '',
      ].join('\n'),
    )
    expect(notes).toEqual(['hidden columns: uuid, at, sha256'])
  })

  test('colours each line of an error by itself', async () => {
    const rows = (await drawResult({columns: 60, style: spoken})).trimEnd().split('\n').slice(1)
    expect(rows).toHaveLength(4)
    for (const row of rows) expect(row).toMatch(/<red>[^<]+<\/>$/u)
  })

  test('a digest by 12 characters, also off a terminal', async () => {
    const columns = resultColumns.filter(({name}) => name !== 'uuid')
    for (const about of [{columns: 400}, {}]) {
      const wide = await drawn(drawTable([result], columns, true, place(about)))
      expect(wide).toContain(`  ${result.sha256.slice(0, 12)}  `)
      expect(wide).not.toContain(result.sha256.slice(0, 13))
    }
  })

  test('off a terminal whole paths and ids, wrapped prose, and no columns from the right that would make it wider', async () => {
    const notes: string[] = []
    const short = {...result, file: 'a-rather-long-file-name.tar.gz'}
    const seen = await drawn(drawTable([short], resultColumns, true, place({note: (note) => notes.push(note)})))
    expect(seen.split('\n')).toEqual([
      'FILE                            UUID                                  OUTCOME  ERROR',
      'a-rather-long-file-name.tar.gz  0b7d2b1e-6a5d-4a44-9f0c-1f3c58e0c9aa  failed   the service refused the upload: the',
      '                                                                               container was deleted while it was under',
      '                                                                               way',
      '',
    ])
    expect(notes).toEqual(['hidden columns: at, sha256'])
    const [, long = ''] = (await drawResult({})).split('\n')
    expect(long).toContain(`${result.file}  ${result.uuid}  failed   the service`)
  })

  test('off a terminal every column that a flag named', async () => {
    const named = resultColumns.map((column) => ({...column, kept: true}) as const)
    const [heading] = (await drawn(drawTable([result], named, true, place()))).split('\n')
    expect(heading?.split(/ +/u)).toEqual(['FILE', 'UUID', 'AT', 'OUTCOME', 'SHA256', 'ERROR'])
  })

  test('a block for each row where the outcome does not fit beside the file', async () => {
    const lines = (await drawResult({columns: 40})).split('\n')
    expect(lines).toContain('  Outcome  failed')
    expect(lines).toContain('  Error    the service refused the')
    expect(lines).toContain('  Sha256   e3b0c44298fc')
  })
})

describe('fitting columns', () => {
  const id = {width: 10, fit: 'whole', isKept: true} as const
  const name = {width: 40, fit: 'name'} as const
  const other = {width: 26}
  const places = (columns: readonly Natural[], total: number) => fitColumns(columns, total)?.map(({index}) => index)

  test('leaves out a digest before any other, wherever it is', () => {
    expect(places([id, {width: 12, fit: 'digest'}, other, name], 54)).toEqual([0, 2, 3])
  })

  test('never leaves out a kept column, and hides those before it', () => {
    expect(places([id, other, {width: 30, isKept: true}], 40)).toEqual([0, 2])
  })

  test('shows a narrow column again if hiding a wide one leaves room', () => {
    const wide = {width: 30, fit: 'whole'} as const
    const small = {width: 4, fit: 'whole'} as const
    expect(places([id, wide, small, {width: 16, isKept: true}], 40)).toEqual([0, 2, 3])
  })

  test('has no table if the kept columns do not fit, or would be alone', () => {
    expect(fitColumns([id, {width: 7, fit: 'whole', isKept: true}], 18)).toBeUndefined()
    expect(fitColumns([id, name], 27)).toBeUndefined()
  })
})
