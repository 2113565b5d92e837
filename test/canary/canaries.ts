import {mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {Finder} from './finder.js'

const workshop = new TestCredentials()

/** The folder of input files with secrets, without outputs. */
export const inputs = workshop.folder

/** The tokens of the three services. Every coding spells them otherwise. */
export const tokens = {
  room: 'r00m-c4nary+/tok=5f2c9d~1e7b"q',
  asset: '4sset=zW8~pq/+c4n"Lx03kD-vY7',
  push: 'pu5h~~Hc/4n+3vb="9sTm1_Rz-Gd',
} as const

const password = `p4ssw0rd+/of=the&"certi'ficate\\ 한글 ~1`
const deviceToken = `d3v1ce_of-ann:APA91bH+/=${'Tq7zK2'.repeat(20)}`
const serverKey = `AAAAcnry1-2:APA91b${'s3rvK_y-W9'.repeat(14).slice(0, 134)}`
const pem = workshop.key('apns', 'P-256')
const p12 = workshop.p12({password})

/** The token that lets a user into a room: a JSON web token. */
const claims = Buffer.from(JSON.stringify({jti: 'Zq81_c4n4ry-xV0pW'})).toString('base64url')
const roomToken = `eyJhbGciOiJIUzI1NiJ9.${claims}.k3v_Qd8-c4naryS1gnatur3-Wm27x`

/** The lines of a key after its first, whose beginning is the same for every key. */
const keyLines = pem.split('\n').slice(2, -2).join('\n')

/** Everything that must be seen nowhere. */
export const canaries = {
  'token of room': tokens.room,
  'token of asset': tokens.asset,
  'token of push': tokens.push,
  'room token': roomToken.slice('eyJhbGciOiJIUzI1NiJ9.'.length),
  password,
  'device token': deviceToken,
  'server key': serverKey,
  'line of the key': keyLines,
  '.p12': p12,
} as const
export type CanaryName = keyof typeof canaries

export const finder = new Finder(canaries)

/** The names of an operation's `secrets`, each with its canary. */
export const secretValues: Readonly<Record<string, string | Uint8Array>> = {
  push_token: deviceToken,
  fcm_server_key: serverKey,
  apns_certificate_password: password,
  auth_key_file: Buffer.from(pem),
  certificate_file: p12,
  token: roomToken,
}

const files = {
  'push.p12': p12,
  password: `${password}\n`,
  'device-token': deviceToken,
  'server-key': `${serverKey}\n`,
  'AuthKey_KEY7654321.p8': pem,
  'register.json': JSON.stringify({user_id: 'ann', push_type: 'ANDROID', push_token: deviceToken}),
  'android.json': JSON.stringify({package_name: 'com.example.rooms', fcm_server_key: serverKey}),
  'room-login': tokens.room,
}
mkdirSync(inputs, {recursive: true})
for (const [name, content] of Object.entries(files)) writeFileSync(path.join(inputs, name), content, {mode: 0o600})
