import {chmodSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {Finder} from '../canary/finder.js'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, shell} from './place.js'
import {
  deviceToken,
  expectNone,
  expectNoneBelow,
  finder,
  placeWith,
  secrets,
  serverKey,
  token,
} from './secretsPushPlace.js'
import {refuse, taking, whole} from './secretsPushService.js'
import {serve} from './service.js'

/** A service that echoes requests, and one that accepts them. */
const answers = {repeating: refuse, taking: taking()}

function serving(what: keyof typeof answers) {
  return serve((_, response) => whole(response, (request) => answers[what](response, request)))
}

const asked = {
  register: {line: 'register ann --type ANDROID', prompt: 'Device token (ANDROID)', secret: deviceToken},
  android: {
    line: 'android --package com.example.rooms --legacy --confirm app-1',
    prompt: 'Server key of FCM',
    secret: serverKey,
  },
  iosCert: {
    line: 'ios "$IN/push.p12" --confirm app-1',
    prompt: 'Password of the certificate',
    secret: secrets.password,
  },
  inspect: {line: 'inspect "$IN/push.p12"', prompt: 'Password of the certificate', secret: secrets.password},
} as const

describe('a secret that is typed is not seen', () => {
  test.each(Object.entries(asked))('of push %s', {timeout: 60_000}, async (_, {line, prompt, secret}) => {
    for (const what of ['taking', 'repeating'] as const) {
      const place = placeWith((await serving(what)).url, {TERM: 'xterm-256color', DEBUG: '*'})
      const seen = await onTerminal({
        command: ['bash', '-c', `roomctl push ${line} --debug`],
        env: place.env,
        cwd: place.dir,
        columns: 200,
        steps: [{expect: prompt, send: `${secret}\r`}],
      })
      expect(seen.waiting).toBeNull()
      expect(finder.find(seen.terminal)).toEqual([])
      // Nor as many stars as it has characters, which would tell how long it is.
      expect(seen.text.split('\n')[0]).not.toContain('*')
      expectNoneBelow(place)
    }
  })

  test('nor when the question is given up', async () => {
    const {line, prompt, secret} = asked.register
    const place = placeWith((await serving('taking')).url, {TERM: 'xterm-256color'})
    const steps = [
      {expect: prompt, send: secret.slice(0, 40)},
      {expect: prompt, send: '\u0003'},
    ]
    const command = ['bash', '-c', `roomctl push ${line}`]
    const seen = await onTerminal({command, env: place.env, cwd: place.dir, columns: 200, steps})
    expect(seen.exit).toBe(130)
    expect(seen.text).toContain('interrupted')
    expect(finder.find(seen.terminal)).toEqual([])
  })
})

const workshop = new TestCredentials()

/** Passwords that are hard to spell, to find and to pass on. */
const odd: Readonly<Record<string, string>> = {
  'of one character': 'x',
  'of three characters': 'q7Z',
  'of four characters': 'k9#V',
  empty: '',
  'with spaces around and in it': '  two  words ',
  Korean: '비밀번호입니다',
  'of quotes and backslashes': `"'\\"\\\\'$(id)\`;`,
  'that looks like percent signs': '%41%25+%2B&x=1#y',
  'that looks like JSON': '{"a":["b"]}',
  'with emoji': '🔑x🗝️x🔐',
}

/** How a file of it can end, taken in turn; only the last line end is no part of it. */
const endings = ['', '\n', '\r\n']

test.each(Object.values(odd).map((password, at) => [Object.keys(odd)[at] ?? '', password, at] as const))(
  'a password %s arrives as it is, and is not shown',
  {timeout: 60_000},
  async (_, password, at) => {
    const passwords: (string | null)[] = []
    const service = await serve((_, response) =>
      whole(response, (request) => {
        const {pathname, searchParams} = new URL(request.url, 'http://service')
        if (pathname.endsWith('/certificate')) passwords.push(searchParams.get('apns_certificate_password'))
        answers.repeating(response, request)
      }),
    )
    const place = placeWith(service.url)
    writeFileSync(path.join(place.dir, 'odd.p12'), workshop.p12({password}), {mode: 0o600})
    writeFileSync(path.join(place.dir, 'file'), `${password}${endings[at % endings.length]}`, {mode: 0o600})
    const registering = 'roomctl push ios odd.p12 --confirm app-1 --debug --password-stdin < file'
    const ran = await shell(place, `${registering}; roomctl push inspect odd.p12 --password-file file`)
    expect(passwords).toEqual([password])
    const found = new Finder(password.length < 4 ? {} : {password})
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain(`apns_certificate_password=${password === '' ? '' : '***'}&bundle_id`)
    expect(found.find(ran.stdout + ran.stderr)).toEqual([])
  },
)

describe('a place in which secrets lie about', () => {
  const files: Place = freshPlace()

  test('names files that others may read, once, and not of their content', async () => {
    const place = placeWith((await serving('taking')).url)
    writeFileSync(path.join(files.dir, 'open'), deviceToken)
    chmodSync(path.join(files.dir, 'open'), 0o644)
    const ran = await shell(place, `roomctl push register ann --type ANDROID --token-file ${files.dir}/open`)
    expect(
      ran.stderr.match(
        /^warning: other users can read .*\/open, which contains the device token: chmod 600 restricts it to you$/gm,
      ),
    ).toHaveLength(1)
    expectNone(ran)
  })

  test('is not searched: a token of the environment goes to the push service alone', async () => {
    const service = await serving('taking')
    const ran = await shell(placeWith(service.url), 'roomctl push send ann --title Hello --body World')
    expect(ran).toMatchObject({exit: 0})
    expect(service.asked.map(({headers}) => headers.authorization)).toEqual([`Bearer ${token}`])
  })
})
