import {describe, expect, test} from 'vitest'
import {TestCredentials} from '../../../scripts/testCredentials.js'
import {cli} from '../../support/cli.js'

const workshop = new TestCredentials()
const pem = workshop.key('apns', 'P-256')
const file = workshop.file('AuthKey_KEY7654321.p8', pem)
const ids = {'--application-id': 'app-1', '--bundle-id': 'com.example.rooms', '--team-id': 'TEAM123456'}

function line(path: string, changed: Readonly<Record<string, string>> = {}, ...more: string[]): string[] {
  return ['push', 'ios', path, ...Object.entries({...ids, ...changed}).flat(), ...more]
}

describe('a file that cannot work is refused before anything is sent', () => {
  const kinds: [string, string | Buffer, string][] = [
    ['an RSA key', workshop.key('rsa'), 'its key is an RSA key'],
    ['a service account', '{"type": "service_account", "private_key": "x"}', 'the JSON of a service account'],
    ['nothing', '', 'it is empty'],
  ]

  test.each(kinds)('%s', async (_, content, words) => {
    const wrong = workshop.file('AuthKey_KEY1111111.p8', content)
    const ran = await cli(line(wrong, {}, '--confirm', 'app-1'))
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: cannot register the iOS credential of application app-1: ${wrong}: `)
    expect(ran.stderr).toContain(words)
  })

  test('with everything that is wrong with it', async () => {
    const wrong = workshop.file('AuthKey_TEAM123456.p8', workshop.key('p384', 'P-384'))
    const ran = await cli(line(wrong))
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(ran.stderr).toContain(`${wrong}: its key is an EC key on P-384`)
    expect(ran.stderr).toMatch(/\n {2}why: and other problems: the file name says that TEAM123456 .* swapped\n/)
  })

  test('also for --dry-run, and as an object for programs', async () => {
    const wrong = workshop.file('AuthKey_KEY1111111.p8', workshop.key('rsa'))
    const ran = await cli(line(wrong, {}, '--dry-run', '-o', 'json'))
    expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
    expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'not-ec', outcome: 'none', exit_code: 14})
  })

  test('or is not there, or too large', async () => {
    const large = workshop.file('large.p8', Buffer.alloc(1024 * 1024 + 1, 'a'))
    for (const path of [large, '/nowhere/AuthKey_KEY7654321.p8', workshop.folder]) {
      const ran = await cli(line(path))
      expect(ran).toMatchObject({exit: 14, stdout: '', sent: []})
      expect(ran.stderr).toContain(`error: cannot read ${path}\n  why: `)
    }
  })
})

describe('an id of the wrong form is refused before the file is read', () => {
  test.each([
    ['--team-id', 'TEAM12345', 'it is not a team id: ten characters, A to Z and 0 to 9'],
    ['--team-id', 'team123456', 'TEAM123456 would be one'],
    ['--key-id', 'KEY12345678', 'it is not a key id'],
    ['--bundle-id', 'com.example.*', 'it is not a bundle id'],
    ['--bundle-id', 'com example', 'it is not a bundle id'],
  ])('%s %s', async (flag, value, said) => {
    for (const words of [line('/nowhere', {[flag]: value}), ['push', 'inspect', '/nowhere', flag, value]]) {
      const ran = await cli(words)
      expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
      expect(ran.stderr).toContain(said)
    }
  })

  test.each(['--team-id', '--bundle-id'])('or is missing: %s', async (flag) => {
    const words = line(file)
    words.splice(words.indexOf(flag), 2)
    const ran = await cli(words)
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(flag.slice(2))
  })
})
