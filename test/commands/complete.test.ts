import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Transport} from '../../src/api/http/wire/transport.js'
import {type Circumstances, cli, freshHome} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'

const sandbox = {ROOMCTL_PROFILE: 'sandbox'}

/** The candidates for a line in the form of zsh; the last word is at the cursor. */
function completed(line: string, circumstances: Circumstances = {}) {
  return cli(['complete', '--shell', 'zsh', '--', ...line.split(' ')], {env: sandbox, ...circumstances})
}

/** A home with a profile file of these profiles. */
function homeWith(profiles: object, current = 'live'): string {
  const home = freshHome()
  mkdirSync(path.join(home, '.config/roomctl'), {recursive: true, mode: 0o700})
  const text = JSON.stringify({version: 1, current, profiles})
  writeFileSync(path.join(home, '.config/roomctl/config.json'), text, {mode: 0o600})
  return home
}

/** Translates the modules that are loaded on demand, which may take longer here than a completion may. */
beforeAll(async () => {
  await completed('room show ')
  await completed('asset list ')
  await completed('room list --columns ')
})

const silent = {exit: 0, stdout: '', stderr: '', asked: []}

describe('ids and names', () => {
  test('of rooms come from the service, the users of a room from that room', async () => {
    const rooms = await completed('room show r-st')
    expect(rooms).toMatchObject({exit: 0, stdout: ':words\nr-standup\tDaily standup\n', stderr: ''})
    expect(rooms.sent.map(({path}) => path)).toEqual(['/media/v1/rooms'])
    const users = await completed('attendee block r-standup b')
    expect(users.stdout).toBe(':words\nben\n')
    expect(users.sent.map(({path}) => path)).toEqual(['/media/v1/rooms/r-standup/attendees'])
  })

  test('of containers and resources come from the container before the last slash', async () => {
    expect((await completed('asset list games/p')).stdout).toBe(':open\ngames/puzzle\n')
    expect((await completed('asset show games/puzzle/a-lo')).stdout).toBe(':open\ngames/puzzle/a-logo\tlogo.png\n')
  })

  test('are asked for once, and then taken from the cache for this profile', async () => {
    const home = freshHome()
    const first = await completed('room show r-st', {home})
    const again = await completed('room end r-st', {home})
    expect(again.stdout).toBe(first.stdout)
    expect([first.sent.length, again.sent.length]).toEqual([1, 0])
    const other = await completed('room list --biz-id b --created-by x', {home})
    expect(other.sent).toEqual([])
    expect((await completed('room show --profile sandbox r-st', {home})).sent).toEqual([])
  })

  test('are the only thing that completion writes', async () => {
    const home = freshHome()
    await completed('room show ', {home})
    expect(readdirSync(home)).toEqual(['.cache'])
    expect(readdirSync(path.join(home, '.cache/roomctl'))).toEqual(['completion'])
    const [file = ''] = readdirSync(path.join(home, '.cache/roomctl/completion'))
    const kept = readFileSync(path.join(home, '.cache/roomctl/completion', file), 'utf8')
    expect(Object.keys(JSON.parse(kept))).toEqual(['at', 'list'])
    expect(JSON.parse(kept).list).toContainEqual(['r-standup', 'Daily standup', 'MEETING'])
    expect(kept).not.toMatch(/token|ann/u)
  })

  test('of profiles come from the profile file', async () => {
    const home = homeWith({live: {'room.url': 'https://rooms.example.com/media'}})
    const profiles = 'live\thttps://rooms.example.com/media\nsandbox\tthe built-in sandbox\n'
    for (const typed of ['room list -p ', '-p ', '-o json --profile ']) {
      expect(await completed(typed, {home})).toMatchObject({stdout: `:words\n${profiles}`, sent: []})
    }
    expect((await completed('push audit --profiles ', {home})).stdout).toBe(`:open\n${profiles}`)
    const second = ':open\n--profiles=live,sandbox\tthe built-in sandbox\n'
    expect((await completed('push audit --profiles=live,', {home})).stdout).toBe(second)
  })
})

