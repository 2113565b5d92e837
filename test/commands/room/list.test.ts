import {describe, expect, test} from 'vitest'
import {memoryStore} from '../../../scripts/memoryStore.js'
import {displayWidth} from '../../../src/text/width.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {instead, refusal, success, terminal} from '../answers.js'

const newestFirst = [
  'r-standup',
  'r-party',
  'r-full',
  'r-support',
  'r-first',
  'r-townhall',
  'r-private',
  'r-arabic',
  'r-review',
  'r-test-2',
  'r-test-1',
  'r-kickoff',
  'r-retro',
]
const ids = (text: string) => text.trimEnd().split('\n')

describe('the list of rooms', () => {
  test('is a table with RFC 3339 times in a pipe, nothing cut, no colour', async () => {
    const ran = await cli('room list')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.sent.map(({method, path, body}) => [method, path, body])).toEqual([
      ['GET', '/media/v1/rooms', undefined],
    ])
    expect(ran.sent[0]?.headers.authorization).toBe('Bearer sandbox-application-token')
    const lines = ran.stdout.trimEnd().split('\n')
    expect(lines[0]).toBe(
      'ID          NAME                STATUS       AGE  START                 END                   MAX  PUBLIC  CREATED_BY',
    )
    expect(lines[1]).toBe(
      'r-standup   Daily standup       MEETING      24m  2026-12-01T11:36:00Z  2026-12-01T12:20:00Z   30  yes     ann',
    )
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(newestFirst)
    expect(ran.stdout).toContain('프로젝트 착수 회의')
  })

  test.each([80, 200])('fits a terminal of %i columns, and cuts no id', async (columns) => {
    const ran = await cli('room list', terminal(columns))
    expect(ran.exit).toBe(0)
    const lines = ran.stdout.trimEnd().split('\n')
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(newestFirst)
    expect(ran.stdout).not.toContain('\u001b')
    const whole = columns === 200
    expect(lines[0]?.includes('CREATED_BY')).toBe(whole)
    expect(ran.stderr.includes('hidden columns: ')).toBe(!whole)
  })

  test('is coloured on a terminal that has colours, and says the same without', async () => {
    const coloured = await cli('room list', {columns: 200})
    const plain = await cli('room list --color never', {columns: 200})
    expect(coloured.stdout).toContain('\u001b[32mMEETING')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colour escapes are what is taken out.
    expect(coloured.stdout.replace(/\u001b\[\d+m/gu, '')).toBe(plain.stdout)
  })

  test('is the plain list as JSON, with wire names and values untouched', async () => {
    const ran = await cli('room list -o json')
    const rooms = JSON.parse(ran.stdout)
    expect(rooms.map(({room_id}: {room_id: string}) => room_id)).toEqual(newestFirst)
    expect(rooms[0]).toEqual({
      room_id: 'r-standup',
      name: 'Daily standup',
      room_status: 'MEETING',
      reserved_start_time: '2026-12-01T11:35:00Z',
      reserved_end_time: '2026-12-01T12:20:00Z',
      start_time: '2026-12-01T11:36:00Z',
      max_attendee_count: 30,
      is_public: true,
      created_by: 'ann',
      description: '',
      is_joinable: true,
    })
    expect((await cli('room list --json')).stdout).toBe(ran.stdout)
  })

  test('is one object a line as ndjson, ids with -q, cells as csv and tsv, a list as yaml', async () => {
    const lines = ids((await cli('room list -o ndjson')).stdout)
    expect(lines.map((line) => JSON.parse(line).room_id)).toEqual(newestFirst)
    expect(ids((await cli('room list -q')).stdout)).toEqual(newestFirst)
    expect((await cli('room list -o ids')).stdout).toBe((await cli('room list -q')).stdout)
    const csv = (await cli('room list -o csv')).stdout.split('\n')
    expect(csv[0]).toBe(
      'room_id,name,room_status,reserved_start_time,reserved_end_time,start_time,end_time,max_attendee_count,is_public,created_by',
    )
    const [reserved, actual] = ['2026-12-01T11:35:00Z,2026-12-01T12:20:00Z', '2026-12-01T11:36:00Z,']
    expect(csv[1]).toBe(`r-standup,Daily standup,MEETING,${reserved},${actual},30,true,ann`)
    const tsv = await cli('room list -o tsv --no-header --columns room_id,name')
    expect(tsv.stdout.split('\n')[0]).toBe('r-standup\tDaily standup')
    expect((await cli('room list -o yaml')).stdout).toMatch(/^- room_id: r-standup\n {2}name: Daily standup\n/)
  })

  test('keeps its format on a terminal when the environment or the flag sets one', async () => {
    const byEnv = await cli('room list', {columns: 80, env: {ROOMCTL_OUTPUT: 'ids'}})
    expect(ids(byEnv.stdout)).toEqual(newestFirst)
    const byFlag = await cli('room list -o json', {columns: 80, env: {ROOMCTL_OUTPUT: 'ids'}})
    expect(JSON.parse(byFlag.stdout)).toHaveLength(13)
  })

  test('that is empty is [] for programs and a sentence for people', async () => {
    const store = memoryStore()
    const none = {exit: 0, stdout: '', stderr: 'no rooms; add some: roomctl sandbox seed\n'}
    expect(await cli('room list', {store})).toMatchObject(none)
    expect(await cli('room list', {store, ...terminal(80)})).toMatchObject(none)
    expect(await cli('room list', {store, ...terminal(80), env: {ACCESSIBLE: '1', NO_COLOR: '1'}})).toMatchObject(none)
    for (const format of ['-q', '-o json', '-o ndjson', '-o yaml', '-o csv', '-o tsv', '-o ids']) {
      expect((await cli(`room list ${format}`, {store})).stderr).toBe('')
    }
    const filtered = await cli('room list --match nothing-*', terminal(80))
    expect(filtered).toMatchObject({exit: 0, stdout: '', stderr: 'no rooms match\n'})
    expect((await cli('room list -o json', {store})).stdout).toBe('[]\n')
    expect((await cli('room list -o ndjson', {store})).stdout).toBe('')
    expect((await cli('room list -q', {store})).stdout).toBe('')
    expect((await cli('room list -o csv --columns room_id', {store})).stdout).toBe('room_id\n')
  })
})

