import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

const entry = {
  id: '01kbcxyz0001',
  at: '2026-12-01T09:00:00.000Z',
  profile: 'live',
  operation: 'room.end',
  targets: {roomId: 'r-1'},
  as: 'ann',
  outcome: 'done',
}
const withoutId = {...entry, id: undefined, at: '2026-11-30T09:00:00.000Z', operation: 'attendee.block'}
const failed = {...entry, id: '01kbcxyz0002', at: '2026-12-01T11:00:00.000Z', profile: 'work', outcome: 'failed'}
const unknown = {
  ...entry,
  id: '01kbcxyz0003',
  at: '2026-12-01T11:59:00.000Z',
  operation: 'push.cancel',
  targets: {application_id: 'app-1', request_uuids: ['u-1', 'u-2']},
  as: undefined,
  outcome: 'unknown',
  code: 'reset',
}

/** A home whose journal holds these lines. */
function homeWith(...lines: readonly (object | string)[]): string {
  const home = freshHome()
  const folder = join(home, '.local/state/roomctl')
  mkdirSync(folder, {recursive: true})
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  writeFileSync(join(folder, 'journal.ndjson'), text)
  return home
}

/** The line is about the journal alone; cli() would name a profile, and so choose its entries. */
const anyProfile = {ROOMCTL_PROFILE: 'sandbox'}
const history = (flags: string, home: string) => cli(`history ${flags}`, {home, env: anyProfile})

async function idsOf(flags: string, home = homeWith(withoutId, entry, failed, unknown)): Promise<string[]> {
  const ran = await history(`-o json ${flags}`, home)
  expect(ran.exit).toBe(0)
  return JSON.parse(ran.stdout).map(({id}: {id?: string}) => id?.slice(-1) ?? '-')
}

test('off a terminal lines have at most 120 columns: targets and reasons wrap, and no uuid is broken', async () => {
  const uuid = 'b3e5eda4-cfa0-4dc9-979f-87a216de8885'
  const targets = {container: 'games/puzzle', uuid, name: 'board.bundle', platform: 'ios', description: 'the second'}
  const sent = {...entry, id: '01kbcxyz0004', operation: 'asset.upload', targets}
  const linesOf = async (...lines: readonly object[]) => (await history('', homeWith(...lines))).stdout.split('\n')
  const reason = 'cleaning up the test rooms of yesterday evening, see ticket 1234'
  for (const lines of [await linesOf(sent, entry), await linesOf(sent, {...entry, reason})]) {
    expect(lines.filter((line) => line.length > 120)).toEqual([])
    expect(lines.filter((line) => line.includes(uuid))).toHaveLength(1)
  }
  const {stdout, stderr} = await history('--columns id,at,targets,reason', homeWith(sent, {...entry, reason}))
  expect(stdout).toMatch(/^ID +AT +TARGET +REASON$/mu)
  expect(stderr).toBe('')
  const onTerminal = await cli('history', {
    home: homeWith(sent, entry),
    env: {...anyProfile, NO_COLOR: '1'},
    columns: 80,
  })
  expect(onTerminal.stdout.trimEnd().split('\n')).toHaveLength(3)
})

test('changes are shown, the newest first', async () => {
  const home = freshHome()
  const store = await demoStore()
  await cli('room end r-standup --yes', {home, store})
  await cli('attendee add r-townhall zoe yuna', {home, store})
  await cli('room end r-townhall --yes', {home, store})
  const {stdout, exit, sent} = await history('', home)
  expect({exit, sent}).toEqual({exit: 0, sent: []})
  const [heading, ...rows] = stdout.trimEnd().split('\n')
  expect(heading).toMatch(/^ID +AT +OPERATION +TARGET +OUTCOME +CODE +PROFILE +AS *$/)
  expect(rows).toEqual([
    expect.stringMatching(/^\w{12} +2026-12-01T12:00:00.000Z +room.end +r-townhall +failed +ER001 +sandbox +ann$/),
    expect.stringMatching(/^\w{12} +2026-12-01T12:00:00.000Z +attendee.add +r-townhall zoe,yuna +done +- +sandbox +-$/),
    expect.stringMatching(/^\w{12} +2026-12-01T12:00:00.000Z +room.end +r-standup +done +- +sandbox +ann$/),
  ])
})

