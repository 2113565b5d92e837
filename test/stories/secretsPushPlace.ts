import {expect} from 'vitest'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {Finder} from '../canary/finder.js'
import {credentialRoutes} from '../support/credentialRoutes.js'
import {keptBelow} from '../support/kept.js'
import {freshPlace, type Place, type Ran} from './place.js'

const workshop = new TestCredentials()

/** Every coding spells them otherwise. */
const password = `p4ssw0rd+/of=the&"certi'ficate\\ 한글 ~1`
export const token = 'c4nary+/tok=5f2c9d~1e7b"q'
export const deviceToken = `d3v1ce_of-ann:APA91bH+/="${'Tq7zK2'.repeat(20)}`
export const serverKey = `AAAAcnry1-2:APA91b${'s3rvK_y-W9'.repeat(14).slice(0, 134)}`
const pem = workshop.key('apns', 'P-256')
const p12 = workshop.p12({password})

/** The lines of a key after its first, whose beginning is the same for every key. */
const keyLines = pem.split('\n').slice(2, -2).join('\n')

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
    ...credentialRoutes,
    ROOMCTL_PUSH_TOKEN: token,
    ROOMCTL_APPLICATION_ID: 'app-1',
    ROOMCTL_RETRIES: '0',
    ROOMCTL_TIMEOUT: '5s',
    IN: workshop.folder,
    ...env,
  })
}

export function expectNone({stdout, stderr}: Pick<Ran, 'stdout' | 'stderr'>): void {
  expect(finder.find(stdout), 'stdout').toEqual([])
  expect(finder.find(stderr), 'stderr').toEqual([])
}

/** No file that was left behind holds a secret. */
export function expectNoneBelow({dir}: Place): void {
  for (const {name, text} of keptBelow(dir)) expect(finder.find(text), name).toEqual([])
}
