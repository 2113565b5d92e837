import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {beforeAll, describe, expect, test} from 'vitest'
import {bundled} from '../../support/bundled.js'
import {onTerminal, type TerminalScript} from '../../support/pty.js'

let questioner: string
beforeAll(async () => {
  questioner = await bundled(new URL('questioner.ts', import.meta.url))
})
const base = {PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm'}

/** Asks the named questions on a terminal; stdout is a pipe, so that everything on the terminal came by stderr. */
function asked(names: readonly string[], steps: TerminalScript['steps'] = [], env: Record<string, string> = {}) {
  return onTerminal({
    command: [process.execPath, questioner, ...names],
    env: {...base, ...env},
    pipes: ['stdout'],
    steps,
  })
}

const down = '\u001b[B'
const enter = '\r'
const controlD = '\u0004'
const esc = '\u001b'

describe('questions on a terminal', () => {
  test('are answered by keys, and only the answers reach stdout', async () => {
    const run = await asked(
      ['confirm', 'confirm', 'text', 'few'],
      [
        {expect: 'End room r-42? (y/N)', send: `y${enter}`},
        {expect: 'End room r-42? (y/N)', send: enter},
        {expect: 'Room name (standup)', send: `a${enter}`},
        {expect: 'too short', send: `bc${enter}`},
        {expect: 'Which room?', send: `${down}${enter}`},
      ],
    )
    expect(run.stdout).toBe('confirm=true\nconfirm=false\ntext="abc"\nfew=2\n')
    // Only a choice has a tick: no, and an unexpected word, are answers, too.
    expect(run.terminal.split('\n').filter((row) => row.includes('✔'))).toEqual([
      expect.stringContaining('Which room?'),
    ])
    expect(run.exit).toBe(0)
  })

  test('wrap between words', async () => {
    const run = await asked(['long'], [{expect: '(y/N)', send: enter}])
    expect(run.terminal.replaceAll('\r', '')).toContain(
      '? End room r-test-1 "test-load-1" (MEETING, 3 present: ann, ben, bot-1) on\nsandbox (built in)? (y/N)',
    )
  })

  test('take the line under the cursor if none is marked', async () => {
    const run = await asked(['several'], [{expect: 'type to filter', send: `${down}${enter}`}])
    expect(run.stdout).toBe('several=[2]\n')
  })

  /** Each has other words than the question before it, which stays on the terminal. */
  const kinds = [
    ['confirm', 'End room'],
    ['few', 'Which room?'],
    ['text', 'Room name'],
    ['many', 'Which room?'],
    ['secret', 'Token'],
    ['several', 'Which rooms?'],
  ] as const

  test.each([
    ['Esc', esc],
    ['Ctrl-D', controlD],
  ])('are cancelled by %s, and others can be asked', async (_, key) => {
    const run = await asked(
      kinds.map(([name]) => name),
      kinds.map(([, question]) => ({expect: question, send: key})),
    )
    expect([run.stdout, run.exit]).toEqual(['cancelled\n'.repeat(kinds.length), 13])
  })

  test.each([
    ['many', '(40; type to filter)', 'room-33', '(1 of 40)'],
    ['text', 'Room name', 'abcdef', 'abcdef'],
  ])('Esc cancels %s also after something was typed', async (name, question, typed, shown) => {
    const run = await asked(
      [name],
      [
        {expect: question, send: typed},
        {expect: shown, send: esc},
      ],
    )
    expect([run.stdout, run.exit]).toEqual(['cancelled\n', 13])
  })
})

describe('plain questions, for ACCESSIBLE=1 and TERM=dumb', () => {
  const plain = {ACCESSIBLE: '1'}

  test('are asked line by line and never move the cursor', async () => {
    const run = await asked(
      ['confirm', 'text', 'text', 'few'],
      [
        {expect: 'End room r-42? [y/N]', send: 'maybe\n'},
        {expect: 'Answer y or n.'},
        {expect: 'End room r-42? [y/N]', send: 'y\n'},
        {expect: 'Room name [standup]:', send: 'a\n'},
        {expect: 'too short'},
        {expect: 'Room name [standup]:', send: '\n'},
        {expect: 'Room name [standup]:', send: '기획 회의\n'},
        {expect: '3. room-3  number 3'},
        {expect: 'Number (1-3):', send: '4\n'},
        {expect: 'Answer with one of the numbers.'},
        {expect: 'Number (1-3):', send: '2\n'},
      ],
      plain,
    )
    expect(run.stdout).toBe('confirm=true\ntext="standup"\ntext="기획 회의"\nfew=2\n')
    expect(run.terminal).not.toContain('\u001b')
  })

  const kinds = [
    ['confirm', '[y/N]'],
    ['text', 'Room name'],
    ['secret', 'Token'],
    ['few', 'Number ('],
    ['several', 'Numbers ('],
  ] as const

  test.each(kinds)('%s is cancelled by Ctrl-D', async (name, question) => {
    const run = await asked([name], [{expect: question, send: controlD}], {TERM: 'dumb'})
    expect([run.stdout, run.exit]).toEqual(['cancelled\n', 13])
  })

  test('are cancelled by Esc, and others can be asked', async () => {
    const run = await asked(
      kinds.map(([name]) => name),
      kinds.map(([name, question]) => ({expect: question, send: name === 'secret' ? esc : `${esc}${enter}`})),
      {TERM: 'dumb'},
    )
    expect([run.stdout, run.exit]).toEqual(['cancelled\n'.repeat(kinds.length), 13])
  })

  test('take several numbers', async () => {
    const run = await asked(
      ['several'],
      [
        {expect: 'Numbers (1-40, separated by spaces):', send: '3 41\n'},
        {expect: 'Answer with some of the numbers.'},
        {expect: 'Numbers (1-40', send: '3, 5 3\n'},
      ],
      plain,
    )
    expect(run.stdout).toBe('several=[3,5]\n')
  })
})

describe('without a terminal', () => {
  test.each([{CI: 'true'}, {ROOMCTL_NO_INPUT: '1'}])('%o leaves no questions', async (env) => {
    expect((await asked(['available'], [], env)).stdout).toBe('available=false\n')
  })

  test.each(['stdin', 'stderr'] as const)('a piped %s leaves no questions', async (pipe) => {
    const run = await onTerminal({
      command: [process.execPath, questioner, 'available'],
      env: base,
      pipes: ['stdout', pipe],
      input: 'y\n',
    })
    expect(run.stdout).toBe('available=false\n')
  })

  test('a pipe is never read as an answer', async () => {
    const child = spawn(process.execPath, [questioner, 'confirm'], {env: base})
    child.stdin.end('y\n')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stdout).toBe('')
    expect(stderr).toContain('cannot ask: not a terminal')
  })
})
