import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {changeOf} from '../../support/operations.js'

const secret = 's3cr3t-value'
const app = '--application-id app-1'

test.each([
  ['push sned ann', 'unknown command "push sned"', 'roomctl push send'],
  ['push brodcast', 'unknown command "push brodcast"', 'roomctl push broadcast'],
  ['push register --type IOS', 'USER is missing', 'see: roomctl push register --help'],
  ['push register ann', '--type is missing', 'see: roomctl push register --help'],
  ['push register ann --type andriod', '--type takes ANDROID or IOS, not andriod', '--type android'],
  ['push send ann --title T', '--body is missing', 'see: roomctl push send --help'],
  ['push send ann', '--title and --body are missing', 'see: roomctl push send --help'],
  ['push send --title T --body B', 'USER is missing', ''],
  ['push send ann --title T --body B --batch 0', '--batch', ''],
  ['push send ann --title T --body B --data room', '--data', ''],
  [
    `push broadcast --title T --body B ${app} --to ANDORID`,
    '--to takes ANDROID, IOS or ALL, not ANDORID',
    '--to android',
  ],
  [`push broadcast --title T --body B ${app} --dispatch later`, '--dispatch takes', ''],
  ['push ios --bundle-id a.b --team-id ABCDE12345 --key-id ABCDE12345', 'FILE is missing', '--no-file'],
  ['push ios-cert', 'FILE is missing', 'name the .p8 or .p12 file'],
  [`push android ${app}`, '--package is missing', 'see: roomctl push android --help'],
  [`push android ${app} --package rooms --server-key-stdin`, '--package', ''],
  [`push cancel ${app} --yes`, 'UUID is missing', ''],
  [`push modify ${app} --title T --body B --to ANDROID --dispatch immediate`, 'UUID is missing', ''],
  [`push modify u-1 ${app} --to ANDROID --dispatch immediate`, '--title and --body are missing', ''],
  ['push inspect', 'FILE is missing', 'see: roomctl push inspect --help'],
  ['config set push.authSheme none -p live', 'unknown setting "push.authSheme"', 'did you mean push.authScheme?'],
  ['config route list push.cancle', 'unknown operation push.cancle', 'did you mean push.cancel?'],
  ['explain 403 --operation push.cancle', 'unknown operation push.cancle', '--operation push.cancel'],
])('a line about pushes that cannot be understood: %s', async (line, message, advice) => {
  const ran = await cli(line)
  expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
  const lines = ran.stderr.trimEnd().split('\n')
  expect(lines[0]).toMatch(/^error: /)
  expect(lines[0]).toContain(message)
  expect(lines.at(-1)).toContain(advice)
  expect(await cli([...line.split(' '), '-o', 'json'])).toMatchObject({exit: 2, stdout: ''})
})

test('a push that names no application says how to name one', async () => {
  const show = await cli('push show')
  expect(show).toMatchObject({exit: 3, stdout: '', sent: []})
  expect(show.stderr).toContain('try: add --application-id, or set ROOMCTL_APPLICATION_ID\n')
  for (const line of ['push broadcast --title T --body B --confirm x', 'push cancel q-1 --yes']) {
    expect(await cli(line)).toMatchObject({exit: 3, stdout: '', sent: []})
  }
  const env = {ROOMCTL_APPLICATION_ID: 'app-1'}
  expect((await cli('push show', {env})).sent.map(({path}) => path)).toEqual(['/push/v1/config?application_id=app-1'])
})

test('a secret on the command line is reported where its command takes it from', async () => {
  const cases = [
    ['push ios push.p12 --password x', '--password-stdin or --password-file'],
    ['push android --package com.example --server-key x', '--server-key-stdin or --server-key-file'],
    ['push register ann --type IOS --token x', '--token-file'],
    ['config login push --token x', '--token-file or --token-command'],
  ] as const
  for (const [line, way] of cases) {
    const ran = await cli(line)
    expect(ran.stderr).toContain('why: secrets are not accepted as arguments: other users can see them\n')
    expect(ran.stderr).toContain(`try: use ${way}, or none, to be asked without echo\n`)
  }
})

test('a possible secret of a push in the wrong place is not repeated, wherever it is', () =>
  everyCase(
    [
      ['push', 'register', 'ann', secret, '--type', 'ANDROID'],
      ['push', 'register', 'ann', '--type', secret],
      ['push', 'register', 'ann', '--type', 'IOS', '--token', secret],
      ['push', 'register', 'ann', '--type', 'IOS', `--token=${secret}`],
      ['push', 'android', '--package', 'com.example', '--server-key', secret],
      ['push', 'android', '--package', 'com.example', secret],
      ['push', 'ios', 'push.p12', '--password', secret],
      ['push', 'ios', 'push.p12', secret],
      ['push', 'ios', 'push.p12', '-p12', secret],
      ['push', 'ios', 'AuthKey_KEY1234567.p8', secret],
      ['push', 'inspect', 'push.p12', '--password', secret],
      ['push', 'show', secret],
      ['config', 'set', 'push.authScheme', `Bearer ${secret}`],
      ['config', 'set', 'push.token', secret],
      ['config', 'set', 'push.url', `https://user:${secret}@push.example`],
      ['config', 'login', 'push', secret],
    ],
    async (...words) => {
      for (const more of [[], ['-o', 'json']]) {
        const ran = await cli([...words, ...more], {env: {ROOMCTL_PROFILE: 'default'}})
        expect(ran.exit).not.toBe(0)
        expect(ran.sent).toEqual([])
        expect(ran.stdout + ran.stderr).not.toContain(secret)
      }
    },
  ))

describe('ids of pushes', () => {
  const {line: register} = changeOf('push.register')
  const modified = (id: string) => [
    ...['push', 'modify', id, '--title', 'T', '--body', 'B', '--to', 'ANDROID'],
    ...['--dispatch', 'immediate', '--application-id', 'app-1'],
  ]

  test.each(['', ' '])('%j names no user, no application and no request', async (id) => {
    for (const line of [
      register.map((word) => (word === 'zoe' ? id : word)),
      ['push', 'send', id, '--title', 'T', '--body', 'B'],
      ['push', 'send', 'ann', id, '--title', 'T', '--body', 'B'],
      ['push', 'cancel', id, '--application-id', 'app-1', '--yes'],
      modified(id),
      ['push', 'show', '--application-id', id],
    ]) {
      expect([line, await cli(line)]).toMatchObject([line, {exit: 2, stdout: '', sent: []}])
    }
  })

  test.each(['a\nb', '\u001b[2J', '\ud800'])('%j names no application, and cannot be in an address', async (id) => {
    expect(await cli(['push', 'show', '--application-id', id])).toMatchObject({exit: 2, stdout: '', sent: []})
    const ran = await cli(modified(id))
    expect([2, 8]).toContain(ran.exit)
  })

  test.each([
    ['a&b=c', 'a%26b%3Dc'],
    ['a b+c', 'a%20b%2Bc'],
    ['a/../b?#', 'a%2F..%2Fb%3F%23'],
    ['앱', '%EC%95%B1'],
    ['%2e', '%252e'],
    ['..', '..'],
    ["it's", 'it%27s'],
  ])('%s stands in the query as %s', async (id, encoded) => {
    const ran = await cli(['push', 'show', '--application-id', id])
    expect(ran.sent.map(({path}) => path)).toEqual([`/push/v1/config?application_id=${encoded}`])
  })
})