test('a program gets the lines unchanged', async () => {
  const home = homeWith(withoutId, entry, {...unknown, of_a_later_version: {kept: true}})
  const {stdout} = await history('--asc -o ndjson', home)
  expect(stdout).toBe(readFileSync(join(home, '.local/state/roomctl/journal.ndjson'), 'utf8'))
})

test('a machine that has changed nothing has no changes', async () => {
  expect(await history('', freshHome())).toMatchObject({
    exit: 0,
    stdout: '',
    stderr: 'no changes recorded on this machine\n',
  })
  expect((await history('--since 1h', freshHome())).stderr).toBe('no changes match\n')
  expect(await history('--json', freshHome())).toMatchObject({exit: 0, stdout: '[]\n', stderr: ''})
})

describe('the changes that are shown', () => {
  test('are chosen by flags', () =>
    everyCase(
      [
        ['', ['3', '2', '1', '-']],
        ['--since 2h', ['3', '2']],
        ['--since=-2h', ['3', '2']],
        ['--since 2026-12-01T18:00+09:00', ['3', '2', '1']],
        ['--since 2026-12-01T09:00 --tz utc', ['3', '2', '1']],
        ['--until 2026-12-01T09:00:00Z', ['-']],
        ['--since 1d --until 1m', ['2', '1']],
        ['--operation room.end', ['2', '1']],
        ['--operation push', ['3']],
        ['--operation push.cancel --operation attendee.block', ['3', '-']],
        ['--operation api', []],
        ['r-1', ['2', '1', '-']],
        ['r', []],
        ['u-1', []],
        ['--outcome failed', ['2']],
        ['--outcome failed --outcome unknown', ['3', '2']],
        ['-p work', ['2']],
        ['-p live --outcome done', ['1', '-']],
        ['--limit 1', ['3']],
        ['--limit 3', ['3', '2', '1']],
        ['--limit 2 --operation room.end', ['2', '1']],
        ['--asc', ['-', '1', '2', '3']],
        ['--asc --limit 2', ['2', '3']],
      ],
      async (flags, wanted) => {
        expect(await idsOf(flags)).toEqual(wanted)
      },
    ))

  test('an invalid flag is refused', () =>
    everyCase(
      [
        ['--since yesterday', 'or 1d for a day ago'],
        ['--since 2026-12-01T09:00', 'has no time zone'],
        ['--operation room.lend', 'did you mean|--operation room.end'],
        ['--operation room.list', '--operation takes'],
        ['--outcome maybe', '--outcome'],
        ['--limit 0', '--limit'],
        ['--columns nope', 'nope'],
      ],
      async (flags, says) => {
        const ran = await history(flags, homeWith(entry))
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        expect(ran.stderr).toMatch(new RegExp(says, 'u'))
      },
    ))

  test('a note says that there are older ones, which are not read', async () => {
    const home = homeWith('no entry', entry, entry, entry)
    const {stderr} = await history('--limit 1', home)
    expect(stderr).toBe('showing the newest 1; for more, raise --limit\n')
    expect((await history('--limit 4', home)).stderr).not.toContain('--limit')
  })

  test('are the newest of very many', async () => {
    const many = Array.from({length: 5000}, (_, n) => ({...entry, id: `01kbcxyz${String(n).padStart(4, '0')}`}))
    const {stdout} = await history('-q --limit 3', homeWith(...many))
    expect(stdout).toBe('01kbcxyz4999\n01kbcxyz4998\n01kbcxyz4997\n')
  })
})

test('-q leaves out the lines of older versions, which have no id', async () => {
  expect((await history('-q', homeWith(withoutId, entry))).stdout).toBe('01kbcxyz0001\n')
})

