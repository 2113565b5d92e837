import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {TestCredentials} from '../../scripts/testCredentials.js'
import type {OperationId} from '../../src/api/contract/operations.js'

/** The routes of the credentials, as they are built in: no credential is sent to one that nobody has set. */
export const credentialRoutes = {
  ROOMCTL_ROUTE_PUSH_IOS_KEY: 'POST /v1/config/ios/key',
  ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE: 'POST /v1/config/ios/certificate',
  ROOMCTL_ROUTE_PUSH_ANDROID: 'POST /v1/config/android',
} as const

/** The application that the push commands, and the settings of an application, are about, and the routes of its credentials. */
export const lineEnvironment = {ROOMCTL_APPLICATION_ID: 'app-1', ...credentialRoutes} as const

/** The secrets that the files of the lines hold. */
export const lineSecrets = {
  deviceToken: 'device-token-of-ann',
  password: 'pässword &=',
  serverKey: `AAAA${'k'.repeat(7)}:${'v'.repeat(140)}`,
} as const

/** A command line for every operation, which the demonstration rooms let succeed: the type asks for a row for each. */
export type Lines = Readonly<Record<OperationId, string>>

/** The lines, with the files that they name written to `folder`. */
export function linesIn(folder: string): Lines {
  const written = (name: string, content: string | Buffer) => {
    const file = path.join(folder, name)
    writeFileSync(file, content, {mode: 0o600})
    return file
  }
  const workshop = new TestCredentials()
  const bundle = written('level2.bundle', 'the second level')
  const deviceToken = written('token.txt', `${lineSecrets.deviceToken}\n`)
  const password = written('password.txt', `${lineSecrets.password}\n`)
  const serverKey = written('server-key.txt', `${lineSecrets.serverKey}\n`)
  const apnsKey = written('AuthKey_KEY7654321.p8', workshop.key('apns', 'P-256'))
  const certificate = written('push.p12', workshop.p12({password: lineSecrets.password}))
  const upload = `asset upload games/puzzle ${bundle} --platform ios --description New`
  return {
    'room.create': 'room create Standup --created-by ann',
    'room.list': 'room list',
    'room.get': 'room show r-standup',
    'room.update': 'room update r-standup --max 50',
    'room.adminUpdate': 'room update r-standup --admin --application-id app-1 --name Daily',
    'room.delete': 'room delete r-townhall --yes',
    'room.end': 'room end r-standup --yes',
    'room.presenter': 'room presenter r-standup ben',
    'room.delegate': 'room delegate r-standup ben',
    'room.send': 'room send r-standup hello --from ann',
    'attendee.list': 'attendee list r-standup',
    'attendee.add': 'attendee add r-standup carl',
    'attendee.token': 'attendee token r-standup ben',
    'attendee.block': 'attendee block r-standup ben --yes',
    'attendee.restore': 'attendee restore r-standup dora',
    'record.start': 'record start r-standup',
    'record.stop': 'record stop r-support',
    'record.list': 'record list r-retro',
    'appConfig.create': 'config app create --application-id app-1 --max 50',
    'appConfig.update': 'config app update --application-id app-1 --max 50',
    'asset.list': 'asset list games',
    'asset.info': 'asset info games',
    'asset.create': 'asset create games/chess --description Chess',
    'asset.describe': 'asset describe games Played',
    'asset.options': 'asset info games --methods',
    'asset.head': 'asset info games --methods',
    'asset.upload': upload,
    'asset.patch': upload,
    'asset.get': 'asset show games/puzzle/a-level1 --view link',
    'asset.meta': 'asset show games/puzzle/a-level1 --view meta',
    'asset.catalog': 'asset show games/puzzle/a-level1 --view catalog',
    'asset.bytes': 'asset show games/puzzle/a-level1 --view asset',
    'push.register': `push register ann --type ANDROID --token-file ${deviceToken}`,
    'push.send': 'push send ann --title Hello --body All',
    'push.modify': 'push modify 0f8fad5b-d9cb-469f-a165-70867728950e --title Later --body Wait --to ANDROID --at +3h',
    'push.broadcast': 'push broadcast --title Hello --body All --confirm app-1',
    'push.cancel': 'push cancel 0f8fad5b-d9cb-469f-a165-70867728950e --yes',
    'push.iosKey': `push ios ${apnsKey} --bundle-id com.example.rooms --team-id TEAM654321 --confirm app-1`,
    'push.iosCertificate': `push ios ${certificate} --bundle-id com.example.rooms --password-file ${password} --confirm app-1`,
    'push.android': `push android --package com.example.rooms --server-key-file ${serverKey} --legacy --confirm app-1`,
    'push.show': 'push show',
    'push.records': 'push records',
  }
}
