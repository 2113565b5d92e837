import {beforeAll, describe, expect, test} from 'vitest'
import {everyCase} from '../support/everyCase.js'
import {inOneProcess} from '../support/inOneProcess.js'
import {freshPlace, type Place, start} from './place.js'
import {type Case, expectAllRefused} from './refusal.js'
import {environmentOf, sendJson, serve, token} from './service.js'

describe('settings that do not lead to a service', () => {
  const address = {ROOMCTL_ROOM_URL: 'http://127.0.0.1:9', ROOMCTL_ROOM_TOKEN: token}
  const list = 'roomctl room list'
  const cases: Case[] = [
    {
      what: 'no profile',
      command: list,
      exit: 3,
      text: /no address is set for the room service\n.*no profile is set up.*\n.*config init/,
    },
    {what: 'a profile that there is not', command: `${list} -p staging`, exit: 3, text: /staging/},
    {
      what: 'no token',
      command: list,
      env: {ROOMCTL_ROOM_URL: address.ROOMCTL_ROOM_URL},
      exit: 3,
      text: /no token is stored for the room service\n.*\n.*config login/,
    },
    {
      what: 'http beyond this machine',
      command: list,
      env: {...address, ROOMCTL_ROOM_URL: 'http://rooms.example.com'},
      exit: 3,
      text: /must begin with https/,
    },
    {
      what: 'a name that only begins like loopback',
      command: list,
      env: {...address, ROOMCTL_ROOM_URL: 'http://127.0.0.1.example.com'},
      exit: 3,
      text: /must begin with https/,
    },
    {
      what: 'a password in the address',
      command: list,
      env: {...address, ROOMCTL_ROOM_URL: 'https://ann:hunter2@rooms.example.com'},
      exit: 3,
      text: /ROOMCTL_ROOM_URL (?!.*hunter2)/,
    },
    {
      what: 'a query in the address',
      command: list,
      env: {...address, ROOMCTL_ROOM_URL: 'https://rooms.example.com/?a=b'},
      exit: 3,
      text: /ROOMCTL_ROOM_URL/,
    },
    {
      what: 'no address but some words',
      command: list,
      env: {...address, ROOMCTL_ROOM_URL: 'rooms dot example'},
      exit: 3,
      text: /ROOMCTL_ROOM_URL/,
    },
    {
      what: 'a token with a line break',
      command: list,
      env: {...address, ROOMCTL_ROOM_TOKEN: 'abc\ndef'},
      exit: 2,
      text: /ROOMCTL_ROOM_TOKEN cannot be used as a token(?!.*abc)/,
    },
    {
      what: 'a port where nobody listens',
      command: `${list} --retries 0`,
      env: address,
      exit: 10,
      text: /cannot reach 127\.0\.0\.1:9: connection refused/,
    },
    {
      what: 'a certificate file that there is not',
      command: `${list} --ca-file nowhere.pem`,
      env: address,
      exit: 14,
      text: /cannot read nowhere\.pem\n {2}why: no such file\n {2}try: name a PEM file with --ca-file/,
    },
    {
      what: 'an environment that is wrong',
      command: list,
      env: {...address, ROOMCTL_TIMEOUT: 'soon'},
      exit: 2,
      text: /ROOMCTL_TIMEOUT must be .*soon/,
    },
  ]

  test('are named, with what to do', () => expectAllRefused(freshPlace(), cases, {inJson: true}))
})

describe('a service that refuses', () => {
  let place: Place

  beforeAll(async () => {
    const own = freshPlace()
    const running = start(own, 'roomctl sandbox start --port 0 --seed demo')
    const said = await running.prints('ROOMCTL_PUSH_TOKEN=')
    const variable = (name: string) => new RegExp(`${name}=(\\S+)`, 'u').exec(said)?.[1] ?? ''
    const [url, token] = ['ROOMCTL_ROOM_URL', 'ROOMCTL_ROOM_TOKEN'].map(variable)
    place = freshPlace({ROOMCTL_ROOM_URL: url ?? '', ROOMCTL_ROOM_TOKEN: token ?? ''})
  })

  const cases: Case[] = [
    {
      what: 'an unknown room',
      command: 'roomctl room show r-none',
      exit: 6,
      text: /cannot read room r-none: .*\(CE002\)\n.*\n {2}try: roomctl room list/,
    },
    {
      what: 'an unknown room, to be ended',
      command: 'roomctl room end r-none --yes',
      exit: 6,
      text: /r-none.*\(CE002\)/,
    },
    {
      what: 'a wrong token',
      command: 'roomctl room list',
      env: {ROOMCTL_ROOM_TOKEN: 'wrong'},
      exit: 4,
      text: /\(CE200\)\n.*\n {2}try: set ROOMCTL_ROOM_TOKEN to a new token/,
    },
    {
      what: 'a room in the wrong state',
      command: 'roomctl room end r-review --yes',
      exit: 7,
      text: /cannot end room r-review: it is IDLE, only a MEETING room can be ended \(ER001\)/,
    },
    {
      what: 'somebody who is not host',
      command: 'roomctl room end r-standup --as ben --yes',
      exit: 5,
      text: /\(CE003\)/,
    },
    {what: 'a stranger to a private room', command: 'roomctl attendee token r-private zoe', exit: 5, text: /\(T001\)/},
    {
      what: 'a limit below those who are there',
      command: 'roomctl room update r-standup --max 1',
      exit: 8,
      text: /\(CE001\)/,
    },
    {
      what: 'a path that the service does not have',
      command: "roomctl room list --route 'room.list=GET /v2/rooms'",
      exit: 6,
      text: /room\.list/,
    },
    {
      what: 'nobody to confirm',
      command: 'roomctl room delete r-townhall',
      exit: 13,
      text: /confirmation required; nothing was sent\n.*\n {2}try: add --yes/,
    },
  ]

  test('is heard in one sentence, and by programs in one object', () => expectAllRefused(place, cases, {inJson: true}))
})

describe('ids with signs that mean something in an address', () => {
  test('reach the service as one segment of the path', async () => {
    const service = await serve((_path, response) =>
      sendJson(response, {status: 'FAIL', error_code: 'CE002', message: 'no such room'}),
    )
    const {dir, env} = freshPlace(environmentOf(service, '/media'))
    const type = inOneProcess()
    await everyCase(['a/b', 'a?b=c', 'a#b', '100%', '%2e%2e', '..;', '//host', 'a\\b', '회의', "it's"], async (id) => {
      const before = service.asked.length
      const ran = await type({words: ['room', 'show', id], cwd: dir, env})
      expect(ran).toMatchObject({exit: 6, stdout: ''})
      expect(ran.stderr).toContain(`cannot read room ${id}: no such room (CE002)`)
      const asked = service.asked.slice(before).map(({path}) => path)
      // Of a room that is missing a near name is searched for.
      expect(asked).toEqual([`/media/v1/rooms/${encodeURIComponent(id)}`, '/media/v1/rooms'])
    })
  })
})