describe('columns, sorting and queries', () => {
  test('columns are chosen by their names or headings', async () => {
    const ran = await cli('room list --columns id,PRESENT,description --status ended')
    expect(ran.stdout.split('\n')[0]).toBe('ID         PRESENT  DESCRIPTION')
  })

  test('--no-header leaves the heading out', async () => {
    expect((await cli('room list --no-header --status ended')).stdout).not.toContain('NAME')
  })

  test('--sort orders by several columns', async () => {
    const ran = await cli('room list --sort -max_attendee_count,room_id -q')
    expect(ids(ran.stdout).slice(0, 3)).toEqual(['r-townhall', 'r-arabic', 'r-first'])
    expect(ids((await cli('room list --sort age -q')).stdout)[0]).toBe('r-townhall')
  })
})

describe('what the service is asked', () => {
  test('--asc and --biz-id go into the query', async () => {
    const ran = await cli(['room', 'list', '--asc', '--biz-id', 'biz & co', '-q'])
    expect(ran.sent[0]?.path).toBe('/media/v1/rooms?asc=true&bizId=biz%20%26%20co')
    const asc = await cli('room list --asc -q')
    expect(ids(asc.stdout)).toEqual(newestFirst.toReversed())
  })

  test('the tenant of the environment is asked for too', async () => {
    const ran = await cli('room list', {env: {ROOMCTL_BIZ_ID: 'biz-1'}})
    expect(ran.sent[0]?.path).toBe('/media/v1/rooms?bizId=biz-1')
  })
})

