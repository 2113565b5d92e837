import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

test('--query means JSON where no format is named', async () => {
  const line = ['room', 'list', '--query', '[].{id: room_id, status: room_status}']
  const named = await cli([...line, '-o', 'json'])
  expect(JSON.parse(named.stdout)).toContainEqual({id: 'r-standup', status: 'MEETING'})
  expect(await cli(line)).toMatchObject({exit: 0, stdout: named.stdout})
  expect((await cli([...line, '-o', 'yaml'])).stdout).toContain('- id: r-standup\n')
  expect(await cli([...line, '-o', 'csv'])).toMatchObject({exit: 2, stdout: ''})
})

const wrongQueries = [
  ["[?room_status='NOPE'].room_id", 'write =='],
  ["[?id='a'].id", 'write =='],
  ['a = b', 'write =='],
  ["x='y'", 'write =='],
  ["a === 'b'", 'write =='],
  ["'open", 'not JMESPath'],
  ['`1', 'not JMESPath'],
  ['"a', 'not JMESPath'],
  ["'a\\'", 'not JMESPath'],
  ['$', 'not JMESPath'],
  ['let $x = a in $x', 'not JMESPath'],
  ['a + b', 'not JMESPath'],
  ['a - `1`', 'not JMESPath'],
  ['a -1', 'not JMESPath'],
  ['-a', 'not JMESPath'],
  ['a * b', 'not JMESPath'],
  ['a / b', 'not JMESPath'],
  ['a ? b : c', 'not JMESPath'],
  ['[a b]', 'not JMESPath'],
  ['max_by(a &b)', 'not JMESPath'],
  ['length(a,)', 'not JMESPath'],
  ['[a,]', 'not JMESPath'],
  ['{a: b,}', 'not JMESPath'],
  ['a.', 'not JMESPath'],
  ['a]', 'not JMESPath'],
  ['', 'not JMESPath'],
  ['items(@)', 'no function items()'],
  ['toString(@)', 'no function toString()'],
  ['a[?nosuch(b)].{c: d}', 'no function nosuch()'],
  ['a || length()', 'arguments for length()'],
  ['[?contains(a)]', 'arguments for contains()'],
  ['sort_by(@, &a, &b)', 'arguments for sort_by()'],
  ['length(`1`)', 'does not fit length()'],
  ['a || sum(`[1, "a"]`)', 'does not fit sum()'],
  ['sort_by(`[{"a": 1}, {"a": "b"}]`, &a)', 'does not fit'],
] as const

test('what JMESPath does not define, or what fails for every result, is refused before any request', () =>
  everyCase(wrongQueries, async (query, words) => {
    const ran = await cli(['room', 'list', '-o', 'yaml', '--query', query])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(words)
  }))

test('a failure under --query is one JSON object', async () => {
  const ran = await cli(['room', 'show', 'r-gone', '--query', 'name'])
  expect(ran).toMatchObject({exit: 6, stdout: ''})
  expect(JSON.parse(ran.stderr)).toMatchObject({error: {exit_code: 6}})
})

test('-r prints texts without quotes, one a line, and other values as JSON', async () => {
  const ids = (await cli('room list --status meeting -q')).stdout
  expect(await cli('room list --status meeting --query [].room_id -r')).toMatchObject({exit: 0, stdout: ids})
  expect((await cli('room show r-standup --query name -r')).stdout).toBe('Daily standup\n')
  expect((await cli('room show r-standup --query max_attendee_count --raw')).stdout).toMatch(/^\d+\n$/u)
  expect((await cli('room show r-standup --query nothing --raw')).stdout).toBe('null\n')
  expect((await cli('room list --query [?room_id==`none`] --raw')).stdout).toBe('')
})

test('-r gives a pipe the text as it is, and a terminal safe text', async () => {
  const line = ['room', 'show', 'r-standup', '--query', '`"a\\u001b[31mb"`', '-r']
  expect((await cli(line)).stdout).toBe('a\u001b[31mb\n')
  const shown = (await cli(line, {columns: 80})).stdout
  expect(shown).not.toContain('\u001b')
  expect(shown).toContain('a')
})

test.each(['room list -r', 'room list -r -o yaml --query [0]'])(
  '%s is refused before anything is sent',
  async (line) => {
    expect(await cli(line)).toMatchObject({exit: 2, stdout: '', sent: []})
  },
)

test('a list is sorted in descending order by a column whose name begins like a flag', async () => {
  const ids = (await cli('room list -q')).stdout.trim().split('\n')
  const downwards = [...ids].sort().reverse()
  for (const sort of ['--sort -room_id', '--sort=-room_id']) {
    expect((await cli(`room list -q ${sort}`)).stdout.trim().split('\n')).toEqual(downwards)
  }
  expect(await cli('room list --sort --tz utc')).toMatchObject({exit: 2, stdout: ''})
})

test('an unknown column is refused by a dry run, which prints sentences for one target', () =>
  everyCase(
    [
      'room end r-standup',
      'attendee block r-standup ben',
      'push send ann --title a --body b',
      'room end --match none-*',
      'room end r-standup r-support',
    ],
    async (line) => {
      for (const flag of ['--columns', '--sort']) {
        const ran = await cli(`${line} --dry-run ${flag} nonsense`)
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        expect(ran.stderr).toContain('unknown column nonsense')
      }
      const sorted = await cli(`${line} --dry-run --sort nonsense -q`)
      expect(sorted).toMatchObject({exit: 2, stdout: ''})
    },
  ))

