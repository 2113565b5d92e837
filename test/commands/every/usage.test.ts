import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'

const secret = 's3cr3t-value'

/** One sentence and its advice. */
const refusal =
  /^error: \S.*\n(?: {7}.*\n {7} *\^\n)?(?: {2}why: \S.*\n)?(?: {2}(?:try|see): \S.*\n(?: {7}.*\n {7} *\^\n)?)?$/u

describe('a line that cannot be understood', () => {
  test.each([
    ['room lst', 'unknown command "room lst"', 'roomctl room list'],
    ['rom list', 'unknown command "rom"', 'roomctl room list'],
    ['hlep', 'unknown command "hlep"', 'roomctl help'],
    // Another word is not a mistyped one: its nearest command may be the last one that was meant.
    ['room begin r-standup', 'unknown command "room begin"', 'see: roomctl room --help'],
    ['room ned r-standup', 'unknown command "room ned"', 'roomctl room end'],
    ['config profile lst', 'unknown command "config profile lst"', 'roomctl config profile list'],
    ['frobnicate', 'unknown command "frobnicate"', 'see: roomctl --help'],
    ['room list --stauts meeting', 'unknown flag --stauts', 'use --status'],
    ['room end r-standup --yess', 'unknown flag --yess', 'use --yes'],
    ['room list --state meeting', 'unknown flag --state', 'use --status'],
    ['room end r-standup --yes=false', '--yes takes no value', 'use --yes alone, or leave it out'],
    ['--read-only=no room list', '--read-only takes no value', 'use --read-only alone, or leave it out'],
    ['room end r-standup --yes --dry-run=0', '--dry-run takes no value', 'use --dry-run alone, or leave it out'],
    ['room list -X', 'unknown flag -X', 'see: roomctl room list --help'],
    ['room show r-standup r-review x', 'unexpected arguments: r-review, x', 'see: roomctl room show --help'],
    ['room list --limit 1 --limit 2', '--limit is given more than once', 'see: roomctl room list --help'],
    ['config get', 'KEY is missing', 'see: roomctl config get --help'],
    ['api room', 'METHOD and PATH are missing', 'see: roomctl api --help'],
    ['room list --limit', '--limit expects a value', 'see: roomctl room list --help'],
    ['room create X --created-by ann --host owner', '--host takes creator or first', 'see: roomctl room create --help'],
    ['asset sync games . --verify met', '--verify takes none, meta, catalog or download', 'use --verify meta'],
    [
      'room list --status meting',
      '--status takes RESERVED, MEETING, IDLE or ENDED, not meting',
      'use --status meeting',
    ],
    ['api rom GET /', 'SERVICE takes room, asset or push, not rom', 'did you mean room?'],
    ['api room PATSH /', 'METHOD takes GET', 'did you mean PATCH?'],
    ['explain ER01', 'unknown code ER01', 'roomctl explain ER001'],
    ['explain ER001 --operation room.edn', 'unknown operation room.edn', 'use --operation room.end'],
    ['config get timeot', 'unknown setting "timeot"', 'did you mean timeout?'],
    ['config route list room.edn', 'unknown operation room.edn', 'did you mean room.end?'],
    [
      'asset delete games/a',
      'unknown command "asset delete"',
      'to mark a container as no longer used, change its description with asset describe',
    ],
    ['asset methods games', 'unknown command "asset methods"', 'roomctl asset info games --methods'],
    ['asset lits games', 'unknown command "asset lits"', 'roomctl asset list'],
    ['asset upload games -x.bundle', 'unknown flag -x', 'see: roomctl asset upload --help'],
    ['room list --columns nmae', 'unknown column nmae', 'use name; columns: room_id, name'],
    [
      'room create X --public --private',
      '--private cannot also be provided when using --public',
      'see: roomctl room create --help',
    ],
  ])('%s', async (line, message, advice) => {
    const ran = await cli(line)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    const lines = ran.stderr.trimEnd().split('\n')
    expect(lines[0]).toContain(`error: ${message}`)
    expect(lines.at(-1)).toContain(advice.startsWith('see: ') ? `  ${advice}` : `  try: ${advice}`)
    expect(ran.stderr).toMatch(refusal)
    expect(ran.stderr).not.toMatch(
      /\bE(?:NO|ACC|CONN|PERM|EXIST)[A-Z]*\b|\bat .*:\d+:\d+|Error:|undefined|\[object|should not/u,
    )
    const json = await cli([...line.split(' '), '-o', 'json'])
    expect(json).toMatchObject({exit: 2, stdout: ''})
    const {error} = JSON.parse(json.stderr)
    expect(error).toMatchObject({exit_code: 2, outcome: 'none'})
    if (!line.includes('--columns')) expect(lines[0]).toBe(`error: ${error.message}`)
  })

  test('explains a dash before a value only in the place of one', async () => {
    const why = 'why: a value that begins with a dash goes after --'
    for (const line of ['asset upload games -x.bundle', 'room show -x', 'attendee find -x', 'room end r-1 -x1']) {
      expect((await cli(line)).stderr).toContain(why)
    }
    for (const line of ['room list -s meeting', 'room show r-standup -x', 'room end r-1 -x', 'room end -f']) {
      expect((await cli(line)).stderr).not.toContain(why)
    }
  })

  test('is JSON if a machine format was asked for', async () => {
    for (const format of ['-o json', '--json', '-o=json', '--output=ndjson', '-ojson', '--output csv']) {
      const ran = await cli(`room list --nonsense ${format}`)
      expect(JSON.parse(ran.stderr).error).toEqual({
        code: 'usage',
        message: 'unknown flag --nonsense',
        why: null,
        service_message: null,
        try: 'roomctl room list --help',
        http_status: null,
        body: null,
        retryable: false,
        outcome: 'none',
        exit_code: 2,
      })
    }
    const byEnv = await cli('room list --nonsense', {env: {ROOMCTL_OUTPUT: 'json'}})
    expect(JSON.parse(byEnv.stderr).error.code).toBe('usage')
  })
})

describe('a flag that does not fit', () => {
  test.each([
    ['room list --color foo', '--color takes auto, always or never'],
    ['room list --color nevr', '--color takes auto, always or never, not nevr'],
    ['room list --color=', '--color takes auto, always or never'],
    ['room list --color', '--color takes auto, always or never'],
    ['room list --color --debug', '--color takes auto, always or never'],
    ['history --outcome done --outcome faild', '--outcome takes done, failed or unknown, not faild'],
    ['history --outcome done --outcome', '--outcome takes done, failed or unknown'],
    ['room end r-1 --progress -- x', '--progress takes auto, bar, line, json or none'],
    ['room list --sort --debug', '--sort expects a value'],
    ['room list --match=-r', '--match expects a value'],
    ['room list -p', '--profile expects a value'],
    ['room list -p -q', '--profile expects a value'],
    ['room list --status idle --status', '--status expects a value'],
    ['push ios x.p8 --server a --environment --prove', '--environment takes production, development or both'],
    ['room list -oyaml -o table', '--output is given more than once'],
    ['room list --limit=1 --match -x --limit 2', '--limit is given more than once'],
    ['room create X --public --private', '--private cannot also be provided when using --public'],
    ['room create X --private --public', '--public cannot also be provided when using --private'],
    ['room create X --end +2h --for 1h', '--for cannot also be provided when using --end'],
    ['room create X --for 1h --end +2h', '--for cannot also be provided when using --end'],
    ['room list --json -q -o csv', '--output cannot also be provided when using --json'],
    ['room list -r', '--raw needs --query'],
    ['-r room list', '--raw needs --query'],
    ['room update r-1 --application-id a', '--application-id needs --admin'],
    ['push ios-key x.p8 --server a', '--server needs --prove'],
    ['asset upload games a b --platform web --overwrite -- --result', '--overwrite needs --result'],
  ])('%s', async (line, message) => {
    for (const env of [{}, {ROOMCTL_OUTPUT: 'json'}]) {
      const ran = await cli(line, {env})
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
      const isJson = ran.stderr.startsWith('{')
      expect(isJson ? JSON.parse(ran.stderr).error.message : ran.stderr.split('\n')[0]).toBe(
        isJson ? message : `error: ${message}`,
      )
    }
  })
})

describe('a suggestion keeps the arguments', () => {
  test.each([
    [['attendee', 'unblock', 'r-full', 'ben'], 'roomctl attendee restore r-full ben'],
    [['user', 'block', 'r-full', 'ben', '--yes'], 'roomctl attendee block r-full ben --yes'],
    [['profile', 'list'], 'roomctl config profile list'],
    [['get', 'room', 'r-full'], 'roomctl room show r-full'],
    [['room', 'crate', "Ann's team room", '--max', '5'], "roomctl room create 'Ann'\\''s team room' --max 5"],
    [['room', 'ned', '-p', 'sandbox', 'r-full'], 'roomctl room end -p sandbox r-full'],
    [['room', 'ned', 'r-full', '--profile', 'sandbox'], 'roomctl room end -p sandbox r-full'],
    [['room', 'ned', 'r-full', '--profile=sandbox'], 'roomctl room end -p sandbox r-full'],
    [['room', 'ned', '-psandbox', 'r-full'], 'roomctl room end -p sandbox r-full'],
    [['-p', 'sandbox', '-o', 'json', 'room', 'lst'], 'roomctl room list -p sandbox -o json'],
    [['asset', 'cp', 'games', 'x'], 'roomctl asset download games --dir x'],
    [['room', 'message', 'r-full', '--', '-p', 'x'], 'roomctl room send r-full -- -p x'],
    // A command that takes no arguments gets none.
    [['room', 'ls', 'r-full', '--limit', '3'], 'roomctl room list --limit 3'],
  ])('%j: %s', async (words, advice) => {
    const ran = await cli(words)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    const {try: told} = words.includes('json') ? JSON.parse(ran.stderr).error : {try: undefined}
    if (told === undefined) expect(ran.stderr).toContain(`  try: ${advice}\n`)
    else expect(told).toBe(advice)
  })

  test('with a possible secret masked', async () => {
    const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'
    const cases = [
      [['push', 'rgister', 'ann', '--token', 'abc'], 'roomctl push register ann --token ***'],
      [['push', 'rgister', 'ann', '--api-key=abc'], 'roomctl push register ann --api-key=***'],
      [['room', 'shwo', jwt], 'roomctl room show ***'],
      [['room', 'shwo', 'r-full', '-p', jwt], 'roomctl room show -p *** r-full'],
      [['push', 'rgister', 'ann', '--token-file', 'a.txt'], 'roomctl push register ann --token-file a.txt'],
      [['login', 'push', 'abc'], 'roomctl config login push'],
    ] as const
    for (const [words, advice] of cases) expect((await cli(words)).stderr).toContain(`  try: ${advice}\n`)
  })
})

describe('a possible secret in the wrong place is not repeated', () => {
  test('is not repeated, wherever it is', () =>
    everyCase(
      [
        ['room', 'list', '--token', secret],
        ['room', 'list', `--token=${secret}`],
        ['room', 'list', '--password', secret],
        ['config', 'login', 'room', '--token', secret],
        ['config', 'login', 'room', secret],
        ['config', 'login', secret],
        ['room', 'show', 'r-standup', secret],
        ['room', 'list', secret, secret],
        ['room', 'list', `--nonsense=${secret}`],
        ['login', '--token', secret],
        ['login', secret],
        ['--token', secret, 'room', 'list'],
        [`--token=${secret}`],
        ['frobnicate', secret],
        ['config', 'set', 'room.token', secret],
        ['config', 'set', 'token', secret],
        ['room', 'create', 'X', '--host', secret],
        ['room', 'list', '--color', secret],
        ['room', 'list', '--match', secret, `--match=${secret}`],
        ['room', 'create', 'X', '--for', secret, '--end', secret],
        ['room', 'list', '--json', '--output', secret],
        ['config', 'set', 'room.url', `https://user:${secret}@example.com/media`],
        ['config', 'profile', 'add', 'live', '--room-url', `https://user:${secret}@example.com/media`],
        ['api', 'room', 'GET', '/v1/rooms', '-F', secret],
        ['api', 'room', 'GET', '/v1/rooms', '-F', `a:={"${secret}"`],
      ],
      async (...words) => {
        for (const more of [[], ['-o', 'json']]) {
          const line = [...words, ...more]
          const ran = await cli(line, {env: {ROOMCTL_PROFILE: 'default'}})
          expect(ran.exit).toBe(2)
          expect(ran.stdout + ran.stderr).not.toContain(secret)
        }
      },
    ))

  test.each(['room list --token x', '--token x room list', 'room list --api-key x'])(
    '%s leads to the login',
    async (line) => {
      const ran = await cli(line)
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain('  why: secrets are not accepted as arguments: other users can see them\n')
      expect(ran.stderr).toContain('  try: roomctl config login\n')
    },
  )

  test('flags of every command may stand before it', async () => {
    const behind = await cli('room list --status meeting --query [].room_id -o json')
    expect(behind.exit).toBe(0)
    for (const line of [
      '-o json --query [].room_id room list --status meeting',
      '-ojson --no-input --query=[].room_id room list --status meeting',
    ]) {
      expect(await cli(line)).toMatchObject({exit: 0, stdout: behind.stdout})
    }
    expect((await cli('-p sandbox room --help')).stdout).toBe((await cli('room --help')).stdout)
    expect(await cli('-p sandbox room lst')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('roomctl room list'),
    })
  })

  test.each([
    ['--status meeting room list', 'error: a flag comes before the command\n'],
    ['-p sandbox', 'error: a command is missing\n'],
    ['-p', 'error: a command is missing\n'],
  ])('%s names the missing part', async (line, message) => {
    const ran = await cli(line)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
  })

  test('-v, --version and version say the version', async () => {
    const {stdout} = await cli('--version')
    expect(stdout).toMatch(/^roomctl\/\d+\.\d+\.\d+ /u)
    for (const line of ['-v', 'version']) expect(await cli(line)).toMatchObject({exit: 0, stdout, stderr: ''})
  })
})