describe('rooms chosen by the client', () => {
  test.each([
    ['--status meeting', ['r-standup', 'r-party', 'r-full', 'r-support', 'r-test-2', 'r-test-1']],
    ['--status idle,ENDED', ['r-review', 'r-kickoff', 'r-retro']],
    ['--status idle --status ENDED', ['r-review', 'r-kickoff', 'r-retro']],
    ['--created-by dora', ['r-full', 'r-first']],
    ['--status reserved --created-by ben', ['r-private']],
    ['--status meeting --limit 2', ['r-standup', 'r-party']],
    ['--match test-* --older-than 8h', ['r-test-2', 'r-test-1']],
    ['--created-by 김민준', ['r-kickoff']],
  ])('%s', async (flags, wanted) => {
    const ran = await cli(['room', 'list', '-q', ...flags.split(' ')])
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ids(ran.stdout)).toEqual(wanted)
    expect(ran.sent).toHaveLength(1)
  })
})

describe('what a table of rooms shows by itself', () => {
  const heading = async (more: string, columns?: number) =>
    (await cli(`room list ${more}`, columns === undefined ? {} : terminal(columns))).stdout
      .split('\n')[0]
      ?.split(/ {2,}/u)

  test('is the age, on a terminal of any width and off one, but not in CSV', async () => {
    expect((await heading(''))?.slice(0, 4)).toEqual(['ID', 'NAME', 'STATUS', 'AGE'])
    expect((await heading('', 80))?.slice(0, 4)).toEqual(['ID', 'NAME', 'STATUS', 'AGE'])
    expect((await heading('-o csv'))?.[0]).not.toContain('age')
  })

  test('is who is present if a flag has read it, and only then', async () => {
    expect(await heading('--empty')).toContain('PRESENT')
    expect(await heading('')).not.toContain('PRESENT')
    expect((await cli('room list --empty -o csv')).stdout).not.toContain('present_count')
  })

  test('are short times on a terminal, and exact ones where a zone is asked for', async () => {
    const times = async (more: string) => (await cli(`room list --columns id,start ${more}`, terminal(80))).stdout
    expect(await times('')).toMatch(/^r-standup {2,}\d\d:\d\d$/mu)
    expect(await times('--tz utc')).toMatch(/^r-standup {2,}2026-12-01 11:36Z$/mu)
    expect(await times('--tz Asia/Seoul')).toMatch(/^r-standup {2,}2026-12-01 20:36 \+09:00$/mu)
  })

  test('are the columns of a flag, however narrow the terminal is', async () => {
    await everyCase(
      [
        ['--with-counts', ['PRESENT', 'RESERVED', 'INVITED']],
        ['--sort max', ['MAX']],
        ['--sort -present', ['PRESENT']],
        ['--columns id,created_by,start,end,max', ['CREATED_BY', 'START', 'END', 'MAX']],
      ] as const,
      async (flags, wanted) => expect(await heading(flags, 64)).toEqual(expect.arrayContaining([...wanted])),
    )
  })
})

describe('--limit', () => {
  test('says how many there are, where people read it', async () => {
    expect((await cli('room list --limit 3')).stderr).toBe('3 of 13\n')
    expect((await cli('room list --limit 2 --status meeting', terminal(200))).stderr).toBe('2 of 6\n')
    expect((await cli('room list --limit 13')).stderr).toBe('')
    await everyCase(['-q', '-o json', '-o csv', '-o yaml'], async (flags) =>
      expect((await cli(`room list --limit 3 ${flags}`)).stderr).toBe(''),
    )
  })

  test('reads the counts of no more rooms than it shows', async () => {
    expect((await cli('room list --limit 2 --with-counts -q')).sent).toHaveLength(3)
  })
})

describe('--columns and --sort of a count', () => {
  test('read every room, as --with-counts does', async () => {
    await everyCase(
      ['--columns room_id,present', '--columns id,PRESENT_COUNT -o csv', '--sort -present'],
      async (flags) => {
        const ran = await cli(`room list --status meeting ${flags}`)
        expect(ran.sent).toHaveLength(7)
        expect(ran.stdout).toMatch(/r-standup\b.*\b3\b/u)
      },
    )
  })

  test('read nothing for any other column', async () => {
    expect((await cli('room list --columns id,name,max --sort name')).sent).toHaveLength(1)
  })
})

