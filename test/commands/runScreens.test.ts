import {beforeAll, describe, expect, test} from 'vitest'
import {cli, freshHome} from '../support/cli.js'
import {Screen} from '../support/screen.js'
import {refusal, sandboxOf} from './answers.js'
import {type SyncBench, syncBench, words} from './asset/syncs.js'
import {pushWire} from './push/wire.js'

const screen = {columns: 80, rows: 24, env: {NO_COLOR: '1', TERM: 'xterm'}}

/** The screen of a terminal of 80 columns and 24 rows after these texts. */
async function picture(...texts: readonly string[]): Promise<string[]> {
  const own = new Screen(80, 24)
  for (const text of texts) await own.output.write(text)
  return (await own.lines()).map((line) => line.trimEnd())
}

/** Time passes with each look at the clock, and everything that repeats is called when it begins and when it ends. */
function hurried() {
  let waited = 0
  const pass = () => (waited += 3000)
  const every = (_: number, call: () => void) => {
    call()
    return () => call()
  }
  return {every, elapsed: pass, setMs: pass}
}

async function manyFiles(count: number): Promise<SyncBench> {
  const names = Array.from({length: count}, (_, at) => `file${String(at).padStart(2, '0')}.txt`)
  return syncBench(Object.fromEntries(names.map((name) => [name, name])))
}

beforeAll(async () => {
  await import('../../src/terminal/live.js')
})

describe('at 80 columns and 24 rows', () => {
  test('a change to several rooms ends with the failures, each cause once, and the next steps', async () => {
    const ran = await cli('room end r-review r-standup r-retro nope --yes --concurrency 1', {
      ...screen,
      home: freshHome(),
    })
    expect(ran.exit).toBe(11)
    expect(await picture(ran.stdout, ran.stderr)).toEqual([
      'ID         OUTCOME  AS   ERROR',
      'r-standup  done     ann  -',
      'r-review   failed   -    it is IDLE, only a MEETING room can be ended (ER001)',
      'r-retro    failed   -    it is ENDED, only a MEETING room can be ended (ER001)',
      'nope       failed   -    room nope does not exist (CE002)',
      'on sandbox (built in)',
      '1 ended, 3 failed (2 ER001, 1 CE002) in 0.0 s',
      '  service: room r-review is IDLE; this needs MEETING',
      '  try: roomctl room delete r-review',
      '  service: room r-retro is ENDED; this needs MEETING',
      '  try: roomctl room show r-retro',
      '  try: roomctl room list',
    ])
  })

  test('a sync lists sent files, and counts unchanged ones', async () => {
    const own = await manyFiles(40)
    await own.sync()
    own.put({'file07.txt': 'another', 'new.txt': 'new'})
    const ran = await own.sync(words, screen)
    const uuid = '[\\da-f-]{36}'
    expect((await picture(ran.stdout, ran.stderr)).join('\n')).toMatch(
      new RegExp(
        [
          '^FILE        KIND   UUID                                  SIZE  OUTCOME  REASON',
          `file07.txt  asset  ${uuid}   7 B  done     -`,
          `new.txt     asset  ${uuid}   3 B  done     -`,
          'on sandbox \\(built in\\)',
          'adding sha256 to descriptions \\(--no-stamp: off\\)',
          'hidden columns: sha256',
          'uploaded 2 files, 10 B in 0ms, 39 unchanged$',
        ].join('\n'),
        'u',
      ),
    )
    const plan = await own.sync([...words, '--dry-run'], screen)
    expect(await picture(plan.stdout, plan.stderr)).toEqual([
      '41 files on sandbox (built in): 41 unchanged, 0 B to send',
    ])
  })

  test('a sync without anything to send says after two seconds how far it is, on a terminal and in a log', async () => {
    const own = await manyFiles(12)
    await own.sync()
    const shown = await own.sync(words, {...screen, ...hurried()})
    expect(shown.stderr).toMatch(/comparing: \d+ of 12 files/u)
    expect((await picture(shown.stdout, shown.stderr)).join('\n')).toMatch(/\nnothing uploaded in .*, 12 unchanged$/u)
    const logged = await own.sync(words, {env: {GITHUB_ACTIONS: 'true'}, ...hurried()})
    expect(logged.stdout).toBe('')
    expect(logged.stderr).toMatch(/comparing: \d+ of 12 files\nnothing uploaded in .*, 12 unchanged\n$/u)
  })

  test('a file that fails is one row with its HTTP status', async () => {
    const own = await manyFiles(3)
    const sandbox = sandboxOf(own.store)
    const transport = async (request: Parameters<typeof sandbox>[0]) =>
      request.method === 'POST' && request.headers.Original_File_Name === 'file01.txt'
        ? {status: 503, headers: {'content-type': 'text/plain'}, body: 'the disk of the service is full'}
        : sandbox(request)
    const ran = await own.sync([...words, '--retries', '0'], {...screen, transport} as never)
    expect(ran.exit).toBe(11)
    const lines = await picture(ran.stdout, ran.stderr)
    const failed = lines.filter((line) => line.includes('HTTP 503') || line.includes('disk of the service'))
    expect(failed.join('\n'), lines.join('\n')).toContain('HTTP 503')
    expect(lines.join('\n')).not.toMatch(/error:|cannot upload/u)
    expect(ran.stderr).toMatch(/^to resume the rest, /mu)
  })

  test('a push shows the status of the service, and a total', async () => {
    const status = (recipient_id: string, word: string) => ({recipient_id, transaction_id: recipient_id, status: word})
    const transactions = [status('ann', 'SUCCESS'), status('eve', 'FAILED')]
    const wire = await pushWire(() => ({status: 202, body: {transactions}}))
    const line = ['push', 'send', 'ann', 'eve', '--title', 'Hello', '--body', 'We begin']
    const ran = await cli(line, {...wire, ...screen, env: {...wire.env, ...screen.env}, home: freshHome()})
    expect((await picture(ran.stdout)).slice(0, 3)).toEqual([
      expect.stringMatching(/^RECIPIENT {2}OUTCOME {2}STATUS {3}ERROR/u),
      expect.stringMatching(/^ann {8}done {5}SUCCESS/u),
      expect.stringMatching(/^eve {8}failed {3}FAILED {3}the service reports FAILED /u),
    ])
    expect(ran.stderr).toContain('sent to 1 user, 1 failed\n')
  })

  test('one reason that all targets share is one line of advice', async () => {
    const transport = async () => ({...refusal('CE003', 'no'), headers: {}})
    const ran = await cli('room end r-1 r-2 r-3 --as ann --yes', {...screen, transport, home: freshHome()} as never)
    expect(ran.stderr.match(/^ {2}try: /gmu)).toHaveLength(1)
  })
})
