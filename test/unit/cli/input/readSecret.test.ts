import {chmodSync, mkdirSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {PassThrough, Readable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {readSecret, type SecretSources} from '../../../../src/cli/input/readSecret.js'
import {Failure} from '../../../../src/failure.js'
import {Secrets} from '../../../../src/redaction/secrets.js'
import {freshFolder} from '../../../support/folder.js'

const folder = freshFolder()

function fileWith(content: string | Uint8Array, mode = 0o600): string {
  const file = path.join(folder, `secret-${Math.random().toString(36).slice(2)}`)
  writeFileSync(file, content)
  chmodSync(file, mode)
  return file
}

interface Place {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  /** What a user types at the terminal. */
  readonly typed?: string
  readonly isTTY?: boolean
}

function place({stdin, env = {}, typed, isTTY = typed !== undefined}: Place) {
  const secrets = new Secrets()
  const notes: string[] = []
  const asked: string[] = []
  const refuse = () => Promise.reject(new Error('another question was asked'))
  const secret = async (question: string) => {
    asked.push(question)
    return typed ?? refuse()
  }
  const stream = stdin === undefined ? new PassThrough() : Readable.from([Buffer.from(stdin)])
  // Only its bytes and whether it is a terminal are looked at.
  const input = Object.assign(stream, {isTTY}) as unknown as NodeJS.ReadStream
  const ask = {
    available: typed !== undefined,
    confirm: refuse,
    text: refuse,
    choose: refuse,
    chooseSeveral: refuse,
    secret,
  }
  const session = {
    runtime: {stdin: input, env, ask, platform: 'linux', signal: new AbortController().signal},
    mayAsk: typed !== undefined,
    secrets,
    warn: (text: string) => notes.push(text),
  }
  return {session, notes, asked, secrets}
}

const password: SecretSources = {
  what: 'password of the certificate',
  flag: 'password',
  env: 'ROOMCTL_P12_PASSWORD',
  prompt: 'Password of the certificate:',
}

async function failing(given: Partial<SecretSources>, where: Place = {}) {
  const end = await readSecret(place(where).session, {...password, ...given}).catch((error: unknown) => error)
  if (end instanceof Failure) return end
  throw new Error('a Failure was expected', {cause: end})
}

describe('a secret', () => {
  test.each([
    ['a plain word', 's3cret\n', 's3cret'],
    ['a Windows line end', 's3cret\r\n', 's3cret'],
    ['no line end', 's3cret', 's3cret'],
    ['spaces around it', '  s3 cret \n', '  s3 cret '],
    ['letters of Korea', '비밀번호\n', '비밀번호'],
  ])('comes from a file or stdin with %s, and is masked from then on', async (_, text, secret) => {
    for (const [given, where] of [
      [{file: fileWith(text)}, {}],
      [{stdin: true}, {stdin: text}],
      [{file: '-'}, {stdin: text}],
    ] as const) {
      const {session, notes, secrets} = place(where)
      expect(await readSecret(session, {...password, ...given})).toBe(secret)
      expect(secrets.mask(`it was ${secret}, there`)).toBe('it was ***, there')
      expect(notes).toEqual([])
    }
  })

  test('is asked for on a terminal, also where stdin was named and is the terminal', async () => {
    for (const given of [{}, {stdin: true}, {file: '-'}]) {
      const {session, asked} = place({typed: 's3cret'})
      expect(await readSecret(session, {...password, ...given})).toBe('s3cret')
      expect(asked).toEqual(['Password of the certificate:'])
    }
  })
})

describe('a secret is refused if it', () => {
  test.each(['two\nlines\n', 'one\n\n', 'a\rb', 'nul\0'])(
    'is several lines (%j), and is not repeated',
    async (text) => {
      const piped = (await failing({stdin: true}, {stdin: text})) as Failure
      expect(piped.facts).toMatchObject({
        exit: 'usage',
        message: 'the password of the certificate is not one line of text',
      })
      const file = fileWith(text)
      const {facts} = await failing({file})
      expect(facts).toMatchObject({
        exit: 'file',
        message: `the password of the certificate is not one line of text: ${file}`,
      })
    },
  )

  test('is empty, unless an empty one is allowed', async () => {
    const file = fileWith('\n')
    expect((await failing({file})).facts.exit).toBe('file')
    expect(((await failing({stdin: true}, {stdin: ''})) as Failure).facts.exit).toBe('usage')
    expect(((await failing({}, {typed: ''})) as Failure).facts.exit).toBe('usage')
    const mayBeEmpty = true
    expect(await readSecret(place({}).session, {...password, mayBeEmpty, file})).toBe('')
    expect(await readSecret(place({stdin: ''}).session, {...password, mayBeEmpty, stdin: true})).toBe('')
    expect(await readSecret(place({typed: ''}).session, {...password, mayBeEmpty})).toBe('')
  })

  test('is a folder, a device, missing, too large or not text', async () => {
    mkdirSync(path.join(folder, 'keys'))
    const cases = [
      [path.join(folder, 'keys'), 'it is a folder'],
      ['/dev/zero', 'it is not a regular file: a pipe or a device'],
      [path.join(folder, 'none'), 'no such file'],
      [fileWith(Buffer.alloc(64 * 1024 + 1, 'a')), 'it is larger than 64 KiB'],
      [fileWith(Buffer.from([0xff, 0xfe, 0x61])), 'it is not UTF-8 text'],
    ] as const
    for (const [file, why] of cases) {
      const {facts} = await failing({file})
      expect(facts).toMatchObject({exit: 'file', message: `cannot read ${file}`, why})
    }
    const {facts} = await failing({stdin: true}, {stdin: 'a'.repeat(64 * 1024 + 1)})
    expect(facts).toMatchObject({exit: 'usage', message: 'stdin has more than 65536 bytes'})
  })
})
