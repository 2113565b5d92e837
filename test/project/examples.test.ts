import {mkdirSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import path from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {everyCase} from '../support/everyCase.js'
import {inOneProcess, isPlain, wordsOf} from '../support/inOneProcess.js'
import {root} from '../support/repository.js'
import {Machine, type Typed} from './machine.js'

/** Those of `config init` ask on a terminal: examples.full.test.ts. */
const examples = readCommands(root)
  .filter(({name}) => name !== 'config init')
  .flatMap(({name, examples: own}) => own.map(({line}): [line: string, name: string] => [line, name]))

/** The port that `sandbox start` takes without --port. */
const usualPort = 4170
/** The example of a registration that waits for a proof. */
const prove = examples.find(([line, name]) => name === 'push ios' && line.endsWith(' --prove'))?.[0] ?? ''
/**
 * How the examples end of a command that is served until it is interrupted, of one that the service does not offer, of one that
 * finds the reasons against a user, and of those
 * that warn of what the document asks of them.
 */
const endings: Readonly<Record<string, {exit: number; says?: RegExp}>> = {
  // Nothing listens at the addresses of the examples.
  'printf %s "$TOKEN" | roomctl config login room': {exit: 0, says: /could not be checked/u},
  'sandbox start': {exit: 130},
  'attendee why': {exit: 7},
  'push audit': {exit: 15},
  'roomctl push ios': {exit: 2, says: /FILE is missing/u},
  // Apple is not asked by tests: such requests go to a proxy that does not exist.
  // The container of the demonstration has a catalog of this name.
  'roomctl asset sync games/puzzle build/ios --platform ios': {
    exit: 0,
    says: /already has catalog\.json/u,
  },
  'roomctl asset sync games/puzzle build/ios --platform ios --check': {exit: 15},
  'push prove': {exit: 10},
  [prove]: {exit: 2, says: /cannot be used with the sandbox/u},
  'roomctl push ios push.p12 --application-id app-2 --password-file password.txt': {
    exit: 0,
    says: /the password in the request URL/u,
  },
  'push android': {exit: 0, says: /Google shut down the FCM interface for server keys/u},
}
/** `sandbox start` says this last, when it can be called. */
const servedLines = 'export ROOMCTL_ROOM_TOKEN='

let seeded: Machine
let withProfiles: Machine
let withConfiguration: Machine
/** The output of `config profile export live`. */
let exported: string

beforeAll(async () => {
  seeded = Machine.make()
  await done(seeded, 'roomctl sandbox seed')
  putFiles(seeded.work)
  putCredentials(seeded.work)

  withProfiles = seeded.copy({TOKEN: 'a-token', ROOMCTL_PROFILE: ''})
  await done(
    withProfiles,
    'roomctl config profile add live --room-url https://rooms.example.com/media --push-url https://push.example.com',
  )
  await done(withProfiles, 'roomctl config profile add old --room-url https://old.example.com/media')
  await done(withProfiles, 'printf %s "$TOKEN" | roomctl config login room --no-check')
  await done(withProfiles, 'printf %s "$TOKEN" | roomctl config login push')
  await done(withProfiles, 'roomctl config set timeout 30s')
  await done(withProfiles, 'roomctl config set requester ann')
  await done(withProfiles, "roomctl config set route.room.update 'PATCH /v1/rooms/{roomId}'")

  writeFileSync(path.join(withProfiles.work, 'routes.yaml'), 'push.iosKey: POST /v2/apps/{application_id}/apns-key\n')
  exported = (await done(withProfiles, 'roomctl config profile export live')).stdout

  withConfiguration = seeded.copy({ROOMCTL_PROFILE: 'sandbox'})
  await done(withConfiguration, 'roomctl config app create --application-id app-1')
}, 60_000)

afterAll(() => {
  for (const machine of [seeded, withProfiles, withConfiguration]) machine.remove()
})

function checkEnding(line: string, name: string, exit: number | null, stderr: string): void {
  const {exit: expected, says} = endings[line] ?? endings[name] ?? {exit: 0}
  expect({exit, stderr: stderr.match(/^(?:error|warning):.*|^\{"error".*/mu)?.[0]}).toEqual({
    exit: expected,
    stderr: says ? expect.stringMatching(says) : undefined,
  })
}

test('every example with a pipe, a redirection or two commands ends as it should', {timeout: 300_000}, () =>
  everyCase(
    examples.filter(([line]) => !isPlain(line)),
    async (line, name) => {
      const machine = machineFor(name)
      try {
        const {exit, stderr} = await play(machine, name, line)
        checkEnding(line, name, exit, stderr)
      } finally {
        machine.remove()
      }
    },
    {atOnce: 3},
  ),
)

test('every other example that the help shows ends as it should, and leaves nothing that would keep its process alive', {
  timeout: 300_000,
}, async () => {
  const plain = examples.filter(([line]) => isPlain(line))
  const words = wordsOf(plain.map(([line]) => line))
  const type = inOneProcess()
  await everyCase(
    plain.map(([line, name], at) => [line, name, words[at] ?? []] as const),
    async (line, name, own) => {
      const machine = machineFor(name)
      const {exit, stderr} = await type({words: own, cwd: machine.work, env: machine.env})
      machine.remove()
      checkEnding(line, name, exit, stderr)
    },
  )
})

/** The sandbox is the profile in use, but where an example is about the profiles themselves. */
function machineFor(name: string): Machine {
  if (name === 'config app update') return withConfiguration.copy({ROOMCTL_PROFILE: 'sandbox'})
  if (name === 'config profile import') return withImport()
  if (name === 'config profile add') return seeded.copy()
  if (name.startsWith('config ') && !name.startsWith('config app')) return withProfiles.copy({TOKEN: 'a-token'})
  return seeded.copy({ROOMCTL_PROFILE: 'sandbox', HTTPS_PROXY: 'http://127.0.0.1:9'})
}

/** The files that examples upload or read, and the folder that they sync. */
function putFiles(work: string): void {
  const folder = path.join(work, 'build/ios')
  mkdirSync(folder, {recursive: true})
  for (const name of ['level2.bundle', 'level3.bundle']) {
    for (const place of [work, folder]) writeFileSync(path.join(place, name), `the bytes of ${name}`)
  }
  writeFileSync(path.join(folder, 'catalog.json'), '{"bundles": ["level2.bundle", "level3.bundle"]}')
}

/** The keys, and the certificate with its password, that examples inspect and register. */
function putCredentials(work: string): void {
  const shop = new TestCredentials()
  writeFileSync(path.join(work, 'AuthKey_KEY1234567.p8'), shop.key('p256', 'P-256'))
  writeFileSync(path.join(work, 'AuthKey_KEY7654321.p8'), shop.key('next', 'P-256'))
  writeFileSync(path.join(work, 'push.p12'), shop.p12({password: 'secret'}))
  writeFileSync(path.join(work, 'password.txt'), 'secret\n', {mode: 0o600})
  writeFileSync(path.join(work, 'applications.txt'), '# ours\napp-1\nshop\n')
  writeFileSync(path.join(work, 'server-key.txt'), `AAAAexample:APA91b${'x'.repeat(134)}\n`, {mode: 0o600})
}

/** A machine that knows no profile yet, with the file that a colleague exported. */
function withImport(): Machine {
  const machine = seeded.copy()
  writeFileSync(path.join(machine.work, 'live.json'), exported)
  return machine
}

async function play(machine: Machine, name: string, line: string): Promise<Typed> {
  if (name !== 'sandbox start') return machine.type(line)
  if (!line.includes('--port')) await untilFree(usualPort)
  return machine.typeUntil(`trap : INT\n${line}`, servedLines)
}

/** Waits until a port can be had: another program on this machine may hold it for a while. */
async function untilFree(port: number): Promise<void> {
  for (let waited = 0; waited < 10_000 && !(await isFree(port)); waited += 100) await delay(100)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}

async function done(machine: Machine, line: string): Promise<Typed> {
  const typed = await machine.type(line)
  if (typed.exit !== 0) throw new Error(`${line} ended with ${typed.exit}: ${typed.stderr}`)
  return typed
}