describe('times', () => {
  const create = ['room', 'create', 'X', '--created-by', 'ann']

  test.each([
    [['--start', '2026-12-02T09:00'], '--start: "2026-12-02T09:00" has no time zone'],
    [['--start', '2h'], '--start: "2h" is a duration, not a time'],
    [['--start', '2026-12-02T10:00Z', '--end', '2026-12-02T09:00Z'], 'the end is not after the start'],
    [['--end', '2026-12-01T11:00Z'], 'the end is not after the start'],
    [['--for', '-1h'], '--for:'],
    [['--for', '0s'], 'the end is not after the start'],
    [['--for', '1h', '--end', '+2h'], 'cannot also be provided'],
    [['--start', '2026-03-08T02:30', '--tz', 'America/New_York'], 'does not exist in America/New_York'],
  ])('%j is refused before anything is sent', async (flags, message) => {
    const ran = await cli([...create, ...flags])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
    expect(ran.stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3)
  })

  test.each([
    [['--start', '2026-12-02T09:00', '--tz', 'Asia/Seoul'], {reserved_start_time: '2026-12-02T00:00:00.000Z'}],
    [
      ['--start', '+2h', '--for', '1h30m'],
      {
        reserved_start_time: '2026-12-01T14:00:00.000Z',
        reserved_end_time: '2026-12-01T15:30:00.000Z',
      },
    ],
    [['--for', '1h'], {reserved_end_time: '2026-12-01T13:00:00.000Z'}],
    [[], {}],
  ])('%j goes out in UTC', async (flags, times) => {
    const ran = await cli([...create, ...flags])
    expect(ran.exit).toBe(0)
    const body = Object.entries(ran.sent[0]?.body ?? {})
    expect(Object.fromEntries(body.filter(([name]) => name.startsWith('reserved_')))).toEqual(times)
  })

  test('the zone of a profile or the environment counts for times that name none', async () => {
    const ran = await cli([...create, '--start', '2026-12-02T09:00'], {env: {ROOMCTL_TZ: 'Asia/Seoul'}})
    expect(ran.sent[0]?.body).toMatchObject({reserved_start_time: '2026-12-02T00:00:00.000Z'})
  })
})