describe('rooms that the command can act on', () => {
  const offered = async (line: string, circumstances: Circumstances = {}) =>
    (await completed(line, circumstances)).stdout.split('\n').flatMap((one) => /^(?!:)[^\t]+/u.exec(one) ?? [])
  const inState = async (state: string) => (await cli(`room list -q --status ${state}`)).stdout.trim().split('\n')

  test('are offered first, in the order of the list', async () => {
    const listed = (await cli('room list -q')).stdout.trim().split('\n')
    const meetings = await inState('MEETING')
    const others = listed.filter((id) => !meetings.includes(id))
    expect(await offered('room show ')).toEqual(listed)
    for (const line of ['room end ', 'room end r-gone ', 'attendee block ', 'room block ', 'room delegate '])
      expect(await offered(line), line).toEqual([...meetings, ...others])
    expect(await offered('room delete ')).toEqual([...others, ...meetings])
    const ended = await inState('ENDED')
    expect((await offered('attendee token ')).slice(-ended.length)).toEqual(ended)
  })

  test('stay where they are if the state is not known, as in a cache without states', async () => {
    const home = freshHome()
    const listed = await offered('room show ', {home})
    const folder = path.join(home, '.cache/roomctl/completion')
    const file = path.join(folder, readdirSync(folder)[0] ?? '')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({...kept, list: kept.list.map((item: string[]) => item.slice(0, 2))}))
    expect(await offered('room end ', {home})).toEqual(listed)
  })
})

describe('columns', () => {
  const values = async (line: string) => {
    const {stdout} = await completed(line)
    expect(stdout).toMatch(/^:open\n/u)
    return stdout.split('\n').flatMap((one) => /^(?!:)[^\t]+/u.exec(one) ?? [])
  }

  test('of the command are offered for --columns and --sort, joined or apart', async () => {
    expect(await values('room list --columns room_s')).toEqual(['room_status'])
    expect(await values('room list --columns=room_s')).toEqual(['--columns=room_status'])
    expect(await values('room list --sort room_s')).toEqual(['room_status'])
    expect(await values('asset list games --sort=na')).toEqual(['--sort=name'])
    expect((await completed('room list --columns room_s')).sent).toEqual([])
  })

  test('follow a comma, but for those already named', async () => {
    expect(await values('room list --columns=name,room_')).toEqual([
      '--columns=name,room_id',
      '--columns=name,room_status',
    ])
    expect(await values('room list --columns name,room_id,room_')).toEqual(['name,room_id,room_status'])
    expect(await values('room list --sort=-room_id,room_')).toEqual(['--sort=-room_id,room_status'])
  })

  test('follow a minus where they sort', async () => {
    expect(await values('room list --sort=-room_s')).toEqual(['--sort=-room_status'])
    expect(await values('room list --sort -room_s')).toEqual(['-room_status'])
    expect(await values('room list --sort name,-room_s')).toEqual(['name,-room_status'])
    expect(await values('room list --columns=-room_s')).toEqual([])
  })

  test('are those of the form that other flags ask for', async () => {
    expect(await values('push audit --profiles live,test --columns prof')).toEqual(['profile'])
    expect(await values('push audit --columns prof')).toEqual([])
    expect(await values('asset sync games build --dry-run --columns act')).toEqual(['action'])
    expect(await values('room end --empty --columns out')).toEqual(['outcome'])
    expect(await values('room end --empty --dry-run --columns ')).toEqual([])
    expect(await values('room end r-1 --columns ')).toEqual([])
  })

  test('are not offered before the command, nor to sort the fields of one object', async () => {
    expect((await completed('--columns ')).stdout).toBe(':words\n')
    expect(await values('room show r-standup --columns host')).not.toEqual([])
    expect((await completed('room show r-standup --so')).stdout).toBe(':words\n')
  })
})