test('a dry run is sorted by the columns that it shows, also without a target', async () => {
  const {stdout} = await cli('room end r-standup r-support --dry-run --sort -age')
  expect(stdout.indexOf('r-support')).toBeLessThan(stdout.indexOf('r-standup'))
  const empty = await cli('room end --match none-* --dry-run --sort -age')
  expect(empty).toMatchObject({exit: 0, stdout: ''})
  expect(empty.stderr).toContain('nothing would be sent')
})

test('--sort, as --columns, asks for a table where people read a sentence', () =>
  everyCase(
    [
      ['room end r-standup --dry-run', 'url', /^OPERATION +METHOD +URL /u],
      ['room end r-standup --yes', 'outcome', /^ID +OUTCOME +AS /u],
      ['push send ann ben --title t --body b --batch 1 --dry-run', '-body', /^OPERATION +METHOD .*"ben"/su],
    ],
    async (line, column, shown) => {
      for (const flag of ['--sort', '--columns']) {
        const {stdout} = await cli(`${line} ${flag}=${column}`)
        expect(stdout).not.toMatch(/would send|sample|ended room/u)
        if (flag === '--sort') expect(stdout).toMatch(shown)
      }
    },
  ))

describe('--bom', () => {
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const lines = [
    'room list',
    'room list --no-header',
    'room list --match none-*',
    'room list --match none-* --no-header',
    'room show r-standup',
    'room end r-standup r-gone --yes',
    'room end r-standup r-support --dry-run',
  ]

  test('writes the bytes EF BB BF once, before csv that is otherwise the same', () =>
    everyCase(lines, async (line) => {
      const plain = await cli(`${line} -o csv`)
      const marked = await cli(`${line} -o csv --bom`)
      expect(Buffer.from(marked.stdout)).toEqual(Buffer.concat([mark, Buffer.from(plain.stdout)]))
      expect(Buffer.from(plain.stdout).includes(mark)).toBe(false)
      expect(marked.exit).toBe(plain.exit)
    }))

  test('holds where a setting names the format', async () => {
    const {stdout} = await cli('room list --bom', {env: {ROOMCTL_OUTPUT: 'csv'}})
    expect(stdout.startsWith('\ufeffroom_id,')).toBe(true)
  })

  test('is refused with every other format, before anything is sent', () =>
    everyCase(['', '-o table', '-o json', '--json', '-o ndjson', '-o yaml', '-o tsv', '-q'], async (format) => {
      for (const line of ['room list', 'room show r-standup', 'room end r-standup r-support --yes']) {
        const ran = await cli(`${line} ${format} --bom`)
        expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
        expect(ran.stderr).toMatch(/--bom cannot be used with -o (?:table|json|ndjson|yaml|tsv|ids)/)
      }
    }))
})

describe('a common flag that does nothing in the command', () => {
  const lines = ['config get output', 'sandbox seed', 'completion bash']

  test('is refused by a change of one thing, and one of times by a list without any', async () => {
    for (const flag of ['--columns=room_id', '--tz=utc']) {
      expect(await cli(`room delegate r-standup ben ${flag}`)).toMatchObject({exit: 2, sent: []})
    }
    expect(await cli('config get output --retries 1')).toMatchObject({exit: 2, stdout: ''})
    expect(await cli('room show r-standup --sort name')).toMatchObject({exit: 2, stdout: '', sent: []})
    expect((await cli('--sort name room show r-standup')).exit).toBe(0)
    expect((await cli('attendee list r-standup --tz utc')).stderr).toContain(
      '  why: it neither prints nor reads times\n',
    )
    expect(await cli('room update r-standup --max 9 --tz Asia/Seoul')).toMatchObject({exit: 0})
  })

  test('is refused behind it, with the reason', () =>
    everyCase(lines, async (line) => {
      for (const flag of ['--columns=a', '--sort=a', '--no-header', '--bom', '--no-pager', '--tz=utc']) {
        const ran = await cli(`${line} ${flag}`)
        const [name] = flag.split('=')
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        const why = /utc|tz/u.test(flag) ? 'it neither prints nor reads times' : 'it prints no rows'
        expect(ran.stderr).toContain(`error: this command does not take ${name}\n  why: ${why}\n`)
        expect(ran.stderr).toContain(`  try: leave ${name} out`)
      }
      expect((await cli(`${line} --retries 1`)).stderr).toContain('  why: it calls no service\n')
    }))

  test('is accepted before it', () =>
    everyCase(lines, async (line) => {
      const home = freshHome()
      const plain = await cli(line, {home})
      const flags =
        '--columns a --sort -a --no-header --bom --no-pager --tz utc --retries 1 --timeout 5s --ca-file x --concurrency 2 --progress none -y'
      expect(await cli(`${flags} ${line}`, {home})).toMatchObject({...plain, exit: plain.exit})
    }))

  test('is refused where it is --dry-run, before and behind', async () => {
    for (const line of ['--dry-run config set tz utc', 'config set tz utc --dry-run']) {
      expect(await cli(line)).toMatchObject({exit: 2, stdout: ''})
    }
  })
})
