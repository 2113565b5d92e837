import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {onTerminal, type TerminalScript} from '../../support/pty.js'

const questioner = fileURLToPath(new URL('questioner.ts', import.meta.url))
const base = {PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm'}

/** Asks the named questions on a terminal; stdout is a pipe, so that everything on the terminal came by stderr. */
function asked(names: readonly string[], steps: TerminalScript['steps'] = [], env: Record<string, string> = {}) {
  return onTerminal({
    command: [process.execPath, '--import', 'tsx', questioner, ...names],
    env: {...base, ...env},
    pipes: ['stdout'],
    steps,
  })
}

const down = '\u001b[B'
const enter = '\r'
const control = {c: '\u0003', d: '\u0004'}

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
    expect(run.exit).toBe(0)
  })

  test('take the initial answer for Enter', async () => {
    const run = await asked(['text'], [{expect: '(standup)', send: enter}])
    expect(run.stdout).toBe('text="standup"\n')
  })

  test('do not show a secret, nor how long it is', async () => {
    const run = await asked(['secret'], [{expect: 'Token', send: `s3cret${enter}`}])
    expect(run.stdout).toBe('secret="s3cret"\n')
    expect(run.terminal).not.toMatch(/s3|cret|\*|mask/)
  })

  test('find one of many choices by what is typed', async () => {
    const run = await asked(
      ['many'],
      [
        {expect: 'Which room?', send: 'NUMBER 33'},
        {expect: 'number 33', send: enter},
      ],
    )
    expect(run.stdout).toBe('many=33\n')
  })

  test.each([
    ['Ctrl-C', control.c, 'confirm', 'End room'],
    ['Ctrl-D', control.d, 'confirm', 'End room'],
    ['Ctrl-C', control.c, 'secret', 'Token'],
    ['Ctrl-C', control.c, 'many', 'Which room?'],
  ])('end with Interrupted on %s', async (_, key, name, question) => {
    const run = await asked([name], [{expect: question, send: key}])
    expect([run.stdout, run.exit]).toEqual(['interrupted\n', 130])
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
        {expect: '3. room-3 - number 3'},
        {expect: 'Number (1-3):', send: '4\n'},
        {expect: 'Answer with one of the numbers.'},
        {expect: 'Number (1-3):', send: '2\n'},
      ],
      plain,
    )
    expect(run.stdout).toBe('confirm=true\ntext="standup"\ntext="기획 회의"\nfew=2\n')
    expect(run.terminal).not.toContain('\u001b')
  })

  test('do not show a secret', async () => {
    const run = await asked(['secret'], [{expect: 'Token (not shown):', send: `s3cret${enter}`}], plain)
    expect(run.stdout).toBe('secret="s3cret"\n')
    expect(run.terminal.trimEnd()).toBe('Token (not shown):')
  })

  test.each([
    ['Ctrl-C', control.c, 'confirm', '[y/N]'],
    ['Ctrl-D', control.d, 'confirm', '[y/N]'],
    ['Ctrl-C', control.c, 'secret', 'Token'],
    ['Ctrl-D', control.d, 'secret', 'Token'],
  ])('end with Interrupted on %s', async (_, key, name, question) => {
    const run = await asked([name], [{expect: question, send: key}], {TERM: 'dumb'})
    expect([run.stdout, run.exit]).toEqual(['interrupted\n', 130])
  })
})

describe('where nobody can answer', () => {
  test.each([{CI: 'true'}, {ROOMCTL_NO_INPUT: '1'}])('%o leaves no questions', async (env) => {
    const run = await asked(['available'], [], env)
    expect(run.stdout).toBe('available=false\n')
  })

  test('a terminal without these has questions', async () => {
    expect((await asked(['available'])).stdout).toBe('available=true\n')
  })

  test.each(['stdin', 'stderr'] as const)('a piped %s leaves no questions', async (pipe) => {
    const run = await onTerminal({
      command: [process.execPath, '--import', 'tsx', questioner, 'available'],
      env: base,
      pipes: ['stdout', pipe],
      input: 'y\n',
    })
    expect(run.stdout).toBe('available=false\n')
  })

  test('a pipe is never read as an answer', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', questioner, 'confirm'], {env: base})
    child.stdin.end('y\n')
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    expect(stdout).toBe('')
    expect(stderr).toContain('a question was asked where nobody can answer')
  })
})
