import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, type Running, shell, start} from './place.js'
import {environmentOf, type Service, serve} from './service.js'

/** Waits until something is so; the time limit of the test ends the wait. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(10)
}

describe('a signal while the service is silent', () => {
  let place: Place
  let service: Service

  beforeAll(async () => {
    service = await serve(() => {})
    place = freshPlace(environmentOf(service))
  })

  /** A command that waits for an answer that never comes. */
  async function waiting(command: string, env: Record<string, string> = {}): Promise<Running> {
    const before = service.asked.length
    const running = start(place, `exec roomctl ${command}`, env)
    await until(() => service.asked.length > before)
    return running
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends a read with %i', async (signal, exit) => {
    const running = await waiting('room list')
    running.child.kill(signal)
    const ran = await running.ended
    expect(ran).toMatchObject({exit, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot list the rooms: interrupted\n$/)
  })

  test('ends a change, and says that nobody knows whether it was made', async () => {
    const running = await waiting('room end r-1 --yes --as ann -o json')
    running.child.kill('SIGINT')
    const ran = await running.ended
    expect(ran).toMatchObject({exit: 130, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({exit_code: 130, outcome: 'unknown'})
  })

  test('ends with the exit code that its JSON names', async () => {
    const running = await waiting('room list -o json')
    running.child.kill('SIGTERM')
    const ran = await running.ended
    expect(ran.exit).toBe(143)
    expect(JSON.parse(ran.stderr).error).toMatchObject({exit_code: 143, outcome: 'none'})
  })

  test('a program that gives a token and does not end is left at the second Ctrl-C at the latest', async () => {
    const own = freshPlace({ROOMCTL_ROOM_URL: service.url})
    const slow = path.join(own.dir, 'bin/slow-token')
    writeFileSync(slow, '#!/bin/sh\ntouch started\nexec sleep 30\n', {mode: 0o755})
    expect((await shell(own, 'roomctl config login --token-command slow-token')).exit).toBe(0)
    const running = start(own, 'exec roomctl room list')
    await until(() => existsSync(path.join(own.dir, 'started')))
    running.child.kill('SIGINT')
    await pause(200)
    running.child.kill('SIGINT')
    expect((await running.ended).exit).toBe(130)
  })

  test('Ctrl-C on a terminal does the same as the signal', async () => {
    const ran = await onTerminal({
      command: ['sh', '-c', 'echo begin; exec roomctl room list --debug'],
      env: {...place.env, TERM: 'xterm'},
      cwd: place.dir,
      steps: [{expect: '> GET', send: '\u0003'}],
    })
    expect(ran).toMatchObject({exit: 130, signal: null, waiting: null})
    expect(ran.text).toContain('error: cannot list the rooms: interrupted')
  })
})

/** Waits until the program does nothing but wait: asleep, and no work done, in ten looks one after the other. */
async function idle({child}: Running): Promise<void> {
  let before = ''
  for (let looks = 0; looks < 10; ) {
    await pause(20)
    const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    const [state, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const now = `${stat.includes('(bash)')} ${state} ${user} ${system}`
    looks = now === before && now.startsWith('false S') ? looks + 1 : 0
    before = now
  }
}

describe('a signal while nothing comes on stdin, nor from a pipe', () => {
  test.each([
    ['room end -', 'SIGINT', 130],
    ['push send - --title x --body y', 'SIGINT', 130],
    ['push send --recipients-from silent --title x --body y', 'SIGTERM', 143],
    ['push register ann --type ANDROID', 'SIGINT', 130],
    ['push send ann --data-json - --title x --body y', 'SIGTERM', 143],
  ] as const)('ends %s by %s with %i', async (command, signal, exit) => {
    const place = freshPlace()
    await shell(place, 'mkfifo silent')
    const running = start(place, `exec roomctl ${command} -p sandbox`)
    await idle(running)
    running.child.kill(signal)
    expect(await running.ended).toMatchObject({exit, stdout: '', stderr: 'error: interrupted\n'})
  })
})
