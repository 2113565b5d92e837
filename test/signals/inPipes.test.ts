import {execFileSync} from 'node:child_process'
import {existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {reply} from '../commands/answers.js'
import {freshPlace, type Ran, type Running, shell, start} from '../stories/place.js'
import {type Gate, gate} from './gate.js'
import {rest} from './rest.js'
import {type Stage, stages} from './stages.js'

/** Brings a command to its stage, sends the signal, and once more if it lets running requests end. */
async function ended({at, held, line, env = {}, lasts}: Stage, signal: NodeJS.Signals, more = '') {
  const place = await gate(at, held, env)
  furnish(place)
  if (line.includes(' silent ')) execFileSync('mkfifo', [path.join(place.dir, 'silent')])
  const running = start(place, `exec roomctl ${line} ${more}`)
  if (at) while (!existsSync(place.reached)) await pause(5)
  else await rest(running)
  running.child.kill(signal)
  if (lasts) await again(running, signal)
  return {ran: await running.ended, place}
}

async function again({child}: Running, signal: NodeJS.Signals): Promise<void> {
  await pause(150)
  expect(child.exitCode, 'it waits for what is under way').toBeNull()
  child.kill(signal)
}

function furnish({dir}: Gate): void {
  writeFileSync(path.join(dir, 'f.bundle'), Buffer.alloc(300 * 1024, 'f'))
  writeFileSync(path.join(dir, 'big.bundle'), '')
  truncateSync(path.join(dir, 'big.bundle'), 64 * 2 ** 30)
  mkdirSync(path.join(dir, 'build'))
  writeFileSync(path.join(dir, 'build/f.bundle'), Buffer.alloc(300 * 1024, 'f'))
}

/** Forbidden leftovers: locks, halves of files. */
function leftovers({dir}: Gate): string[] {
  return readdirSync(dir, {recursive: true, encoding: 'utf8'}).filter((file) => /lock$|\.part$|takeover$/u.test(file))
}

function checkJson({stderr}: Ran, {outcome}: Stage): void {
  if (outcome !== undefined)
    expect(JSON.parse(stderr).error).toMatchObject({exit_code: 143, code: 'terminated', outcome})
}

// SIGINT and SIGHUP in turn: they differ in the exit code alone.
test.each(stages.map((stage, at) => ({...stage, signal: at % 2 === 0 ? ('SIGINT' as const) : ('SIGHUP' as const)})))(
  '$name is ended by a signal with its exit code, and known outcomes are reported',
  async ({signal, ...stage}) => {
    const ends = await Promise.all([ended(stage, signal), ended(stage, 'SIGTERM', stage.machine ?? '-o json')])
    expect(ends.map(({ran}) => [ran.exit, ran.signal])).toEqual([
      [signal === 'SIGINT' ? 130 : 129, null],
      [143, null],
    ])
    const [typed, machine] = ends
    const gives = stage.gives ?? /^$/u
    for (const {ran} of ends) expect(ran.stdout).toMatch(gives)
    for (const {place} of ends) expect(leftovers(place)).toEqual([])
    expect(typed.ran.stderr).toMatch(stage.says ?? /^$/u)
    checkJson(machine.ran, stage)
  },
)

test('Ctrl-Break, which only Windows has, ends as Ctrl-C', async () => {
  const place = freshPlace({ROOMCTL_PROFILE: 'sandbox'})
  const preload = path.join(place.dir, 'break.cjs')
  writeFileSync(preload, "process.on('SIGUSR2', () => process.emit('SIGBREAK', 'SIGBREAK'))\n")
  const env = {NODE_OPTIONS: `--require "${preload}"`}
  const running = start(place, 'exec roomctl sandbox start --port 0', env)
  await running.prints('Ctrl-C to stop')
  running.child.kill('SIGUSR2')
  expect(await running.ended).toMatchObject({exit: 130, signal: null})
})

test('the journal has the finished changes of a run, and as unknown those running at the second signal', async () => {
  const place = await gate(/end$/u, (arrivals) => (arrivals > 2 ? undefined : reply('{"status":"SUCCESS"}')), {})
  const running = start(
    place,
    'exec roomctl room end r-party r-full r-standup r-support --yes --as host --concurrency 1',
  )
  while (place.arrived.filter((line) => /end$/u.test(line)).length < 3) await pause(5)
  running.child.kill('SIGINT')
  await again(running, 'SIGINT')
  expect((await running.ended).exit).toBe(130)
  const lines = readFileSync(path.join(place.dir, 'state/journal.ndjson'), 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line)).map(({outcome, targets}) => [targets.roomId, outcome])).toEqual([
    ['r-party', 'done'],
    ['r-full', 'done'],
    ['r-standup', 'unknown'],
  ])
})

test('a program that gives the token ends with the first signal', async () => {
  const place = await gate(undefined, undefined, {ROOMCTL_ROOM_TOKEN: ''})
  writeFileSync(path.join(place.dir, 'bin/slow-token'), '#!/bin/sh\ntouch reached\nexec sleep 30\n', {mode: 0o755})
  expect((await shell(place, 'roomctl config login --no-check --token-command slow-token')).exit).toBe(0)
  const running = start(place, 'exec roomctl room list')
  while (!existsSync(place.reached)) await pause(5)
  running.child.kill('SIGINT')
  expect(await running.ended).toMatchObject({exit: 130, stdout: '', stderr: 'interrupted; nothing was sent\n'})
  expect(place.arrived).toEqual([])
})

test('an upload that was interrupted amid a chunk resumes where it was, by the same command', async () => {
  const line = 'asset upload games/puzzle f.bundle --platform ios --description d --chunk-size 64KiB'
  const place = await gate(/PATCH/u, (arrivals) => (arrivals === 3 ? undefined : 'pass'), {})
  furnish(place)
  const running = start(place, `exec roomctl ${line}`)
  while (!existsSync(place.reached)) await pause(5)
  running.child.kill('SIGTERM')
  expect((await running.ended).exit).toBe(143)
  const again = await shell(place, `roomctl ${line} -o json`)
  expect(again.exit).toBe(0)
  const [row] = JSON.parse(again.stdout)
  expect(row).toMatchObject({outcome: 'done', bytes: 300 * 1024, resumed_from: 128 * 1024})
})

test('a command that waits for the lock of the profile ends with the signal, and leaves the lock to its owner', async () => {
  const place = await gate(undefined, undefined, {})
  expect((await shell(place, 'roomctl config profile add p && mkdir config/config.json.lock')).exit).toBe(0)
  const running = start(place, 'exec roomctl config set timeout 6s -p p')
  await rest(running)
  running.child.kill('SIGTERM')
  expect((await running.ended).exit).toBe(143)
  expect(leftovers(place)).toEqual(['config/config.json.lock'])
  expect(readFileSync(path.join(place.dir, 'config/config.json'), 'utf8')).not.toContain('6s')
})
