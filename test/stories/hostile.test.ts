import {beforeAll, describe, expect, test} from 'vitest'
import {answers} from './hostileAnswers.js'
import {measured} from './measured.js'
import {freshPlace, type Place, shell} from './place.js'
import {environmentOf, type Service, sendJson, serve, success, summary, token} from './service.js'

const json = {'content-type': 'application/json'}

/** The environment that leads to one of the answers. */
function leadingTo(service: Service, what: string): Record<string, string> {
  return environmentOf(service, `/${encodeURIComponent(what)}`)
}

describe('a service that answers with', () => {
  let place: Place
  let service: Service

  beforeAll(async () => {
    service = await serve((path, response) => {
      const what = decodeURIComponent(path.split('/')[1] ?? '')
      answers[what]?.answer(response)
    })
    place = freshPlace({ROOMCTL_RETRIES: '0', ROOMCTL_TIMEOUT: '2s'})
  })

  test.each(Object.entries(answers))('%s is told apart, in bounded memory', async (what, {exit, text}) => {
    const ran = await measured(place, 'roomctl room list', leadingTo(service, what))
    expect(ran.stderr).toMatch(text)
    expect(ran.stderr).toMatch(/^error: cannot list the rooms: .*\n(?: {2}why: .*\n)?(?: {2}try: .*\n)?$/)
    expect(ran.stderr).not.toMatch(/should not|undefined|Error:|\[object/)
    expect(ran).toMatchObject({exit, stdout: ''})
    expect(ran.peakMiB).toBeLessThan(250)
  })

  test('all of it is the same to a program: one object, and no change was made', async () => {
    const ran = await shell(place, 'roomctl room list -o json', {env: leadingTo(service, 'an HTML page')})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      code: 'broken-answer',
      exit_code: 10,
      http_status: 200,
      outcome: 'none',
    })
  })

  test('a change whose answer is lost does not say that nothing happened', async () => {
    const ran = await shell(place, 'roomctl room send r-1 hello --from ann -o json', {
      env: leadingTo(service, 'the end of the connection'),
    })
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({outcome: 'unknown', exit_code: 10})
    expect(service.asked.filter(({method, path}) => method === 'POST' && path.includes('send'))).toHaveLength(1)
  })
})

describe('fields that are null or not there', () => {
  test('leave gaps in lists and cards, never words like undefined', async () => {
    const nothing = {room_id: 'r-1', name: null, room_status: null, max_attendee_count: null, is_public: null}
    const service = await serve((path, response) => {
      if (path === '/v1/rooms') sendJson(response, success([{room_id: 'r-0'}, nothing]))
      else if (path.endsWith('/attendees')) sendJson(response, success([{user_id: 'ann', is_host: null}]))
      else if (path.endsWith('/recordings')) sendJson(response, success([{file_name: null}]))
      else sendJson(response, success({...nothing, attendees: null, attendee_count: null}))
    })
    const place = freshPlace(environmentOf(service))
    for (const command of ['room list', 'room show r-1', 'attendee list r-1', 'record list r-1', 'room can r-1 end']) {
      const ran = await shell(place, `roomctl ${command}; roomctl ${command} -o csv; roomctl ${command} -o json`)
      expect(ran.stdout + ran.stderr, command).not.toMatch(/undefined|NaN|\[object|should not|Invalid/)
      expect(ran.stdout + ran.stderr, command).toMatch(/r-1|ann|file_name|end/)
    }
    const list = await shell(place, 'roomctl room list -o json')
    expect(JSON.parse(list.stdout)).toEqual([{room_id: 'r-0'}, nothing])
  })

  test('another word for the state is shown as it came, under the one name', async () => {
    const service = await serve((_path, response) =>
      sendJson(response, success([{...summary('r-1'), room_status: undefined, meeting_status: 'MEETING'}])),
    )
    const place = freshPlace(environmentOf(service))
    const ran = await shell(place, 'roomctl room list -o json')
    expect(JSON.parse(ran.stdout)).toEqual([expect.objectContaining({room_id: 'r-1', room_status: 'MEETING'})])
    expect(ran.stdout).not.toContain('meeting_status')
  })
})

describe('a service that leads elsewhere', () => {
  test.each([301, 302, 303, 307, 308])('by HTTP %i is not followed, and its token goes nowhere', async (status) => {
    const other = await serve((_path, response) => sendJson(response, success([summary('r-stolen')])))
    const service = await serve((path, response) => response.writeHead(status, {location: `${other.url}${path}`}).end())
    const place = freshPlace(environmentOf(service))
    const ran = await shell(place, 'roomctl room list; roomctl room end r-1 --yes --as ann')
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain(`is a redirect (HTTP ${status}), which is not followed with a credential`)
    expect(ran.stderr).not.toContain(other.url)
    expect(other.asked).toEqual([])
    expect(service.asked.every(({headers}) => headers.authorization === `Bearer ${token}`)).toBe(true)
  })
})

describe('a service that takes its time', () => {
  test('dripping byte by byte is given up when the time is over', async () => {
    const service = await serve((_path, response) => {
      response.writeHead(200, json).write('{"status": "SUCCESS", "data": [')
      const timer = setInterval(() => response.write(' '), 50)
      response.once('close', () => clearInterval(timer))
    })
    const place = freshPlace(environmentOf(service))
    const ran = await shell(place, 'roomctl room list --timeout 1s')
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot list the rooms: no complete answer within 1 s\n/)
  })

  test('saying nothing is given up too', async () => {
    const service = await serve(() => {})
    const place = freshPlace(environmentOf(service))
    const ran = await shell(place, 'roomctl room list --timeout 500ms')
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/within 0\.5 s/)
    const change = await shell(place, 'roomctl room end r-1 --yes --as ann --timeout 500ms -o json')
    expect(JSON.parse(change.stderr).error).toMatchObject({outcome: 'unknown', exit_code: 10})
  })
})
