import {beforeAll, describe, expect, test} from 'vitest'
import {freshPlace, type Place, type Running, shell, start} from './place.js'
import {sendJson, serve} from './service.js'

let place: Place
/** Whether the proxy before the sandbox answers by itself, as one does whose service is away. */
let isAway = false

/** A sandbox, and before it a proxy on whose address the watches look. */
beforeAll(async () => {
  const home = freshPlace()
  const sandbox = start(home, 'exec roomctl sandbox start --port 0 --seed demo')
  const said = await sandbox.prints('ROOMCTL_ROOM_TOKEN=')
  const [, url = ''] = /ROOMCTL_ROOM_URL=(\S+)/u.exec(said) ?? []
  const [, token = ''] = /ROOMCTL_ROOM_TOKEN=(\S+)/u.exec(said) ?? []
  const proxy = await serve(async (path, response) => {
    if (isAway) {
      response.writeHead(503, {'content-type': 'text/html'}).end('<h1>away</h1>')
      return
    }
    const answer = await fetch(`${new URL(url).origin}${path}`, {headers: {authorization: `Bearer ${token}`}})
    sendJson(response, await answer.text(), answer.status)
  })
  const address = {ROOMCTL_ROOM_URL: `${proxy.url}${new URL(url).pathname}`, ROOMCTL_ROOM_TOKEN: token}
  place = {dir: home.dir, env: {...home.env, ROOMCTL_TIMEOUT: '5s', ROOMCTL_RETRIES: '0', TZ: 'Asia/Seoul'}}
  addresses = {direct: {...address, ROOMCTL_ROOM_URL: url}, proxied: address}
}, 30_000)

let addresses: {direct: Record<string, string>; proxied: Record<string, string>}

function watch(words: string): Running {
  return start(place, `exec roomctl room watch --interval 1s ${words}`, addresses.proxied)
}

/** The changes, one command after another; each waits for its event of the watch. */
async function play(watching: Running, acts: readonly (readonly [command: string, told: string])[]): Promise<void> {
  for (const [command, told] of acts) {
    const env = command.startsWith('sandbox') ? {} : addresses.direct
    const ran = await shell(place, `roomctl ${command}`, {env})
    if (ran.exit !== 0) throw new Error(`${command}: ${ran.stderr}`)
    await watching.prints(told)
  }
}

const events = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+ {2}/u, ''))

describe('a meeting from its beginning to its end', {timeout: 60_000}, () => {
  test('is shown event by event, each once and in order, across an outage', async () => {
    const watching = watch('r-townhall --until-status ENDED')
    await watching.prints('watching room r-townhall')
    await play(watching, [
      ['sandbox enter r-townhall ann', 'ann joined'],
      ['sandbox enter r-townhall ben', 'ben joined'],
      ['room delegate r-townhall ben', 'host: ann → ben'],
    ])
    isAway = true
    await watching.prints('cannot reach the service')
    expect((await shell(place, 'roomctl sandbox leave r-townhall ann')).exit).toBe(0)
    isAway = false
    await watching.prints('reachable again')
    await play(watching, [['room end r-townhall --yes', 'ENDED']])
    const ran = await watching.ended
    expect(ran.exit).toBe(0)
    expect(events(ran.stdout)).toEqual([
      'r-townhall  RESERVED → MEETING',
      'r-townhall  ann joined',
      'r-townhall  ben joined',
      'r-townhall  host: ann → ben',
      expect.stringMatching(/^all rooms {2}not seen since \S+Z: cannot read room r-townhall: .*503/u),
      'r-townhall  ann left',
      'r-townhall  ben left',
      'r-townhall  MEETING → ENDED',
    ])
    const notes = ran.stderr.trimEnd().split('\n')
    expect(notes).toHaveLength(3)
    expect(notes[1]).toMatch(/ {2}cannot reach the service: cannot read room r-townhall: .* \(still watching\)$/u)
    expect(notes[2]).toMatch(/ {2}the service is reachable again after \d+s$/u)
  })
})

test('a reader who goes away ends it quietly at the next event', async () => {
  const line = '{ roomctl room watch r-support --interval 1s; echo "exit $?" >&2; } | head -n 1'
  const watching = start(place, line, addresses.proxied)
  await watching.prints('watching room r-support')
  await play(watching, [['sandbox leave r-support dora', 'dora left']])
  expect((await shell(place, 'roomctl sandbox enter r-support dora')).exit).toBe(0)
  const ran = await watching.ended
  expect(ran.stderr).toContain('exit 0')
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(1)
})