describe('--with-counts', () => {
  test('reads every room and shows its counts', async () => {
    const ran = await cli(
      'room list --with-counts --status meeting -o csv --columns room_id,present_count,invited_count',
    )
    expect(ran.stdout.split('\n').slice(0, 3)).toEqual([
      'room_id,present_count,invited_count',
      'r-standup,3,1',
      'r-party,2,0',
    ])
    expect(ran.sent).toHaveLength(7)
    expect(ran.stderr).toBe('')
  })

  test('says first how many calls it takes if they are many', async () => {
    const ran = await cli('room list --with-counts')
    expect(ran.stderr).toBe('reading 13 rooms, one call each\nhidden columns: max, public, created_by\n')
    expect(ran.stdout.split('\n')[0]).toMatch(/PRESENT {2}RESERVED {2}INVITED$/)
  })

  test('gives programs the counts under the name of the detail', async () => {
    const ran = await cli('room list --with-counts --status idle -o json')
    expect(JSON.parse(ran.stdout)[0]).toMatchObject({
      room_id: 'r-review',
      attendee_count: {present_count: 0, reserved_count: 3, invited_count: 1},
    })
  })

  test('keeps the row of a room that went away meanwhile', async () => {
    const transport = await instead(({url}) => url.pathname.endsWith('/r-party'), [() => refusal('CE002')])
    const ran = await cli('room list --with-counts --status meeting -q', {transport})
    expect(ran.exit).toBe(0)
    expect(ids(ran.stdout)).toContain('r-party')
  })

  test('fails when a room cannot be read for another reason', async () => {
    const transport = await instead(({url}) => url.pathname.endsWith('/r-party'), [() => refusal('CE003')])
    expect(await cli('room list --with-counts', {transport})).toMatchObject({exit: 5, stdout: ''})
  })
})

test('has the times of CSV and TSV in the zone that is asked for, and as they came without one', async () => {
  const columns = '--columns room_id,start,reserved_start_time --match Town*'
  const out = async (more: string) => (await cli(`room list -o csv --no-header ${columns} ${more}`)).stdout
  const [, start] = (await out('')).trim().split(',')
  const inSeoul = await out('--tz Asia/Seoul')
  expect(inSeoul).toMatch(/^r-townhall,(\S+\+09:00),\1\n$/u)
  expect(Date.parse(inSeoul.split(',')[1] ?? '')).toBe(Date.parse(start ?? ''))
  expect(await out('--tz utc')).toMatch(/^r-townhall,(\S+Z),\1\n$/u)
  const onTerminal = await cli(`room list -o csv --no-header ${columns} --tz Asia/Seoul`, {columns: 80})
  expect(onTerminal.stdout).toBe(inSeoul)
})

test('a value of another type makes its cell unreadable, and the other rooms are listed', async () => {
  const room = {room_id: 'r-1', name: 'One', room_status: 'MEETING', start_time: '2026-12-01T11:00:00Z'}
  const wrong = {...room, room_id: 'r-2', name: 42, start_time: 7, reserved_start_time: '2026-12-01T10:00:00Z'}
  const transport = async () => success([room, wrong, {...room, room_id: 'r-3', max_attendee_count: 'many'}])
  const table = await cli('room list', {transport})
  expect(table).toMatchObject({
    exit: 0,
    stderr:
      'warning: not of the type that the document shows: name of room r-2, start_time of room r-2, max_attendee_count of room r-3\n',
  })
  expect(table.stdout).toMatch(/^r-1 +One +MEETING +1h /mu)
  expect(table.stdout).toMatch(/^r-2 +unreadable +MEETING +- +unreadable /mu)
  const csv = await cli('room list -o csv --columns room_id,name,max_attendee_count', {transport})
  expect(csv.stdout).toBe('room_id,name,max_attendee_count\nr-1,One,\nr-2,unreadable,\nr-3,One,unreadable\n')
  const json = await cli('room list -o json', {transport})
  expect(JSON.parse(json.stdout)[1]).toEqual({...wrong, name: null, start_time: null})
  expect((await cli('room list -q --match 4* --older-than 1m', {transport})).stdout).toBe('')
  const counted = await cli('room list --with-counts', {
    transport: async ({url}) => success(url.pathname.endsWith('rooms') ? [wrong] : {...room, room_id: 'r-2'}),
  })
  expect(counted.stdout).toMatch(/^r-2 +unreadable/mu)
})
