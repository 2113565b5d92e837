import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {expect} from 'vitest'
import {Workshop} from '../support/openssl.js'
import {freshPlace, type Place, type Ran, shell} from './place.js'
import {Finder} from './secretsPushFinder.js'

const workshop = Workshop.untilDone()

/** Every coding spells them otherwise. */
const password = `p4ssw0rd+/of=the&"certi'ficate\\ 한글 ~1`
export const token = 'c4nary+/tok=5f2c9d~1e7b"q'
export const deviceToken = `d3v1ce_of-ann:APA91bH+/="${'Tq7zK2'.repeat(20)}`
export const serverKey = `AAAAcnry1-2:APA91b${'s3rvK_y-W9'.repeat(14).slice(0, 134)}`
const pem = workshop.key('apns', 'P-256')
const p12 = workshop.p12({password})

/** The lines of a key after its first, whose beginning is the same for every key. */
export const keyLines = pem.split('\n').slice(2, -2).join('\n')

export const secrets = {password, token, deviceToken, serverKey, 'a line of the key': keyLines, 'the .p12': p12}
export const finder = new Finder(secrets)

const inputs = {
  'push.p12': p12,
  password: `${password}\n`,
  'device-token': deviceToken,
  'server-key': serverKey,
  'AuthKey_KEY7654321.p8': pem,
}
for (const [name, content] of Object.entries(inputs)) workshop.file(name, content)

/** A home whose environment names the service, the token and the folder of the secrets, which is elsewhere. */
export function placeWith(url: string, env: Readonly<Record<string, string>> = {}): Place {
  return freshPlace({
    ROOMCTL_PUSH_URL: url,
    ROOMCTL_PUSH_TOKEN: token,
    ROOMCTL_APPLICATION_ID: 'app-1',
    ROOMCTL_RETRIES: '0',
    ROOMCTL_TIMEOUT: '5s',
    IN: workshop.folder,
    ...env,
  })
}

const ids = '--bundle-id com.example.rooms --team-id TEAM123456'
const text = '--title Hello --body World'

/** The lines of the topic, by what they do. `$IN` is the folder of the secrets. */
export const lines = {
  register: 'register ann --type ANDROID < "$IN/device-token"',
  send: `send ann ben ${text} --data k=v`,
  broadcast: `broadcast ${text} --at +2h --confirm app-1`,
  modify: `modify u-1 ${text} --dispatch IMMEDIATE`,
  cancel: 'cancel u-1 --yes',
  cancelTwo: 'cancel u-1 u-2 --yes',
  iosKey: `ios-key "$IN/AuthKey_KEY7654321.p8" ${ids} --confirm app-1`,
  iosCert: 'ios-cert "$IN/push.p12" --password-file "$IN/password" --confirm app-1',
  android: 'android --package com.example.rooms --server-key-stdin --confirm app-1 < "$IN/server-key"',
  inspectCert: 'inspect "$IN/push.p12" --password-stdin < "$IN/password"',
  inspectKey: 'inspect "$IN/AuthKey_KEY7654321.p8"',
  show: 'show --expires-within 30d',
  records: 'records',
}

/** Runs lines one after the other, each with what is added to its flags. */
export function runAll(
  place: Place,
  some: readonly string[],
  added: string,
  env: Record<string, string> = {},
): Promise<Ran> {
  const script = some.map((line) => `roomctl push ${line.replace(/(?= <|$)/, ` ${added}`)}`).join('; ')
  return shell(place, script, {env})
}

export function expectNone({stdout, stderr}: Pick<Ran, 'stdout' | 'stderr'>): void {
  expect(finder.find(stdout), 'stdout').toEqual([])
  expect(finder.find(stderr), 'stderr').toEqual([])
}

/** No file that was left behind holds a secret. */
export function expectNoneBelow({dir}: Place): void {
  const files = readdirSync(dir, {recursive: true, withFileTypes: true}).filter((entry) => entry.isFile())
  for (const {parentPath, name} of files) {
    expect(finder.find(readFileSync(path.join(parentPath, name), 'latin1')), name).toEqual([])
  }
}
