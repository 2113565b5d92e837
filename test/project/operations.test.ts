import {execFileSync} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import type {Operation} from '../../src/contract/operation.js'
import {type OperationId, operations} from '../../src/contract/operations.js'
import {matchRoute} from '../../src/http/route.js'
import {cli, demoStore, freshHome} from '../support/cli.js'

/** A file to upload. */
const home = freshHome()
const bundle = written('level2.bundle', 'the second level')

const deviceToken = written('token.txt', 'device-token-of-ann\n')
const password = written('password.txt', 'pässword &=\n')
const serverKey = written('server-key.txt', `AAAA${'k'.repeat(7)}:${'v'.repeat(140)}\n`)
const apnsKey = join(home, 'AuthKey_KEY7654321.p8')
const certificate = join(home, 'push.p12')

beforeAll(() => {
  openssl('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', join(home, 'ec.pem'))
  openssl('pkcs8', '-topk8', '-nocrypt', '-in', join(home, 'ec.pem'), '-out', apnsKey)
  const subject = '/UID=com.example.rooms/CN=Apple Push Services: com.example.rooms/OU=TEAM654321/O=Example/C=KR'
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout', join(home, 'key.pem')]
  openssl('req', '-x509', ...key, '-out', join(home, 'cert.pem'), '-days', '90', '-subj', subject)
  const parts = ['-inkey', join(home, 'key.pem'), '-in', join(home, 'cert.pem'), '-out', certificate]
  openssl('pkcs12', '-export', ...parts, '-passout', 'pass:pässword &=')
})

/** A command line for every operation: the type asks for a row for each. */
const lines: Readonly<Record<OperationId, string>> = {
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
  'asset.options': 'asset methods games',
  'asset.head': 'asset methods games',
  'asset.upload': `asset upload games/puzzle ${bundle} --platform ios --description New`,
  'asset.patch': `asset upload games/puzzle ${bundle} --platform ios --description New`,
  'asset.get': 'asset show games/puzzle/a-level1 --view link',
  'asset.meta': 'asset show games/puzzle/a-level1 --view meta',
  'asset.catalog': 'asset show games/puzzle/a-level1 --view catalog',
  'asset.bytes': 'asset show games/puzzle/a-level1 --view asset',
  'push.register': `push register ann --type ANDROID --token-file ${deviceToken}`,
  'push.send': 'push send ann --title Hello --body All',
  'push.modify': 'push modify 0f8fad5b-d9cb-469f-a165-70867728950e --title Later --body Wait --at +3h',
  'push.broadcast': 'push broadcast --title Hello --body All --confirm app-1',
  'push.cancel': 'push cancel 0f8fad5b-d9cb-469f-a165-70867728950e --yes',
  'push.iosKey': `push ios-key ${apnsKey} --bundle-id com.example.rooms --team-id TEAM654321 --confirm app-1`,
  'push.iosCertificate': `push ios-cert ${certificate} --bundle-id com.example.rooms --password-file ${password} --confirm app-1`,
  'push.android': `push android --package com.example.rooms --server-key-file ${serverKey} --confirm app-1`,
  'push.show': 'push show',
  'push.records': 'push records',
}

/** The application that every push command is about. */
const env = {ROOMCTL_APPLICATION_ID: 'app-1'}

describe('every operation of the contract', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))(
    '%s has a command that calls it, and the sandbox carries it out',
    async (id, operation: Operation) => {
      const {method, route, deep, query} = operation
      const store = await demoStore()
      if (id === 'appConfig.update') await cli(lines['appConfig.create'], {store, env})
      const {exit, stderr, sent} = await cli(lines[id], {store, env})
      expect({exit, stderr: stderr.includes('error')}).toEqual({exit: 0, stderr: false})
      const urls = sent
        .filter((one) => one.method === method)
        .map(({path}) => new URL(path, 'http://sandbox.localhost'))
      const fits = ({pathname, searchParams}: URL) =>
        matchRoute(route, pathname.replace(/^\/(?:media|asset|push)/u, ''), deep) !== undefined &&
        query.safeParse(Object.fromEntries(searchParams)).success
      expect(urls.some(fits)).toBe(true)
    },
  )
})

function written(name: string, text: string): string {
  const file = join(home, name)
  writeFileSync(file, text)
  return file
}

function openssl(...words: string[]): void {
  execFileSync('openssl', words, {stdio: 'pipe'})
}
