import {readdirSync, readFileSync, statSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {expectNoToken} from './noToken.js'
import {freshPlace, type Place, shell, start} from './place.js'
import {type Service, sendJson, serve, success, summary, token} from './service.js'

/** A service that answers below /good, and says nothing elsewhere. */
function halfSilent(): Promise<Service> {
  return serve((asked, response) => {
    if (asked.startsWith('/good')) sendJson(response, success([summary('r-1')]))
  })
}

let service: Service

beforeAll(async () => {
  service = await halfSilent()
})

/** A place with a profile that holds the token. */
async function loggedIn(branch: string): Promise<Place> {
  const place = freshPlace()
  const ran = await shell(
    place,
    `roomctl config set room.url ${service.url}/${branch} && roomctl config login room --no-check`,
    {
      stdin: token,
    },
  )
  expect(ran).toMatchObject({exit: 0, stderr: ''})
  expectNoToken(ran)
  return place
}

describe('the token of a profile is not shown', () => {
  test('by the commands that show settings, nor by what they export', async () => {
    const place = await loggedIn('good')
    const ran = await shell(
      place,
      'roomctl config list; roomctl config list -o json; roomctl config profile list -o json; roomctl config profile export default; roomctl room list --dry-run; roomctl room end r-1 --as ann --dry-run; roomctl config get room.token',
    )
    expect(ran.stdout).toContain(service.url)
    expectNoToken(ran)
  })

  test('in the journal, the cache or any file but the profile and its backup', async () => {
    const place = await loggedIn('good')
    await shell(
      place,
      'roomctl config set timeout 20s; roomctl room end r-1 --yes --as ann; roomctl room list --debug',
      {env: {DEBUG: '*'}},
    )
    const holding = filesBelow(place.dir).filter((file) => readFileSync(file).includes(token))
    expect(holding.map((file) => path.relative(place.dir, file)).sort()).toEqual([
      'config/config.backup.json',
      'config/config.json',
    ])
    for (const file of holding) expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('in the command line that other users can see', async () => {
    const place = await loggedIn('silent')
    const before = service.asked.length
    const running = start(place, 'exec roomctl room list')
    while (service.asked.length === before) await pause(10)
    const commandLine = readFileSync(`/proc/${running.child.pid}/cmdline`, 'utf8')
    expect(commandLine).toContain('roomctl')
    expect(commandLine).not.toContain(token)
    running.child.kill('SIGINT')
    expectNoToken(await running.ended)
  })

  test('to another origin, when the address moves there', async () => {
    const place = await loggedIn('good')
    const other = await serve((_path, response) => sendJson(response, success([])))
    const moved = await shell(place, `roomctl config set room.url ${other.url}/good; roomctl room list`)
    expect(moved.exit).toBe(3)
    expect(moved.stderr).toMatch(
      /error: the token stored for .* is not sent to .*\n.*\n {2}try: roomctl config login room\n$/,
    )
    expectNoToken(moved)
    expect(other.asked).toEqual([])
    const back = await shell(place, `roomctl config set room.url ${service.url}/good && roomctl room list -q`)
    expect(back).toMatchObject({exit: 0})
  })
})

function filesBelow(folder: string): string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}
