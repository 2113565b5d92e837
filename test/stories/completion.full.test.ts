import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {clear, installedPlace, tried, typed} from './interactive.js'
import {type Place, shell} from './place.js'

describe.each(tried)('in %s', {timeout: 70_000}, (name) => {
  let place: Place

  beforeAll(async () => {
    place = await installedPlace(name, {ROOMCTL_PROFILE: 'sandbox'})
    await shell(place, 'roomctl sandbox seed')
    mkdirSync(path.join(place.dir, 'folder'))
    writeFileSync(path.join(place.dir, 'people.txt'), 'ann\n')
  })

  test('Tab completes topics, commands, flags and their values', async () => {
    const seen = await typed(name, place, [
      {send: 'roomctl atte\t', expect: 'attendee '},
      {send: 'bl\t', expect: 'block '},
      {send: `${clear}roomctl room list --sta\t`, expect: '--status '},
      {send: 'ME\t', expect: 'MEETING '},
      {send: '--status=RES\t', expect: '--status=RESERVED '},
      {send: '-o nd\t', expect: 'ndjson '},
    ])
    expect(seen).not.toMatch(/error|not found/u)
  })

  test('Tab completes ids of rooms and users of the room on the line, and shows the names of the rooms', async () => {
    const seen = await typed(name, place, [
      {send: 'roomctl room show r-t\t\t', expect: 'Town hall'},
      {send: `\u001b${clear}${clear}roomctl attendee block r-sta\t`, expect: 'r-standup '},
      {send: 'be\t', expect: 'ben '},
    ])
    expect(seen).toContain('test-load-1')
  })

  test('Tab lists rooms that the command can act on before the others', async () => {
    const seen = await typed(name, place, [{send: 'roomctl room end r-\t\t', expect: 'Open office hour'}])
    const [first, last] = ['Daily standup', 'Open office hour'].map((room) => seen.indexOf(room))
    expect(first).toBeGreaterThan(-1)
    expect(first).toBeLessThan(last ?? -1)
  })

  test('Tab completes containers and files', async () => {
    await typed(name, place, [
      {send: `roomctl attendee add r-standup --from-file peo\t`, expect: 'people.txt '},
      {send: `${clear}roomctl attendee add r-standup --from-file=peo\t`, expect: '=people.txt '},
      {send: `${clear}roomctl asset list games/puz\t`, expect: 'games/puzzle'},
      {send: `${clear}roomctl asset list "games/puz\t`, expect: '"games/puzzle'},
    ])
  })

  test('Tab completes columns, also behind a comma and a minus', async () => {
    await typed(name, place, [
      {send: 'roomctl room list --columns=name,room_s\t', expect: 'room_status'},
      {send: `${clear}roomctl room list --sort -reserved_s\t`, expect: 'reserved_start_time'},
      {send: `${clear}roomctl asset list games --sort=-descr\t`, expect: 'description'},
    ])
  })

  test('Tab shows the flags behind one dash and two, and completes behind a flag before the command', async () => {
    // Each by itself: the list of one would be in the way of the next. Fish sets the beginning apart from the rest.
    for (const [send, shown] of [
      ['roomctl room end -\t\t\t', 'fail-fast'],
      ['roomctl attendee block r-standup --\t\t', 'fail-fast'],
      ['roomctl -p sandbox room list --s\t\t', 'tatus'],
      ['roomctl -p sandbox room list --status=MEE\t', '--status=MEETING '],
    ] as const) {
      await typed(name, place, [{send, expect: shown}])
    }
  })

  test('the command gets the completed words', async () => {
    const seen = await typed(name, place, [
      {send: 'roomctl room show r-stand\t --columns name --no-header -o csv\r', expect: 'Daily standup'},
      {send: 'roomctl room list --stat\tIDLE -q\r', expect: 'r-review'},
    ])
    expect(seen).not.toContain('r-retro')
  })
})
