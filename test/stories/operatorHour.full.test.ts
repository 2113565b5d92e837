import {expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace} from './place.js'

test('the first hour of an operator, on a terminal of 80 by 24', {timeout: 90_000}, async () => {
  const place = freshPlace({TERM: 'xterm', NO_COLOR: '1', PS1: '$ ', PAGER: 'cat'})
  const lines: readonly (readonly [typed: string, answers: readonly (readonly [string, string])[], shows: RegExp])[] = [
    ['roomctl sandbox seed', [], /13 rooms/u],
    ['roomctl config profile use sandbox', [], /sandbox/u],
    ['roomctl rooms', [], /unknown command "rooms"\n +try: roomctl room/u],
    ['roomctl room ls', [], /unknown command "room ls"\n +try: roomctl room list/u],
    ['roomctl room list', [], /ID +NAME +STATUS/u],
    ['roomctl room end r-stand --no-input', [], /r-stand/u],
    ['roomctl room end r-standup', [['Daily standup', 'y\r']], /ended room r-standup "Daily standup" as ann \(host\)/u],
    ['roomctl room end r-standup', [['will be refused', 'n\r']], /cancelled; nothing was sent/u],
    ['roomctl room end "test-*"', [], /does not exist|--match/u],
    ['roomctl room end --match "test-*"', [['2', '2\r']], /done/u],
    ['roomctl history --limit 1', [], /room\.end/u],
  ]
  const prompt = '\n$ '
  const steps = lines.flatMap(([typed, answers], at) => [
    {expect: at === 0 ? '$ ' : prompt, send: `${typed}\r`},
    ...answers.map(([question, keys]) => ({expect: question, send: keys})),
  ])
  const run = await onTerminal({
    command: ['bash', '--norc', '--noprofile', '-i'],
    env: place.env,
    cwd: place.dir,
    columns: 80,
    rows: 24,
    steps: [...steps, {expect: prompt, send: 'exit\r'}],
    timeout: 25,
  })
  expect(run).toMatchObject({timed_out: false, waiting: null})
  const shown = run.text.replaceAll('\r', '').split(prompt)
  for (const [at, [typed, , shows]] of lines.entries()) expect(shown[at], typed).toMatch(shows)
})
