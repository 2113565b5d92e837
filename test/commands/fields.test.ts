import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {operations} from '../../src/api/contract/operations.js'
import {cli, demoStore, freshHome} from '../support/cli.js'
import {lineEnvironment} from '../support/credentialRoutes.js'
import {everyCase} from '../support/everyCase.js'
import {lineFolder} from '../support/operationRows.js'
import {lines} from '../support/operations.js'
import {readyFor} from './answers.js'

const folder = lineFolder
const build = path.join(folder, 'build')
mkdirSync(build, {recursive: true})
for (const name of ['level8.bundle', 'level9.bundle']) writeFileSync(path.join(build, name), `the bytes of ${name}`)
const inFolder = (name: string) => path.join(folder, name)
writeFileSync(inFolder('AuthKey_KEY1111111.p8'), new TestCredentials().key('next', 'P-256'), {mode: 0o600})
const ids = '--bundle-id com.example.rooms --team-id TEAM654321'

/** Lines of one day, in their order, on one machine and one sandbox; of the commands that call no operation, and of more forms. */
const day = [
  'room list --with-counts',
  'room show r-townhall',
  'room update r-standup --name Daily',
  'room delegate r-standup ben',
  'room create Review --created-by ann --token --check',
  `room end r-standup r-test-1 --as ann --yes`,
  'attendee add r-townhall zoe',
  'attendee add r-townhall r-review --from-file -',
  'attendee find ben',
  'attendee find nobody',
  'attendee why r-private eve',
  'attendee why r-townhall ann',
  'attendee token r-townhall ann --decode',
  'record list r-retro r-support',
  'asset list games --tree',
  `asset sync games/puzzle ${build} --platform ios --dry-run`,
  `asset sync games/puzzle ${build} --platform ios --check`,
  `asset sync games/puzzle ${build} --platform ios`,
  `asset upload games/puzzle ${inFolder('level2.bundle')} --platform ios --description d`,
  'asset uploads --all',
  `asset download games/puzzle/a-logo --to ${inFolder('out.bin')}`,
  'asset resume',
  'asset forget --all',
  `push inspect ${inFolder('push.p12')} --password-file ${inFolder('password.txt')}`,
  `push inspect ${inFolder('AuthKey_KEY7654321.p8')}`,
  `push ios ${inFolder('AuthKey_KEY7654321.p8')} ${ids} --confirm app-1`,
  'push audit',
  'push records',
  'history',
  'doctor',
  'explain',
  'explain CE002',
  'config get timeout',
  'config get requester',
  'config list',
  'config profile add live --room-url https://rooms.example.com',
  'config profile list',
  'config profile use live',
  'config profile export live',
  'config set timeout 30s',
  'config unset timeout',
  'config set route.room.update PATCH_/v1/rooms/{roomId}',
  'config unset route.room.update',
  'config profile remove live --yes',
  'config route list',
  'sandbox seed',
  'sandbox enter r-townhall ann',
  'sandbox leave r-townhall ann',
  'sandbox reset --seed demo',
]

test('every operation has an answer as docs/fields.json describes it', () =>
  everyCase(Object.entries(lines), async (id, line) => {
    const env = lineEnvironment
    const ran = await cli(`${line} -o json`, {store: await readyFor(id), env})
    expect({exit: ran.exit, stderr: ran.exit === 0 ? '' : ran.stderr}).toEqual({exit: 0, stderr: ''})
    expect(() => JSON.parse(ran.stdout)).not.toThrow()
    if (line.includes('--dry-run') || operations.find((one) => one.id === id)?.effect === 'read') return
    const dry = await cli(`${line} --dry-run -o json`, {store: await readyFor(id), env})
    expect([dry.exit, dry.stdout[0]]).toEqual([0, '['])
  }))

test('so has every other command', async () => {
  const [home, store] = [freshHome(), await demoStore()]
  const env = {...lineEnvironment, ROOMCTL_PROFILE: 'sandbox'}
  await everyCase(day, async (line) => {
    const format = line.startsWith('room watch') ? 'ndjson' : 'json'
    const words = `${line} -o ${format}`.split(' ').map((word) => word.replace('PATCH_/', 'PATCH /'))
    const own = line.startsWith('config ') && !line.includes(' test ') ? {...env, ROOMCTL_PROFILE: ''} : env
    const ran = await cli(words, {home, store, env: own, stdin: 'ben\n'})
    expect([0, 7, 11, 12, 15], ran.stderr).toContain(ran.exit)
    expect(ran.stdout).not.toBe('')
  })
})