describe('the words of a line', () => {
  const values = async (line: string) =>
    (await completed(line)).stdout.split('\n').flatMap((one) => /^(?!:)[^\t]+/u.exec(one) ?? [])

  test('are completed by what can stand there: a topic, a command, a flag or one of its values', () =>
    everyCase(
      [
        ['compl', ['completion']],
        ['config profile ad', ['add']],
        ['room res', ['restore']],
        ['help room cr', ['create']],
        ['help room create ', []],
        ['help exi', ['exit-codes']],
        ['-o json --debug config profile ad', ['add']],
        ['room nonsense ', []],
        ['room list --json --ou', []],
        ['room list --status IDLE --stat', ['--status']],
        ['room create x --no-j', ['--no-joinable']],
        ['room list -p', ['-p']],
        ['room list --status=m', ['--status=MEETING']],
        ['room list -ond', ['-ondjson']],
        ['room list -o=nd', ['-o=ndjson']],
        ['asset upload games x --platform i', ['ios']],
        ['explain --operation record.st', ['record.start', 'record.stop']],
        ['explain ER', ['ER001']],
        ['config set outp', ['output']],
        ['config set output nd', ['ndjson']],
        ['config set readOnly ', ['true', 'false']],
        ['config login as', ['asset']],
        ['room list --tz Asia/Seo', ['Asia/Seoul']],
        ['completion po', ['powershell']],
        ['room create new-na', []],
        ['room delete r-1 --confirm ', []],
        ['room end r-standup --as ', ['host', 'creator', 'ann', 'ben', '김민준', 'dora', 'eve']],
        ['room end r-standup r-st', []],
        ['room show -- r-st', ['r-standup']],
      ],
      async (line, expected) => {
        expect(await values(line)).toEqual(expected)
      },
    ))

  test('are paths for the shell to find', () =>
    everyCase(
      [
        ['room list --ca-file ', 'files'],
        ['asset download games/x --dir ', 'folders'],
        ['push inspect ', 'files'],
        ['attendee add r-1 --from-file=x', 'files'],
      ],
      async (line, offer) => {
        expect((await completed(line)).stdout).toBe(`:${offer}\n`)
      },
    ))
})

test('the flags that choose rooms are offered, and with one of them no room is', async () => {
  const offered = (await completed('room end --')).stdout
  for (const flag of ['--status', '--created-by', '--older-than', '--empty', '--match'])
    expect(offered).toContain(`${flag}\t`)
  expect((await completed('room end --empty ')).stdout).not.toContain('r-standup')
  expect((await completed('room list --older-than ')).stdout).toContain('8h')
})

test('flags are offered behind a dash and behind two, where an argument may stand, too', async () => {
  for (const line of ['room end -', 'room end --', 'room list -', 'room list --', '-p sandbox room end --']) {
    expect((await completed(line)).stdout, line).toMatch(/^:words\n(?:--\S+\t.+\n)+$/u)
  }
  expect((await completed('room list --s')).stdout).toMatch(/^--sort\t.+\n--status\t.+\n$/mu)
  expect((await completed('room list --status=')).stdout).toContain('\n--status=RESERVED\n')
  // No flags after --.
  expect((await completed('room end -- --')).stdout).toBe(':words\n')
})

describe('data of this machine', () => {
  test('containers that this machine used are offered before the first slash', async () => {
    const home = freshHome()
    expect(await cli('asset create toys --description Toys', {home, env: sandbox})).toMatchObject({exit: 0})
    expect((await completed('asset list ', {home})).stdout).toBe(':open\ntoys\n')
  })
})

describe('completion prints nothing', () => {
  const refusing: Transport = () => Promise.reject(new Error('it must not be called'))

  test.each([
    ['no address', {env: {ROOMCTL_PROFILE: 'nowhere'}}],
    ['a profile name of the wrong form', {env: {ROOMCTL_PROFILE: '-x'}}],
    ['a setting of the wrong form', {env: {...sandbox, ROOMCTL_TIMEOUT: 'soon'}}],
    ['a service that fails', {transport: refusing}],
  ])('with %s', async (_, circumstances) => {
    expect(await completed('room show ', circumstances)).toMatchObject(silent)
  })

  test('with a damaged profile file, which is not changed', async () => {
    const home = homeWith({})
    const file = path.join(home, '.config/roomctl/config.json')
    writeFileSync(file, '{"version": 1, "prof', {mode: 0o600})
    expect(await completed('room list -p ', {home, env: {HOME: home}})).toMatchObject(silent)
    expect(readFileSync(file, 'utf8')).toBe('{"version": 1, "prof')
    expect(readdirSync(path.dirname(file))).toEqual(['config.json'])
  })

  const origin = 'http://127.0.0.1:9'

  test('for a token that was stored for another origin, which is not sent', async () => {
    const credential = {store: 'file', origin: 'http://127.0.0.1:8', token: 'a-token'}
    const home = homeWith({live: {'room.url': origin, credentials: {room: credential}}})
    expect(await completed('room show ', {home, env: {ROOMCTL_PROFILE: 'live'}})).toMatchObject(silent)
  })
})

test('the command is not shown, and a near name gets a visible one', async () => {
  expect((await cli('--help')).stdout).not.toMatch(/^ *complete /mu)
  expect((await cli('completio')).stderr).toContain('try: roomctl completion')
  expect((await cli('complet')).stderr).not.toContain('try: roomctl complete\n')
})