test('a change that was undone is marked, also where the undoing is not shown', async () => {
  const other = {...entry, id: '01kbcxyz0009', operation: 'attendee.restore', undoes: entry.id}
  const home = homeWith(entry, other)
  expect((await history('--asc', home)).stdout.split('\n')[1]).toMatch(/done, undone +- /)
  expect(JSON.parse((await history('--operation room.end -o json', home)).stdout)).toEqual([
    {...entry, undone_by: other.id},
  ])
  const tried = homeWith(entry, {...other, outcome: 'failed'})
  expect((await history('--asc', tried)).stdout.split('\n')[1]).toMatch(/ done +- /)
})

describe('the command that reverses a change', () => {
  const reversible = [
    ['attendee block r-standup ben --yes', 'roomctl attendee restore -p sandbox r-standup ben'],
    ['room delegate r-standup ben', 'roomctl room delegate -p sandbox r-standup ann'],
    ["room update r-standup --name It's", "roomctl room update -p sandbox '--name=Daily standup' r-standup"],
    ['room update r-standup --max 50 --private', 'roomctl room update -p sandbox --max=30 --public r-standup'],
    [
      'push broadcast --title T --body B --at +2h --application-id shop --confirm shop',
      'roomctl push cancel -p sandbox',
    ],
  ] as const

  test.each(reversible)('of %s', async (line, reverse) => {
    const [home, store] = [freshHome(), await demoStore()]
    expect((await cli(line, {home, store})).exit).toBe(0)
    const [row] = JSON.parse((await history('-o json', home)).stdout)
    expect(row.reverse).toContain(reverse)
    expect((await history('', home)).stdout).toContain(row.reverse)
    const words = [...row.reverse.matchAll(/'([^']*)'|\S+/gu)].map(([word, quoted = word]: RegExpMatchArray) => quoted)
    const answer = /block|cancel/u.test(row.reverse) ? ['--yes'] : []
    expect(await cli([...words.slice(1), ...answer], {home, store})).toMatchObject({exit: 0})
  })

  test.each([
    'room end r-standup --yes',
    'room presenter r-standup ben',
    'room update r-standup --name Daily --as ann',
    'push broadcast --title T --body B --application-id shop --confirm shop',
  ])('is not shown for %s', async (line) => {
    const [home, store] = [freshHome(), await demoStore()]
    expect((await cli(line, {home, store})).exit).toBe(0)
    expect(JSON.parse((await history('-o json', home)).stdout)[0]).not.toHaveProperty('reverse')
  })
})

test('damaged lines are left out and counted', async () => {
  const ran = await history('-q', homeWith(entry, '{"at":"2026-', 'x', failed))
  expect(ran).toMatchObject({exit: 0, stdout: '01kbcxyz0002\n01kbcxyz0001\n'})
  expect(ran.stderr).toBe('warning: 2 lines of the journal cannot be read\n')
})

test('a journal that the system does not open is explained', async () => {
  const file = join(freshHome(), 'file')
  writeFileSync(file, '')
  const ran = await cli('history', {env: {ROOMCTL_STATE_DIR: file}})
  expect(ran).toMatchObject({exit: 14, stdout: ''})
  expect(ran.stderr).toContain('why: a part of this path is not a folder\n')
  expect(ran.stderr).not.toContain('ENOTDIR')
})

test('a reason in the journal is a column of tables, not of CSV', async () => {
  const plain = homeWith(entry)
  expect((await history('', plain)).stdout).not.toContain('REASON')
  const known = homeWith({...entry, reason: 'why\u001b[2J'})
  expect((await history('-o csv', known)).stdout).not.toContain('why')
  expect((await history('--columns id,reason -o csv', known)).stdout).toContain('why')
  expect((await history('', known)).stdout).toContain('REASON')
  expect((await history('', known)).stdout).toContain('why\\u{1b}[2J')
  expect(JSON.parse((await history('-o json', known)).stdout)).toMatchObject([{reason: 'why\u001b[2J'}])
})
