import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'

const line = ['push', 'send', 'ann', '--title', 'Hello', '--body', 'We begin']

/** The data that was sent. */
async function dataOf(words: readonly string[], stdin?: string): Promise<unknown> {
  const {exit, stderr, sent} = await cli([...line, ...words], stdin === undefined ? {} : {stdin})
  expect({exit, stderr}).toEqual({exit: 0, stderr: ''})
  const [body] = sent.map((request) => request.body as {data?: unknown})
  return body?.data
}

function fileOf(content: string | Uint8Array): string {
  const file = join(freshHome(), 'data.json')
  writeFileSync(file, content)
  return file
}

describe('the data of a push', () => {
  test('is left out where none is given, and may be an object without members', async () => {
    expect(await dataOf([])).toBeUndefined()
    expect(await dataOf(['--data-json', '{}'])).toEqual({})
  })

  test('has texts from --data, whatever they look like', async () => {
    const words = [
      '--data',
      'count=7',
      '--data',
      'empty=',
      '--data',
      'url=https://a.example/?b=c',
      '--data',
      '방=회의실',
    ]
    expect(await dataOf(words)).toEqual({count: '7', empty: '', url: 'https://a.example/?b=c', 방: '회의실'})
  })

  test('is JSON from the line, a file or stdin, and keeps its values', async () => {
    const json = '{"n": 9007199254740991, "f": 1.5e3, "deep": {"constructor": [true, null, "a\\"}{:"]}}'
    const wanted = {n: 9007199254740991, f: 1500, deep: {constructor: [true, null, 'a"}{:']}}
    expect(await dataOf(['--data-json', ` ${json}`])).toEqual(wanted)
    expect(await dataOf(['--data-json', fileOf(`\ufeff${json}\n`)])).toEqual(wanted)
    expect(await dataOf(['--data-json', '-'], json)).toEqual(wanted)
  })

  test('has whole numbers by their digits, however many', async () => {
    const ran = await cli([...line, '--data-json', '{"id": 9007199254740993}', '--dry-run', '-o', 'json'])
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toMatch(/"id": 9007199254740993\n/u)
  })

  test('keeps a member __proto__', async () => {
    const ran = await cli([...line, '--data-json', '{"__proto__":{"a":1}}', '--dry-run', '-o', 'json'])
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout.replaceAll(/\s/gu, '')).toContain('"data":{"__proto__":{"a":1}}')
  })

  test('is put together from both', async () => {
    expect(await dataOf(['--data-json', '{"a":1}', '--data', 'b=2'])).toEqual({a: 1, b: '2'})
  })
})

describe('data is refused before anything is sent', () => {
  test.each<readonly [string, readonly string[], string]>([
    ['that is a list', ['--data-json', '[1]'], 'the data from --data-json is not a JSON object'],
    ['that is no JSON', ['--data-json', '{secret-7f: 1}'], 'the data from --data-json is not JSON; nothing was sent'],
    ['without a name', ['--data', '=secret-7f'], '--data takes NAME=VALUE'],
    ['that names something twice', ['--data', 'a=1', '--data', 'a=2'], 'the data contains the name a twice'],
    ['whose two sources overlap', ['--data', 'a=1', '--data-json', '{"a":2}'], 'the data contains the name a twice'],
    ['whose number is beyond all', ['--data-json', '{"a":[{"id":-1e999}]}'], 'contains a number that is too large'],
  ])('%s', async (_, words, message) => {
    const ran = await cli([...line, ...words])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(message)
    expect(ran.stderr).not.toContain('secret-7f')
  })

  test('whose file is not there, a folder or no text', async () => {
    const files = ['/no/such/file', freshHome(), fileOf(Buffer.from([0x7b, 0xff]))]
    for (const file of files) {
      const ran = await cli([...line, '--data-json', file])
      expect(ran).toMatchObject({exit: 14, sent: []})
      expect(ran.stderr).toContain(`error: cannot read ${file}`)
    }
  })

  test('but not for the same name in two objects', async () => {
    expect(await dataOf(['--data-json', '{"a":{"a":1},"b":[{"a":1},{"a":2}]}'])).toEqual({
      a: {a: 1},
      b: [{a: 1}, {a: 2}],
    })
  })
})

test('what FCM refuses is sent with a note, since the document allows it', () => {
  const reserved = 'for itself, and may refuse data of that name'
  const long = 'x'.repeat(4100)
  return everyCase(
    [
      [['--data', 'from=x'], `FCM keeps from ${reserved}`],
      [['--data', 'google.x=1', '--data-json', '{"gcm.y": {}}'], `FCM keeps gcm.y, google.x ${reserved}`],
      [['--data', 'message_type=x', '--data', 'fromage=x'], `FCM keeps message_type ${reserved}`],
      [['--data', 'collapse_key=x'], `FCM keeps collapse_key ${reserved}`],
      [['--data', `k=${long}`], 'title, body and data have 4114 bytes together, and FCM takes at most 4096'],
      [['--data-json', `{"k":["${long}"]}`], 'title, body and data have 4118 bytes together'],
      [['--body', long], 'title, body and data have 4105 bytes together'],
    ] as const,
    async (words, note) => {
      const ran = await cli([...line.slice(0, words[0] === '--body' ? 5 : undefined), ...words])
      expect(ran).toMatchObject({exit: 0, sent: [{}], stderr: expect.stringContaining(`note: ${note}`)})
    },
  )
})

test('4,096 bytes, and names that only begin like those of FCM, need no note', () =>
  // 34 bytes are title, body, names and the other values.
  dataOf(['--data', 'googled=1', '--data', 'sender.from=x', '--data', `k=${'x'.repeat(4096 - 34)}`]))
