import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'

const status = async (data: string) =>
  JSON.parse((await cli(['sandbox', 'status', '--data', data, '-o', 'json'])).stdout)

test('begins with nothing, or with the demonstration rooms', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  expect(await cli(['sandbox', 'reset', '--data', data])).toMatchObject({
    exit: 0,
    stdout: 'sandbox reset: 0 rooms\n',
  })
  expect((await status(data)).rooms).toEqual([])
  expect((await cli(['sandbox', 'reset', '--data', data, '--seed', 'demo'])).stdout).toBe('sandbox reset: 13 rooms\n')
})

test('removes what was uploaded', async () => {
  const data = freshHome()
  const left = join(data, 'files', 'an-upload')
  mkdirSync(join(data, 'files'))
  writeFileSync(left, 'bytes')
  await cli(['sandbox', 'reset', '--data', data])
  expect(existsSync(left)).toBe(false)
})

test('sets every choice, and forgets them with the next reset', async () => {
  const data = freshHome()
  const flags = [
    ['--delete-ended', 'refuse'],
    ['--delete-idle', 'refuse'],
    ['--host-leave', 'destroy'],
    ['--not-joinable', 'nobody'],
    ['--fail-status', '200'],
    ['--tenant'],
    ['--console', 'max_attendee_count=10'],
    ['--console', 'config_is_elect_host=false'],
    ['--fail', '503:10%'],
    ['--fail', 'CE100'],
    ['--latency', '200ms'],
    ['--container-path', 'parent'],
    ['--no-head'],
    ['--foreign-location'],
    ['--cut-after', '1MiB'],
    ['--stall'],
    ['--max-chunk', '65536'],
    ['--no-checksum'],
    ['--route', 'push.cancel=DELETE /v2/requests'],
    ['--route', 'push.show={"method":"GET","path":"/c","send":{"application_id":"header"}}'],
    ['--push-bodies', 'none'],
    ['--ios-key-file', 'required'],
    ['--joinable-by', 'host'],
    ['--equal-max', 'refuse'],
    ['--update-requester', 'user_id'],
    ['--method-headers', 'notes'],
    ['--minimal-create'],
    ['--meeting-status'],
    ['--lenient-tus'],
    ['--joinable-met', 'allow'],
    ['--push-all', 'refuse'],
  ].flat()
  const ran = await cli(['sandbox', 'reset', '--data', data, ...flags, '-o', 'json'])
  expect(ran.exit).toBe(0)
  const wanted = {
    deleteEnded: 'refuse',
    deleteIdle: 'refuse',
    hostLeave: 'destroy',
    joinableFalse: 'nobody',
    failStatus: '200',
    tenant: true,
    console: {config_max_attendee_count: 10, config_is_elect_host: false},
    fail: [
      {kind: 'status', status: 503, percent: 10},
      {kind: 'code', code: 'CE100', percent: 100},
    ],
    latencyMs: 200,
    containerPath: 'parent',
    noHead: true,
    foreignLocation: true,
    cutAfter: 1_048_576,
    stall: true,
    maxChunk: 65_536,
    noChecksum: true,
    routes: {
      'push.cancel': {method: 'DELETE', path: '/v2/requests'},
      'push.show': {method: 'GET', path: '/c', send: {application_id: 'header'}},
    },
    pushBodies: 'none',
    keyFile: 'required',
    joinableBy: 'host',
    joinableMet: 'allow',
    pushAll: 'refuse',
    equalMax: 'refuse',
    updateRequester: 'user_id',
    methodHeaders: 'notes',
    minimalCreate: true,
    meetingStatus: true,
    lenientTus: true,
  }
  expect(JSON.parse(ran.stdout)).toEqual({rooms: [], choices: wanted})
  expect((await status(data)).choices).toEqual(wanted)
  await cli(['sandbox', 'reset', '--data', data])
  expect((await status(data)).choices).toMatchObject({deleteEnded: 'allow', fail: [], tenant: false, routes: {}})
})

test('refuses wrong options and keeps what is there', () =>
  everyCase(
    [
      [['--fail', '200'], 'is not an HTTP status from 400 to 599'],
      [['--fail', '503:x'], 'is not an HTTP status'],
      [['--console', 'nonsense=1'], 'console options are NAME=VALUE'],
      [['--console', 'max_attendee_count=many'], 'console options are NAME=VALUE'],
      [['--latency', '200'], '--latency'],
      [['--delete-ended', 'maybe'], '--delete-ended takes allow or refuse'],
      [['--container-path', 'child'], '--container-path takes self or parent'],
      [['--cut-after', 'soon'], '--cut-after'],
      [['--max-chunk', '0'], '--max-chunk takes 1 or more'],
      [['--push-bodies', 'some'], '--push-bodies takes full or none'],
      [['--route', 'room.lst=GET /x'], "--route is ID='METHOD /path' with the id of an operation"],
      [['--joinable-by', 'nobody'], '--joinable-by takes creator or host'],
      [['--route', 'push.cancel=DELETE'], '--route push.cancel: a route is a method and a path'],
      [['--seed', 'prod'], '--seed takes demo'],
    ],
    async (flags, message) => {
      const data = freshHome()
      await cli(['sandbox', 'seed', '--data', data])
      const ran = await cli(['sandbox', 'reset', '--data', data, ...flags])
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain(message)
      expect((await status(data)).rooms).toHaveLength(13)
    },
  ))

describe('a route that no client would take', () => {
  const object = (id: string, route: object) => `${id}=${JSON.stringify(route)}`
  const show = {method: 'GET', path: '/c'}

  test('is none of the sandbox either where no client could call it, and nothing is reset', () =>
    everyCase(
      [
        [
          'push.cancel=DELETE /v2/{room_id}',
          'the path for push.cancel names {room_id}, which is not one of its parameters',
        ],
        ['push.cancel=DELETE /v2/{request_uuids}', 'the path for push.cancel names {request_uuids}, which is a list'],
        ['push.iosKey=POST /v2/{auth_key_file}', 'the path for push.iosKey names {auth_key_file}, which is a secret'],
        [
          'push.android=POST /v2/{fcm_server_key}',
          'the path for push.android names {fcm_server_key}, which is a secret',
        ],
        ['push.show=GET /a/{application_id}/{application_id}', 'names {application_id} twice'],
        [object('push.show', {...show, send: {app: 'header'}}), '"send" names app, which is no parameter of push.show'],
        [object('push.show', {...show, rename: {app: 'x'}}), '"rename" names app, which is no parameter of push.show'],
        [object('push.show', {...show, send: {application_id: 'body'}}), 'cannot be in the body of a GET request'],
        [
          object('push.show', {...show, send: {application_id: 'header'}, rename: {application_id: 'Host'}}),
          'cannot be in the header Host',
        ],
        [
          object('push.iosKey', {method: 'POST', path: '/k', send: {auth_key_file: 'body'}}),
          '"send" moves auth_key_file of push.iosKey, which is a file',
        ],
        [
          object('push.iosKey', {method: 'POST', path: '/k', send: {key_id: 'body'}}),
          'key_id of push.iosKey cannot be in a JSON body: the request has a form',
        ],
      ],
      async (text, message) => {
        const data = freshHome()
        await cli(['sandbox', 'seed', '--data', data])
        const ran = await cli(['sandbox', 'reset', '--data', data, '--route', text])
        expect(ran).toMatchObject({exit: 2, stdout: ''})
        expect(ran.stderr).toContain(message)
        expect((await status(data)).rooms).toHaveLength(13)
      },
    ))
})
