import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'

test('sends to those who are named', async () => {
  const ran = await cli('room send r-standup hello --from ann --to ben --to 김민준 -o json')
  expect(ran.sent[0]?.body).toEqual({from: 'ann', to: ['ben', '김민준'], data: 'hello'})
  expect(JSON.parse(ran.stdout)).toEqual({
    id: expect.stringMatching(/^m-/),
    room_id: 'r-standup',
    from: 'ann',
    to: ['ben', '김민준'],
  })
  expect((await cli('room send r-standup hello --from ann -q')).stdout).toMatch(/^m-\w+\n$/)
})

describe('the data', () => {
  test('comes from stdin in the place of -, from a file, or from the line, untouched', async () => {
    const text = '{"mute":true}\n  안녕\t\n'
    const piped = await cli('room send r-standup - --from ann', {stdin: text})
    expect(piped.sent[0]?.body).toEqual({from: 'ann', data: text})
    const file = join(freshHome(), 'data.json')
    writeFileSync(file, text)
    const filed = await cli(['room', 'send', 'r-standup', '--from', 'ann', '--file', file])
    expect(filed.sent[0]?.body).toEqual({from: 'ann', data: text})
    expect(filed.stdout).toContain(`sent ${Buffer.byteLength(text)} bytes`)
    const empty = await cli(['room', 'send', 'r-standup', '', '--from', 'ann'])
    expect(empty.sent[0]?.body).toEqual({from: 'ann', data: ''})
  })

  test('is not read from stdin unasked', async () => {
    const ran = await cli('room send r-standup --from ann', {stdin: 'not this'})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('error: no data given\n')
  })

  test('is given once, and as text', async () => {
    expect(await cli('room send r-standup hello --from ann --file x')).toMatchObject({exit: 2, sent: []})
    expect(await cli('room send r-standup --from ann --file /nowhere')).toMatchObject({exit: 14, sent: []})
  })
})

describe('data that is not UTF-8', () => {
  const damaged = {
    CP949: Buffer.from('b1e8b9cec1d8', 'hex'),
    'UTF-16 with a mark': Buffer.from('\ufeffhello', 'utf16le'),
    'UTF-16 without a mark': Buffer.from('hello', 'utf16le'),
    bytes: Buffer.from([0xff, 0xfe, 0x00, 0x01]),
  }
  const send = ['room', 'send', 'r-standup', '--from', 'ann']

  test('is never sent damaged: the error names the way that sends bytes', async () => {
    const file = join(freshHome(), 'data')
    await everyCase(Object.values(damaged), async (bytes) => {
      writeFileSync(file, bytes)
      const filed = await cli([...send, '--file', file])
      expect(filed).toMatchObject({exit: 14, stdout: '', sent: []})
      expect(filed.stderr).toMatch(/not UTF-8 text[\s\S]*--base64/)
      const piped = await cli([...send, '-'], {stdin: bytes})
      expect(piped).toMatchObject({exit: 2, stdout: '', sent: []})
      expect(piped.stderr).toContain('stdin is not UTF-8 text')
    })
  })

  test('is sent as base64 where --base64 asks for it', async () => {
    const file = join(freshHome(), 'data')
    await everyCase(Object.values(damaged), async (bytes) => {
      writeFileSync(file, bytes)
      const filed = await cli([...send, '--file', file, '--base64'])
      expect(filed.sent.map(({body}) => body)).toEqual([{from: 'ann', data: bytes.toString('base64')}])
      expect(filed.stdout).toContain(`sent ${bytes.length} bytes as base64 to everybody`)
      const piped = await cli([...send, '-', '--base64'], {stdin: bytes})
      expect(piped.sent).toMatchObject([{body: {data: bytes.toString('base64')}}])
    })
    expect(await cli([...send, 'hello', '--base64'])).toMatchObject({exit: 2, sent: []})
  })

  test('is refused on the command line, too, where it has become replacement characters', async () => {
    const ran = await cli([...send, 'hi \ufffd\ufffd'])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain('not valid UTF-8')
  })
})

test('missing data is asked for on a terminal; an empty answer does not count', async () => {
  const ran = await cli('room send', {columns: 80, answers: ['r-standup', 'ann', '']})
  expect(ran).toMatchObject({exit: 2, asked: {length: 3}})
  expect(ran.stderr).toContain('no data given')
})

test('the sender may come from the environment', async () => {
  const ran = await cli('room send r-standup hello', {env: {ROOMCTL_REQUESTER: 'ben'}})
  expect(ran.sent[0]?.body).toEqual({from: 'ben', data: 'hello'})
})

test('the journal and the sentence keep a send apart from the text', async () => {
  const ran = await cli(['room', 'send', 'r-standup', 'top secret', '--from', 'ann'])
  expect(ran.stdout + ran.stderr).not.toContain('top secret')
})
