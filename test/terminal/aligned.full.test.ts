import {execFileSync} from 'node:child_process'
import stringWidth from 'string-width'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {pythonProgram} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {serviceOf} from './service.js'

/** Names as people give them, in scripts whose letters take two columns, none, or join. */
const plainNames = [
  'Standup',
  '프로젝트 착수 회의',
  '프로젝트'.normalize('NFD'),
  '会議室一',
  'اجتماع الفريق',
  'ישיבת צוות',
  'Zürich e\u0301te\u0301',
  'Việt Nam'.normalize('NFD'),
  'कार्यक्रम',
  'ประชุมทีมน้ำ',
  'ខ្មែរ',
  `z${'\u0301'.repeat(8)}algo`,
]
/** Pictures that terminals draw differently; the C library and string-width agree on these. */
const pictures = ['Friday drinks 🎉', '깃발 🇰🇷', '😀😀😀', '会 🚀']
/** Joined pictures, which a terminal that knows them draws as one. */
const joined = ['팀 👩‍💻 모임', '가족 👨‍👩‍👧‍👦', '🏳️‍🌈']
const long = [
  'n'.repeat(100_000),
  '가'.repeat(100_000),
  'م'.repeat(100_000),
  'क्'.repeat(50_000),
  '👩‍💻'.repeat(20_000),
  '😀🏽'.repeat(25_000),
  `a${'\u0301'.repeat(100_000)}`,
  '\u001b[31m'.repeat(20_000),
]

const columns = ['room_id', 'name', 'room_status', 'created_by', 'max_attendee_count', 'description']
const asked = `room list --columns ${columns.join(',')}`

/** A list of rooms, of each name one. */
function listed(names: readonly string[], width?: number) {
  const transport = serviceOf((member) => ({room_status: 'MEETING', created_by: 'ann'})[member] ?? member)
  const rooms = names.map((name, at) => ({
    room_id: `r-${at}`,
    name,
    room_status: 'MEETING',
    created_by: name,
    max_attendee_count: at * 100,
    description: name,
  }))
  return cli(asked, {
    home: freshHome(),
    env: {NO_COLOR: '1'},
    transport: async (request) => ({
      ...(await transport(request)),
      body: once(Buffer.from(JSON.stringify({status: 'SUCCESS', data: rooms}))),
    }),
    ...(width === undefined ? {} : {columns: width}),
  })
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

/** Where the columns of a table begin, by its heading, in columns of the terminal. */
function starts(heading: string): number[] {
  return [...heading.matchAll(/(?<=^| {2})\S+/gu)].map(({index}) => index)
}

/** The columns that a text takes on the terminal of another maker. */
async function onScreen(lines: readonly string[]): Promise<string[]> {
  const screen = new Screen(400, lines.length + 1)
  await screen.output.write(`${lines.join('\n')}\n`)
  return screen.cells()
}

/** Left-aligned cells begin under their heading, behind a gap of two. */
function expectAligned(cells: readonly string[], from: readonly number[]): void {
  const status = from[2] ?? 0
  for (const line of cells) {
    expect(line.slice(status - 2, status + 'MEETING'.length), line).toBe('  MEETING')
    expect(line.slice((from[1] ?? 0) - 2, from[1]), line).toBe('  ')
    expect(line.charAt(from[1] ?? 0), line).not.toBe(' ')
    expect(line.slice((from[3] ?? 0) - 2, from[3]), line).toBe('  ')
  }
}

describe.each([80, 120, 200, undefined])('a table on %s columns', (width) => {
  test('has its columns one under the other, by a terminal of another maker', async () => {
    const {stdout} = await listed(plainNames, width)
    const [heading = '', ...lines] = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(plainNames.length)
    expectAligned(await onScreen(lines), starts(heading))
  })

  test('has them so with pictures, by the C library and with joined ones by string-width', async () => {
    const {stdout} = await listed([...pictures, ...joined], width)
    const [heading = '', ...lines] = stdout.trimEnd().split('\n')
    const at = heading.indexOf('STATUS')
    const before = lines.map((line) => line.slice(0, line.indexOf('MEETING')))
    expect(widthsByLibc(before.slice(0, pictures.length))).toEqual(pictures.map(() => at))
    expect(before.map((text) => stringWidth(text))).toEqual(lines.map(() => at))
  })
})

describe.each(long.map((name) => [`${JSON.stringify(name.slice(0, 6))}…`, name] as const))(
  'a name of 100,000 characters like %s',
  (_, name) => {
    test.each([80, 200])('is cut on a terminal of %i columns and leaves every line within it', async (width) => {
      const {stdout, exit} = await listed(['Standup', name, '프로젝트'], width)
      expect(exit).toBe(0)
      const lines = stdout.trimEnd().split('\n')
      // A line for each room, and at most nine more for the description, which wraps.
      expect(lines.filter((line) => line.startsWith('r-'))).toHaveLength(3)
      expect(lines.length).toBeLessThanOrEqual(4 + 9)
      for (const line of lines) {
        expect(line.length).toBeLessThan(width * 12)
        expect(stringWidth(line)).toBeLessThanOrEqual(width)
      }
      expect(lines[2]).toContain('…')
    })

    test('is cut at 4,096 characters in a pipe, and sends no spaces with every other row', async () => {
      const {stdout} = await listed([name, ...Array.from({length: 40}, () => 'Standup')])
      const [, first = '', ...others] = stdout.trimEnd().split('\n')
      expect(first.length).toBeGreaterThan(4096)
      expect(first.length).toBeLessThan(3 * 4200)
      for (const line of others) expect(stringWidth(line)).toBeLessThan(1000)
    })
  },
)

/** How many columns texts take by the wcswidth of the C library. */
function widthsByLibc(texts: readonly string[]): number[] {
  const script = [
    'import ctypes, json, locale, sys',
    "locale.setlocale(locale.LC_ALL, 'C.UTF-8')",
    'c = ctypes.CDLL(None)',
    'print(json.dumps([c.wcswidth(ctypes.c_wchar_p(t), len(t)) for t in json.load(sys.stdin)]))',
  ].join('\n')
  return JSON.parse(
    execFileSync(pythonProgram(), ['-IS', '-c', script], {input: JSON.stringify(texts), encoding: 'utf8'}),
  )
}
