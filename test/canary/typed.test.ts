import {chmodSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {shell} from '../stories/place.js'
import {onTerminal} from '../support/pty.js'
import {canaries, finder} from './canaries.js'
import {Finder} from './finder.js'
import {expectNone, placeAt} from './place.js'
import {type EchoService, echoService} from './service.js'

/** One that repeats each request as the text of its refusal. */
let service: EchoService
beforeAll(async () => {
  service = await echoService([{kind: 400, about: 'all', prepared: false, isRaw: false}])
})
afterAll(() => service.close())

const placeHere = () => placeAt(`${service.url}/0`, {TERM: 'xterm-256color', ROOMCTL_TIMEOUT: '5s'})

const asked = {
  register: {line: 'register ann --type ANDROID', prompt: 'Device token (ANDROID)', secret: canaries['device token']},
  android: {
    line: 'android --package com.example.rooms --legacy --confirm app-1',
    prompt: 'Server key of FCM',
    secret: canaries['server key'],
  },
  iosCert: {
    line: 'ios "$IN/push.p12" --confirm app-1',
    prompt: 'Password of the certificate',
    secret: canaries.password,
  },
  inspect: {line: 'inspect "$IN/push.p12"', prompt: 'Password of the certificate', secret: canaries.password},
} as const

test.each(Object.entries(asked))('a secret that is typed to push %s is not seen', async (_, {line, prompt, secret}) => {
  const place = placeHere()
  const seen = await onTerminal({
    command: ['bash', '-c', `roomctl push ${line} --debug`],
    env: {...place.env, DEBUG: '*'},
    cwd: place.dir,
    columns: 200,
    steps: [{expect: prompt, send: `${secret}\r`}],
  })
  expect(seen.waiting).toBeNull()
  expectNone({stdout: seen.terminal, stderr: ''}, place)
  // Nor as many stars as it has characters, which would tell how long it is.
  expect(seen.text.split('\n')[0]).not.toContain('*')
})

test('a secret that is typed before Ctrl-C is not seen', async () => {
  const {line, prompt, secret} = asked.register
  const place = placeHere()
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

const workshop = new TestCredentials()

/** Passwords that are hard to spell, to find and to pass on. */
const odd: Readonly<Record<string, string>> = {
  'of one character': 'x',
  'of four characters': 'k9#V',
  empty: '',
  'with spaces around and in it': '  two  words ',
  'of quotes and backslashes': `"'\\"\\\\'$(id)\`;`,
  'that looks like percent signs': '%41%25+%2B&x=1#y',
  'of Korean and emoji': '비밀번호🔑x🗝️',
}

/** How a file of it can end, taken in turn; only the last line end is no part of it. */
const endings = ['', '\n', '\r\n']

test.each(Object.entries(odd).map(([what, password], at) => ({what, password, at})))(
  'a password $what arrives as it is, and is not shown',
  async ({password, at}) => {
    const before = service.arrived.length
    const place = placeHere()
    writeFileSync(path.join(place.dir, 'odd.p12'), workshop.p12({password}), {mode: 0o600})
    writeFileSync(path.join(place.dir, 'file'), `${password}${endings[at % endings.length]}`, {mode: 0o600})
    const registering = 'roomctl push ios odd.p12 --confirm app-1 --debug --password-stdin < file'
    const ran = await shell(place, `${registering}; roomctl push inspect odd.p12 --password-file file`)
    const passwords = service.arrived.slice(before).flatMap(({told: {url}}) => {
      const {pathname, searchParams} = new URL(url, 'http://service')
      return pathname.endsWith('/certificate') ? [searchParams.get('apns_certificate_password')] : []
    })
    expect(passwords).toEqual([password])
    const found = new Finder(password.length < 4 ? {} : {password})
    expect(ran.exit).toBe(0)
    expect(ran.stderr).toContain(`apns_certificate_password=${password === '' ? '' : '***'}&bundle_id`)
    expect(found.find(ran.stdout + ran.stderr)).toEqual([])
  },
)

test('a file that others may read is named once, and not its content', async () => {
  const place = placeHere()
  const file = path.join(place.dir, 'bin/open')
  writeFileSync(file, canaries['device token'])
  chmodSync(file, 0o644)
  const ran = await shell(place, `roomctl push register ann --type ANDROID --token-file ${file}`)
  expect(
    ran.stderr.match(
      /^warning: other users can read .*\/open, which contains the device token: chmod 600 restricts it to you$/gm,
    ),
  ).toHaveLength(1)
  expect(finder.find(ran.stdout + ran.stderr)).toEqual([])
})
