import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, shell} from './place.js'
import {type Case, expectAllRefused} from './refusal.js'
import {environmentOf, type Service, sendJson, serve, success, token} from './service.js'

describe('a value of the wrong form', () => {
  let place: Place
  let service: Service

  beforeAll(async () => {
    service = await serve((_path, response) => sendJson(response, success([])))
    place = freshPlace(environmentOf(service))
  })

  const create = 'roomctl room create Standup --created-by ann'
  const cases: Case[] = [
    {what: 'a time without a zone', command: `${create} --start 2026-12-01T09:00`, exit: 2, text: /no time zone/},
    {what: 'a day that does not exist', command: `${create} --start 2026-02-30T09:00Z`, exit: 2, text: /impossible/},
    {
      what: 'the 29th of February of another year',
      command: `${create} --end 2027-02-29T09:00Z`,
      exit: 2,
      text: /impossible/,
    },
    {what: 'hour 25', command: `${create} --start 2026-12-01T25:00Z`, exit: 2, text: /--start: .*25/},
    {
      what: 'an hour that a clock change leaves out',
      command: `${create} --start 2026-03-08T02:30 --tz America/New_York`,
      exit: 2,
      text: /--start: /,
    },
    {what: 'a word for a time', command: `${create} --start tomorrow`, exit: 2, text: /--start: .*tomorrow/},
    {
      what: 'an end before the start',
      command: `${create} --start 2026-12-01T09:00Z --end 2026-12-01T08:00Z`,
      exit: 2,
      text: /end is not after the start/,
    },
    {
      what: 'an end at the start',
      command: `${create} --start 2026-12-01T09:00Z --end 2026-12-01T18:00+09:00`,
      exit: 2,
      text: /end is not after the start/,
    },
    {what: 'a number with letters in it', command: `${create} --max 1e3x`, exit: 2, text: /--max .*1e3x/},
    {what: 'a number in powers of ten', command: 'roomctl room list --limit 1e3', exit: 2, text: /--limit .*1e3/},
    {what: 'a negative number', command: 'roomctl room list --limit=-1', exit: 2, text: /--limit .*-1/},
    {what: 'a hexadecimal number', command: `${create} --max 0x10`, exit: 2, text: /--max .*0x10/},
    {what: 'a number with a comma', command: `${create} --max 1,5`, exit: 2, text: /--max .*1,5/},
    {what: 'no number at all', command: `${create} --max ''`, exit: 2, text: /invalid --max ""/},
    {what: 'zero where nobody would fit', command: `${create} --max 0`, exit: 2, text: /--max .*0/},
    {what: 'a duration without a unit', command: `${create} --for 90`, exit: 2, text: /--for: .*90/},
    {
      what: 'a timeout with a strange unit',
      command: 'roomctl room list --timeout 1e3x',
      exit: 2,
      text: /timeout .*1e3x/,
    },
    {
      what: 'more retries than there may be',
      command: 'roomctl room list --retries 11',
      exit: 2,
      text: /retries .*0 to 10/,
    },
    {what: 'an empty id', command: 'roomctl room show ""', exit: 2, text: /ROOM is empty/},
    {
      what: 'an id that is an unset variable',
      command: 'roomctl room end "$NO_SUCH_ROOM" --yes',
      exit: 2,
      text: /ROOM is empty/,
    },
    {what: 'an id of blanks', command: 'roomctl room show "  "', exit: 2, text: /ROOM is empty/},
    {what: 'the id ..', command: 'roomctl room show ..', exit: 2, text: /must not be "\.\."/},
    {what: 'the id .', command: 'roomctl room show .', exit: 2, text: /must not be "\."/},
    {what: 'the id .. in a change', command: 'roomctl room end .. --yes --as ann', exit: 2, text: /must not be "\.\."/},
    {
      what: 'an id with a line break',
      command: String.raw`roomctl room show "$(printf 'r-1\nr-2')"`,
      exit: 2,
      text: /control characters/,
    },
    {what: 'a user id of ..', command: 'roomctl attendee token r-1 ..', exit: 2, text: /must not be "\.\."/},
    {what: 'no id without a terminal', command: 'roomctl room show', exit: 2, text: /ROOM is missing/},
    {
      what: 'a state that there is not',
      command: 'roomctl room list --status open',
      exit: 2,
      text: /--status takes RESERVED, MEETING, IDLE or ENDED/,
    },
    {what: 'a format that there is not', command: 'roomctl room list -o xml', exit: 2, text: /output .*xml/},
    {
      what: 'a column that there is not',
      command: 'roomctl room list -o table --columns nmae',
      exit: 2,
      text: /column nmae/,
    },
    {what: 'a sort key that there is not', command: 'roomctl room list --sort -nmae', exit: 2, text: /column nmae/},
    {what: 'a selector that breaks off', command: "roomctl room list --where 'age>'", exit: 2, text: /selector/},
    {what: 'a zone that there is not', command: 'roomctl room list --tz Mars/Base', exit: 2, text: /tz .*Mars\/Base/},
    {
      what: 'a flag that there is not',
      command: 'roomctl room list --statsu open',
      exit: 2,
      text: /unknown flag --statsu/,
    },
    {what: 'a command that there is not', command: 'roomctl room lsit', exit: 2, text: /unknown command "room lsit"/},
    {what: 'an argument too many', command: 'roomctl room show r-1 r-2', exit: 2, text: /unexpected argument: r-2/},
    {
      what: 'a name that is not there',
      command: 'roomctl room create --created-by ann',
      exit: 2,
      text: /name is missing/i,
    },
    {what: 'a path that climbs', command: 'roomctl api room GET /v1/../../secret', exit: 2, text: /path/},
    {what: 'a path to another host', command: 'roomctl api room GET https://evil.example/v1', exit: 2, text: /PATH/},
    {
      what: 'a route to another host',
      command: "roomctl room list --route 'room.list=GET https://evil.example/'",
      exit: 2,
      text: /route/,
    },
    {
      what: 'a route that climbs',
      command: "roomctl room list --route 'room.list=GET /v1/../x'",
      exit: 2,
      text: /route/,
    },
    {
      what: 'a route for no operation',
      command: "roomctl room list --route 'room.lst=GET /v1'",
      exit: 2,
      text: /room\.lst/,
    },
    {what: 'a setting that there is not', command: 'roomctl config set timeuot 30s', exit: 2, text: /timeuot/},
    {what: 'a setting of the wrong form', command: 'roomctl config set retries many', exit: 2, text: /retries .*many/},
    {
      what: 'an http address that is not loopback, to be kept',
      command: 'roomctl config set room.url http://rooms.example.com',
      exit: 2,
      text: /must begin with https/,
    },
  ]

  test('is refused', () => expectAllRefused(place, cases))

  test('a query that breaks off is refused, and what refuses it is JSON', async () => {
    const ran = await shell(place, "roomctl room list -o json --query '[?'")
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({exit_code: 2, message: expect.stringContaining('--query')})
  })

  test.each(['--columns nmae', "-o yaml --query '[?'", '-o csv --query name', '-o json --columns room_id'])(
    'a result that could not be shown is refused before the change: room end %s',
    async (flags) => {
      expect(await shell(place, `roomctl room end r-1 --yes --as ann ${flags}`)).toMatchObject({exit: 2, stdout: ''})
    },
  )

  test('none of them was sent', () => {
    expect(service.asked).toEqual([])
  })

  test('a token given as a flag is refused without being repeated', async () => {
    const ran = await shell(place, `roomctl room list --token ${token}`)
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toMatch(/unknown flag --token\n {2}why: secrets are not accepted as arguments/)
    expect(ran.stderr).not.toContain(token)
  })
})