describe('numbers', () => {
  const numbers = ['1e3x', '1e3', '1,5', '0x10', '5.0', '-1', '', ' ', 'ten', '９', '1_000', '99999999999999']

  test('are refused where they are written otherwise than in digits', () =>
    everyCase(
      [
        ...numbers.map((text) => ['room', 'list', '--limit', text]),
        ['room', 'create', 'X', '--created-by', 'ann', '--max', '1e3'],
        ['room', 'update', 'r-standup', '--max', ''],
        ['room', 'end', 'r-standup', '--yes', '--max', '-1'],
        ['config', 'app', 'update', '--application-id', 'app-1', '--max', 'ten'],
        ['room', 'list', '--retries', '1_000'],
        ['sandbox', 'start', '--port', '0x10'],
      ],
      async (...line) => expect(await cli(line)).toMatchObject({exit: 2, stdout: '', sent: []}),
    ))

  test('a room for no user is refused, and a list without rows is not', async () => {
    expect(await cli('room create X --created-by ann --max 0')).toMatchObject({exit: 2, sent: []})
    expect(await cli('room list --limit 0')).toMatchObject({exit: 0, stdout: ''})
  })
})

describe('ids', () => {
  test('that are empty, dots, or of more than a line name no room', () =>
    everyCase(
      [
        ...['', ' ', '.', '..', 'a\u0000b', 'a\nb', '\u001b[2J', '\ud800'].map((id) => ['room', 'show', id]),
        ['room', 'end', '..', '--yes'],
        ['room', 'end', 'r-standup', '', '--yes'],
        ['room', 'update', 'a\nb', '--max', '5'],
        ['attendee', 'list', ' '],
        ['attendee', 'add', '..', 'zoe'],
        ['attendee', 'token', '.', 'ben'],
        ['record', 'list', ''],
        ['record', 'start', '..'],
      ],
      async (...line) => {
        const ran = await cli(line)
        expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
        expect(ran.stderr).toMatch(/^error: .*ROOM/)
      },
    ))

  test.each(['', '..', 'a\nb'])('%j names no user of a token', async (id) => {
    expect(await cli(['attendee', 'token', 'r-standup', id])).toMatchObject({exit: 2, sent: []})
  })

  test('an empty user is refused everywhere', async () => {
    for (const line of [
      ['attendee', 'add', 'r-townhall', ''],
      ['attendee', 'block', 'r-standup', '', '--yes'],
      ['attendee', 'restore', 'r-standup', ' '],
      ['room', 'delegate', 'r-standup', ''],
      ['room', 'presenter', 'r-standup', ''],
      ['room', 'create', 'X', '--created-by', ''],
      ['room', 'create', 'X', '--created-by', 'ann', '-a', ''],
      ['room', 'create', '', '--created-by', 'ann'],
      ['room', 'send', 'r-standup', 'hello', '--from', ''],
      ['room', 'send', 'r-standup', 'hello', '--from', 'ann', '--to', ''],
      ['room', 'end', 'r-standup', '--yes', '--as', ''],
    ]) {
      const ran = await cli(line)
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    }
  })

  test.each([
    ['a/b', 'a%2Fb'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['회의실', '%ED%9A%8C%EC%9D%98%EC%8B%A4'],
    ['../../etc', '..%2F..%2Fetc'],
    ['{roomId}', '%7BroomId%7D'],
  ])('%s stands in the path as %s', async (id, encoded) => {
    const show = await cli(['room', 'show', id])
    expect(show).toMatchObject({exit: 6, stdout: ''})
    expect(show.sent[0]?.path).toBe(`/media/v1/rooms/${encoded}`)
    const token = await cli(['attendee', 'token', 'r-standup', id])
    expect(token.sent[0]?.path).toBe(`/media/v1/rooms/r-standup/attendees/${encoded}/token`)
  })

  test('ids on stdin are checked before the first room is changed', async () => {
    const ran = await cli('room end - --yes', {stdin: 'r-standup\n..\n'})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  })
})

describe('help', () => {
  test.each(['room --help', 'room list --help', 'help room list', '--help', 'room', 'config profile'])(
    '%j is shown on stdout',
    async (line) => {
      const ran = await cli(line, {env: {ROOMCTL_PROFILE: 'sandbox'}})
      expect(ran).toMatchObject({exit: 0, stderr: '', sent: []})
      expect(ran.stdout).toContain('USAGE')
      expect(ran.stdout).not.toContain('\u001b')
    },
  )

  test('is not taken from behind --', async () => {
    const ran = await cli(['room', 'show', '--', '--help'])
    expect(ran).toMatchObject({exit: 6})
  })

  test('fits a narrow terminal', async () => {
    const ran = await cli('room list --help', terminal(60))
    expect(Math.max(...ran.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  })
})
