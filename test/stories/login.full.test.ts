import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, shell} from './place.js'
import {type Service, sendJson, serve, success, summary, token} from './service.js'

let service: Service

beforeAll(async () => {
  service = await serve((_path, response) => sendJson(response, success([summary('r-1')])))
})

/** A place in which the address of the service is known, and no token. */
function fresh(): Place {
  return freshPlace({ROOMCTL_ROOM_URL: service.url})
}

describe('logging in', () => {
  const worksThen = async (place: Place) => {
    const before = service.asked.length
    const ran = await shell(place, 'roomctl room list -q')
    expect(ran).toMatchObject({stdout: 'r-1\n', stderr: '', exit: 0})
    expect(service.asked.slice(before).map(({headers}) => headers.authorization)).toEqual([`Bearer ${token}`])
  }

  test('asks on a terminal, and shows nothing of the answer', async () => {
    const place = fresh()
    const ran = await onTerminal({
      command: ['sh', '-c', 'stty -g > before; roomctl config login room; echo "exit $?"; stty -g > after'],
      env: {...place.env, TERM: 'xterm-256color'},
      cwd: place.dir,
      steps: [{expect: 'Token of the room service', send: `${token}\r`}, {expect: 'exit 0'}],
    })
    expect(ran).toMatchObject({exit: 0, waiting: null})
    expect(ran.text).toMatch(/stored the room token of profile default/)
    for (const part of [token, ...pieces(token, 4)]) expect(ran.terminal).not.toContain(part)
    expect(ran.terminal).not.toMatch(/[*•]{4}/)
    expect(readFileSync(path.join(place.dir, 'after'), 'utf8')).toBe(
      readFileSync(path.join(place.dir, 'before'), 'utf8'),
    )
    await worksThen(place)
  })
})

describe('the guided set-up on a terminal', () => {
  const wrong = 'wr0ng-but-plausible'

  test.each([
    [80, 24, {TERM: 'xterm-256color'}],
    [80, 24, {TERM: 'xterm-256color', ACCESSIBLE: '1'}],
  ])('asks again for a refused token, in %i columns and %i rows (%o)', async (columns, rows, env) => {
    const strict = await serve((_path, response, {authorization}) => {
      if (authorization === `Bearer ${token}`) sendJson(response, success([summary('r-1')]))
      else sendJson(response, {status: 'FAIL', error_code: 'CE200', message: `unknown token ${wrong}`}, 401)
    })
    const place = freshPlace({})
    const host = new URL(strict.url).host
    const ran = await onTerminal({
      command: ['roomctl', 'config', 'init'],
      env: {...place.env, ...env},
      cwd: place.dir,
      columns,
      rows,
      steps: [
        {expect: 'Profile file from a colleague', send: '\r'},
        {expect: 'Name of the profile', send: 'live\r'},
        {expect: 'Address of the room service', send: `${strict.url}\r`},
        {expect: `service on live (${host})`, send: `${wrong}\r`},
        {expect: 'refused this token', send: ''},
        {expect: `service on live (${host})`, send: `${token}\r`},
        {expect: 'accepts the token: 1 room', send: ''},
        {expect: 'Address of the asset service', send: '\r'},
        {expect: 'Address of the push service', send: '\r'},
        {expect: 'Application id', send: '\r'},
        {expect: 'Make changes as', send: '\r'},
        {expect: 'Require its name', send: 'n\r'},
      ],
    })
    expect(ran, ran.text).toMatchObject({exit: 0, waiting: null, timed_out: false})
    expect(ran.text).toContain('profile live is set up and in use')
    for (const secret of [token, wrong]) expect(ran.terminal).not.toContain(secret)
    const file = JSON.parse(readFileSync(path.join(place.dir, 'config/config.json'), 'utf8'))
    expect(file).toMatchObject({current: 'live', profiles: {live: {'room.url': strict.url}}})
    expect(strict.asked.map(({headers}) => headers.authorization)).toEqual([`Bearer ${wrong}`, `Bearer ${token}`])
    expect(await shell(place, 'roomctl room list -q')).toMatchObject({exit: 0, stdout: 'r-1\n'})
  })

  test('stores nothing when it is left with Ctrl-C at the last question', async () => {
    const place = freshPlace({})
    const ran = await onTerminal({
      command: ['roomctl', 'config', 'init', '-p', 'live'],
      env: {...place.env, TERM: 'xterm-256color'},
      cwd: place.dir,
      steps: [
        {expect: 'Profile file from a colleague', send: '\r'},
        {expect: 'Address of the room service', send: '\r'},
        {expect: 'Address of the asset service', send: 'http://127.0.0.1:9\r'},
        {expect: 'Token of the asset service', send: `${token}\r`},
        {expect: 'Keep the address', send: 'y\r'},
        {expect: 'Address of the push service', send: '\r'},
        {expect: 'Application id', send: '\r'},
        {expect: 'Require its name', send: '\u0003'},
      ],
    })
    expect(ran).toMatchObject({timed_out: false, waiting: null})
    expect(ran.exit).not.toBe(0)
    expect(existsSync(path.join(place.dir, 'config/config.json'))).toBe(false)
    expect(ran.terminal).not.toContain(token)
  })
})

/** All parts of a text of that length. */
function pieces(text: string, length: number): string[] {
  return Array.from({length: text.length - length + 1}, (_, at) => text.slice(at, at + length))
}

describe('the token command', () => {
  test('is run without a shell: nothing in its arguments is interpreted', async () => {
    const place = fresh()
    const program = path.join(place.dir, 'bin/give-token')
    writeFileSync(program, `#!/bin/sh\nfor word; do printf '%s\\n' "$word" >> words; done\necho ${token}\n`, {
      mode: 0o755,
    })
    const words = [
      '; touch pwned-1',
      '$(touch pwned-2)',
      '`touch pwned-3`',
      '| touch pwned-4',
      '&& touch pwned-5',
      '*',
      '> pwned-6',
    ]
    const command = JSON.stringify(['give-token', ...words])
    const ran = await shell(place, 'roomctl config login room --token-command "$COMMAND" && roomctl room list -q', {
      env: {COMMAND: command},
    })
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(readFileSync(path.join(place.dir, 'words'), 'utf8').trimEnd().split('\n')).toEqual([...words, ...words])
    expect(readdirSync(place.dir).filter((name) => name.startsWith('pwned'))).toEqual([])
  })

  test('is not handed the other tokens of the environment', async () => {
    const place = fresh()
    writeFileSync(
      path.join(place.dir, 'bin/give-token'),
      '#!/bin/sh\necho "$ROOMCTL_PUSH_TOKEN$GREETING" > seen\necho t\n',
      {
        mode: 0o755,
      },
    )
    const ran = await shell(place, 'roomctl config login room --token-command give-token; roomctl room list', {
      env: {ROOMCTL_PUSH_TOKEN: 'push-secret', GREETING: 'hello'},
    })
    expect(ran.stderr).not.toContain('push-secret')
    expect(readFileSync(path.join(place.dir, 'seen'), 'utf8')).toBe('hello\n')
  })
})
