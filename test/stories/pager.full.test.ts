import type {ServerResponse} from 'node:http'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal, type TerminalScript} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, sendJson, serve, success, summary} from './service.js'

test('a table on a terminal is shown by the pager that is set, and its end is waited for', async () => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', PAGER: 'sed s/^/paged:/'})
  await shell(place, 'roomctl sandbox seed')
  const lines = (await listed(place)).split('\r\n')
  expect(lines.slice(0, 2)).toEqual(['paged:ID', 'paged:r-standup'])
  expect(lines.at(-1)).toBe('exit 0')
  expect(lines.slice(0, -1).every((line) => line.startsWith('paged:'))).toBe(true)
})

test('PAGER is a line for the shell, and LESS lets colours through', async () => {
  const place = freshPlace({
    ROOMCTL_PROFILE: 'sandbox',
    LESS: '-F',
    PAGER: 'A="a b"; echo "$A $LESS" | cat; cat >/dev/null',
  })
  await shell(place, 'roomctl sandbox seed')
  expect((await listed(place)).split('\r\n')).toEqual(['a b -R -F', 'exit 0'])
})

test.each([
  ['that is missing', 'no-such-pager'],
  ['that fails amid the list', 'head -n 1; exit 1'],
])('a pager %s loses nothing: the list is printed', async (_, PAGER) => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', PAGER})
  await shell(place, 'roomctl sandbox seed')
  const [before, list = ''] = (await listed(place)).split(`the pager failed: ${PAGER}; without it:\r\n`)
  expect(before).not.toContain('r-standup')
  const [heading, ...rows] = list.split('\r\n')
  expect([heading, rows.length, rows[0], rows.at(-1)]).toEqual(['ID', 14, 'r-standup', 'exit 0'])
})

async function listed(place: Place): Promise<string> {
  const ran = await onTerminal({
    command: ['sh', '-c', 'roomctl room list --columns room_id; echo "exit $?"'],
    env: {...place.env, TERM: 'xterm-256color', NO_COLOR: '1'},
    ...{cwd: place.dir, columns: 200, rows: 10},
    steps: [{expect: 'exit 0'}],
  })
  return ran.text.trimEnd()
}

test('a pager that its reader leaves early ends the command quietly', async () => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox', PAGER: 'head -n 1'})
  await shell(place, 'roomctl sandbox seed')
  expect((await listed(place)).split('\r\n')).toEqual(['ID', 'exit 0'])
})

/** The final screen of a terminal of that size, cell by cell. */
async function screenAfter(
  place: Place,
  line: string,
  [columns, rows]: readonly [columns: number, rows: number],
  steps: TerminalScript['steps'] = [],
): Promise<string[]> {
  const ran = await onTerminal({
    command: ['sh', '-c', `${line}; echo "exit $?"`],
    env: {...place.env, TERM: 'xterm', NO_COLOR: '1', LESS: undefined},
    cwd: place.dir,
    columns,
    rows,
    steps: [...steps, {expect: 'exit '}],
  })
  const screen = new Screen(columns, rows)
  screen.write(ran.terminal)
  return (await screen.cells()).map((cells) => cells.trimEnd()).slice(-rows)
}

describe('a list that is longer than the screen', () => {
  let place: Place
  beforeAll(async () => {
    place = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    await shell(place, 'roomctl sandbox seed')
  })

  test('is read in less, stays when it ends, and is noted after it', async () => {
    const cells = await screenAfter(
      place,
      'roomctl room list',
      [80, 10],
      [
        {expect: ':', send: ' '},
        {expect: '(END)', send: 'q'},
      ],
    )
    expect(cells.at(-3)).toMatch(/^r-retro {5}Sprint retro {7}ENDED/u)
    expect(cells.slice(-2)).toEqual(['hidden columns: public, created_by', 'exit 0'])
  })

  test('scrolls by with --no-pager, with the pager off, and without less', async () => {
    const less = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
    await shell(less, 'roomctl sandbox seed')
    await Promise.all(
      [
        [place, 'roomctl room list --no-pager'],
        [place, 'PAGER=cat roomctl room list'],
        [less, `PATH=${path.join(less.dir, 'bin')} roomctl room list`],
      ].map(async ([where, line]) => {
        const cells = await screenAfter(where as Place, line as string, [80, 10])
        expect(cells.slice(-2)).toEqual(['hidden columns: public, created_by', 'exit 0'])
      }),
    )
  })
})

