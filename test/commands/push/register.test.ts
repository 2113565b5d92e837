import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, demoStore, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {terminal} from '../answers.js'

/** 163 characters, as Firebase gives them. */
const android = `cXk3Zt0fQ9mP5egoKMwt2K:APA91b${'Hun4MxP5egoKMwt2KZFBaFUH-_'.repeat(6).slice(0, 134)}`.slice(0, 163)
const ios = '740f4707bebcf74f9b7c25d48e3358945f6aa01da5ddb387462c7eaf61bb78ad'

const register = (type: string, ...words: string[]) => ['push', 'register', 'ann', '--type', type, ...words]

function fileOf(content: string): string {
  const file = join(freshHome(), 'token.txt')
  writeFileSync(file, content, {mode: 0o600})
  return file
}

describe('a device token', () => {
  test('comes from a file, from stdin by its name, or from a hidden prompt', async () => {
    const body = {user_id: 'ann', push_type: 'IOS', push_token: ios}
    const filed = await cli(register('IOS', '--token-file', fileOf(`${ios}\r\n`)))
    expect(filed).toMatchObject({exit: 0, stderr: '', sent: [{body}]})
    expect((await cli(register('IOS', '--token-file', '-'), {stdin: ios})).sent).toMatchObject([{body}])
    const typed = await cli(register('IOS'), terminal(80, ios))
    expect(typed).toMatchObject({exit: 0, asked: ['Device token (IOS) on sandbox (built in):'], sent: [{body}]})
    expect(typed.stdout).toBe('registered ann’s iOS device\n')
  })

  test('of a user unknown to the service creates the user, as the dry run says', async () => {
    const planned = await cli(['push', 'register', 'zoe', '--type', 'ANDROID', '--dry-run'], {stdin: android})
    expect(planned).toMatchObject({exit: 0, sent: []})
    expect(planned.stdout).toContain('zoe is created if the service does not know the user yet\n')
    const store = await demoStore()
    const send = ['push', 'send', 'zoe', '--title', 'Hello', '--body', 'All']
    expect((await cli(send, {store})).exit).toBe(11)
    expect((await cli(['push', 'register', 'zoe', '--type', 'ANDROID'], {store, stdin: android})).exit).toBe(0)
    expect((await cli(send, {store})).exit).toBe(0)
  })
})

describe('a device token is refused before anything is sent', () => {
  test.each([
    ['that holds spaces', '740f4707 bebcf74f', 'the device token contains white space; nothing was sent'],
    ['that holds a tab', 'abc\tdef', 'the device token contains white space; nothing was sent'],
    ['that ends with a space', `${ios} \n`, 'the device token contains white space; nothing was sent'],
    ['that is empty', '\n', 'the device token is empty'],
    [
      'as iOS 13 describes it',
      '{length = 32, bytes = 0xa1d1 ... f00c}',
      'the device token contains white space; nothing was sent',
    ],
    ['that is two lines', 'abcdef\nghijkl\n', 'the device token is not one line of text'],
  ])('%s', async (_, stdin, message) => {
    const ran = await cli(register('IOS'), {stdin})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: ${message}\n`)
    expect(await cli(register('IOS', '--token-file', fileOf(stdin)))).toMatchObject({exit: 14, stdout: '', sent: []})
  })

  test('without a type, of another type, without a user, or without a terminal for it', async () => {
    const lines = [['ann'], ['ann', '--type', 'WEB'], ['', '--type', 'IOS']]
    for (const words of lines) {
      expect(await cli(['push', 'register', ...words], {stdin: ios})).toMatchObject({exit: 2, stdout: '', sent: []})
    }
    const silent = await cli(register('IOS', '--no-input'), terminal(80))
    expect(silent).toMatchObject({exit: 2, asked: [], sent: []})
    expect(silent.stderr).toContain('  try: pipe it into stdin, or name a file with --token-file\n')
  })
})

test('a device token that looks wrong is sent with a note, which does not repeat it', () => {
  const pairs = (ios.match(/../gu) ?? []).join('-')
  return everyCase(
    [
      ['IOS', `<${ios}>`, 'contains < or >'],
      ['ANDROID', `"${android}"`, 'is in quotes'],
      ['ANDROID', ios.toUpperCase(), '64 hexadecimal digits, which look like an iOS token'],
      ['IOS', android, 'looks like a Firebase token'],
      ['IOS', Buffer.from(ios, 'hex').toString('base64'), 'looks like base64'],
      ['IOS', `${ios}\u200b`, 'other than printable ASCII'],
      ['ANDROID', 'ExponentPushToken[0J23tlOl6Qz92gG9SM4ceI]', 'is of Expo'],
      ['IOS', 'ExpoPushToken[0J23tlOl6Qz92gG9SM4ceI]', 'is of Expo'],
      ['ANDROID', '{"endpoint":"https://push.example/send/abc","keys":{}}', 'Web Push'],
      ['ANDROID', 'https://push.example/send/abc', 'Web Push'],
      ['IOS', '{length=32,bytes=0xa1d123466cc7...65c51eb57176f00c}', 'a description of its bytes'],
      ['ANDROID', 'undefined', 'the variable had no token'],
      ['IOS', '<null>', 'the variable had no token'],
      ['ANDROID', 'Optional("abc")', 'the variable had no token'],
      ['ANDROID', `{${android}}`, 'braces'],
      ['IOS', pairs.toUpperCase(), 'dashes or colons'],
      ['ANDROID', '0f8fad5b-d9cb-469f-a165-70867728950e', 'dashes or colons'],
      ['IOS', ios.slice(1), 'an odd number of hexadecimal digits'],
      ['IOS', ios.slice(2), 'fewer than the 64'],
    ],
    async (type, token, doubt) => {
      const ran = await cli(register(type), {stdin: token})
      expect(ran).toMatchObject({exit: 0, sent: [{body: {push_type: type, push_token: token}}]})
      expect(ran.stderr).toMatch(/^note: .*\n$/)
      expect(ran.stderr).toContain(doubt)
      expect(ran.stderr).not.toContain(token)
    },
  )
})
