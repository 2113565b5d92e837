import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {accepted, pushWire} from './wire.js'

const hello = ['--title', 'Hello', '--body', 'We begin']

function fileOf(content: string | Uint8Array): string {
  const file = join(freshHome(), 'users.txt')
  writeFileSync(file, content)
  return file
}

/** The requests of a line, as the service reads them. */
async function recipientsSent(words: readonly string[], stdin?: string) {
  const {exit, stderr, sent} = await cli(['push', 'send', ...words, ...hello], stdin === undefined ? {} : {stdin})
  return {exit, stderr, recipients: (sent[0]?.body as {recipient_ids?: string[]} | undefined)?.recipient_ids}
}

describe('the recipients', () => {
  test('are arguments, each once, and dropped ones are counted', async () => {
    expect(await recipientsSent(['ann', 'ben', 'ann'])).toMatchObject({
      recipients: ['ann', 'ben'],
      stderr: 'note: 1 duplicate was dropped\n',
    })
  })

  test('come from stdin in the place of -, from a file, and from both with arguments, in the order of their mention', async () => {
    const lines = 'ben\r\n\r\n김민준\r\nann\r\n'
    const wanted = {recipients: ['ben', '김민준', 'ann'], stderr: '', exit: 0}
    expect(await recipientsSent(['-'], lines)).toEqual(wanted)
    expect(await recipientsSent(['--recipients-from', '-'], lines)).toEqual(wanted)
    expect(await recipientsSent(['--recipients-from', fileOf(lines)])).toEqual(wanted)
    const all = await recipientsSent(['carl', '-', 'dora', '--recipients-from', fileOf('ann\ncarl\n')], 'ben\nann\n')
    expect(all.recipients).toEqual(['carl', 'ben', 'ann', 'dora'])
    expect(all.stderr).toBe('note: 2 duplicates were dropped\n')
  })

  test('are whole lines, also of a file with a header or several columns, which a note says', () =>
    everyCase(['user_id,name', 'user_id', 'Email', 'recipients', 'ann,Ann', 'ann;Ann', 'ann\tAnn'], async (first) => {
      const ran = await recipientsSent(['--recipients-from', fileOf(`${first}\nben\n`)])
      expect(ran.recipients).toEqual([first, 'ben'])
      expect(ran.stderr).toMatch(/^note: .*users\.txt begins with .*: each whole line is one id, also of a table\n/u)
    }))

  test.each<readonly [string, readonly string[], string | undefined, string]>([
    ['nobody is named', [], undefined, 'USER is missing'],
    ['stdin names nobody', ['-'], '\n\n', 'stdin contains no user; nothing was sent'],
    ['an id is empty', ['ann', ''], undefined, 'USER is empty'],
    ['stdin is named twice', ['-', '--recipients-from', '-'], 'ann\n', '- (stdin) is used twice; nothing was sent'],
    ['stdin is data too', ['-', '--data-json', '-'], 'ann\n', '- (stdin) is used twice; nothing was sent'],
  ])('are refused where %s', async (_, words, stdin, message) => {
    const ran = await cli(['push', 'send', ...words, ...hello], stdin === undefined ? {} : {stdin})
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: ${message}\n`)
  })

  test('of a file that is not there end with 14', async () => {
    const ran = await cli(['push', 'send', '--recipients-from', '/no/such/file', ...hello])
    expect(ran).toMatchObject({exit: 14, sent: []})
    expect(ran.stderr).toContain('error: cannot read /no/such/file\n  why: no such file\n')
  })
})

describe('a push that is refused before anything is sent', () => {
  test.each<readonly [string, readonly string[], string]>([
    ['has an empty title', ['--title', ' ', '--body', 'x'], '--title is empty; nothing was sent'],
    ['has an empty text', ['--title', 'x', '--body', ''], '--body is empty; nothing was sent'],
    ['has batches that are too large', [...hello, '--batch', '10001'], 'invalid --batch "10001": expected a number'],
    ['is for IOS', [...hello, '--type', 'ios'], 'sending to IOS is documented as not supported; nothing was sent'],
  ])('%s', async (_, words, message) => {
    const ran = await cli(['push', 'send', 'ann', ...words])
    expect(ran).toMatchObject({exit: 2, stdout: '', sent: []})
    expect(ran.stderr).toContain(`error: ${message}`)
  })

  test('is for more users than --max allows', async () => {
    const ran = await cli(['push', 'send', 'ann', 'ben', 'carl', ...hello, '--max', '2', '--yes'])
    expect(ran).toMatchObject({exit: 13, sent: []})
    expect(ran.stderr).toContain('error: refusing to push to 3 users (limit 2); if intended: --max 3\n')
    const shown = await cli(['push', 'send', 'ann', 'ben', 'carl', ...hello, '--max', '2', '--dry-run', '-o', 'json'])
    expect(JSON.parse(shown.stdout)).toMatchObject([{body: {recipient_ids: ['ann', 'ben', 'carl']}}])
    expect(shown).toMatchObject({exit: 0, stderr: 'the real run refuses more than 2 users; add --max 3\n', sent: []})
    const many = Array.from({length: 10_001}, (__, at) => `u${at}`).join('\n')
    expect(await cli(['push', 'send', '-', ...hello, '--yes'], {stdin: many})).toMatchObject({exit: 13, sent: []})
  })

  test('is for IOS and is sent unchanged with --allow-unsupported', async () => {
    const wire = await pushWire((request) => accepted(request))
    const ran = await cli(['push', 'send', 'ann', ...hello, '--type', 'IOS', '--allow-unsupported'], wire)
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(JSON.parse(wire.arrived[0]?.body ?? '')).toMatchObject({push_type: 'IOS'})
  })
})