/** Ids as a service makes them, and times of another year, which stand as they are whenever the test runs. */
const rooms = ['Daily standup', 'Quarterly planning with everybody in Seoul', 'Support'].map((name, at) =>
  summary(`5f9253ba-2367-48cf-9171-e61ab9ac82f${at}`, {
    name,
    room_status: at === 2 ? 'IDLE' : 'MEETING',
    reserved_start_time: '2020-11-20T07:30:00Z',
    start_time: '2020-11-20T07:41:09Z',
    attendees: [{user_id: 'ann', is_host: true}],
  }),
)

function answer(url: string, response: ServerResponse): void {
  const id = /rooms\/([^/?]+)/u.exec(url)?.[1]
  const room = rooms.find((one) => Reflect.get(one, 'room_id') === id)
  // A list has no attendees (room §2).
  if (id === undefined) sendJson(response, success(rooms.map((room) => ({...room, attendees: undefined}))))
  else if (!url.endsWith(id) && id.endsWith('1')) {
    sendJson(response, {status: 'FAIL', error_code: 'CE002', message: 'no such room'})
  } else sendJson(response, success(room))
}

const results = [
  'ID                                    OUTCOME  AS   ERROR',
  '5f9253ba-2367-48cf-9171-e61ab9ac82f0  done     ann  -',
  '5f9253ba-2367-48cf-9171-e61ab9ac82f2  done     ann  -',
  '5f9253ba-2367-48cf-9171-e61ab9ac82f1  failed   -    no such room (CE002)',
]

/** The last screens, cell by cell, without the exit code in the last line. */
const expected = {
  rooms: [
    'ID                                    NAME                STATUS   AGE  END  MAX',
    '5f9253ba-2367-48cf-9171-e61ab9ac82f0  Daily standup       MEETING   6y  -     30',
    '5f9253ba-2367-48cf-9171-e61ab9ac82f1  Quarterly plannin…  MEETING   6y  -     30',
    '5f9253ba-2367-48cf-9171-e61ab9ac82f2  Support             IDLE      6y  -     30',
    'hidden columns: start, public, created_by',
  ],
  results,
  assets: [
    'KIND    NAME           TYPE            PLATFORM  UUID       DESCRIPTION',
    'asset   catalog.json   AssetResource   IOS       a-catalog  What the bundles',
    '                                                            hold',
    'asset   level1.bundle  AssetResource   IOS       a-level1   The first level',
    'common  logo.png       CommonResource  -         a-logo     -',
  ],
  uploads: [
    'ID                FILE                   CONTAINER     STATE            PROGRESS',
    'ID..............  a-rather-l…ent.tar.gz  games/puzzle  done   2 B of 2 B (100 %)',
    'hidden columns: platform, started, uuid, from',
  ],
} as const

describe('on a terminal of 80 by 24', () => {
  /** The screen without its last line, and without ids, clock times and folders of the run. */
  const screen = async (place: Place, line: string) => {
    const cells = await screenAfter(place, line, [80, 24])
    return cells
      .slice(0, -1)
      .map((text) =>
        text.replace(/^[0-9a-f]{16}\b/u, 'ID'.padEnd(16, '.')).replace(/\b(\d\d:\d\d)( +)\S+…/u, 'HH:MM$2…'),
      )
  }
  let place: Place

  describe('of a service with ids of 36 characters', () => {
    beforeAll(async () => {
      place = freshPlace({...environmentOf(await serve(answer)), TZ: 'UTC'})
    })

    test('room list has whole ids, names, states and ages', async () => {
      expect(await screen(place, 'roomctl room list --sort max')).toEqual(expected.rooms)
    })

    test('the results of a bulk run have ids, outcomes and whole errors', async () => {
      const ids = rooms.map((room) => Reflect.get(room, 'room_id')).join(' ')
      const line = `roomctl room end ${ids} --yes --progress none 2>/dev/null`
      expect(await screen(place, line)).toEqual(expected.results)
    })
  })

  describe('of the sandbox', () => {
    beforeAll(async () => {
      place = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
      await shell(place, 'roomctl sandbox seed')
    })

    test('asset list has whole uuids, and descriptions in lines', async () => {
      expect(await screen(place, 'roomctl asset list games/puzzle')).toEqual(expected.assets)
    })

    test('asset uploads has file and progress', async () => {
      const file = 'a-rather-long-name-of-a-nightly-build-for-the-client.tar.gz'
      const upload = `roomctl asset upload games/puzzle ${file} --platform ios --description nightly --progress none`
      await shell(place, `echo x > ${file}; ${upload}`)
      expect(await screen(place, 'roomctl asset uploads --all --sort state')).toEqual(expected.uploads)
    })
  })
})
