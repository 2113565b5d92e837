import {beforeAll, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, shell} from './place.js'

const enter = '\r'
const down = '\u001b[B'
const ctrlC = '\u0003'

let place: Place

beforeAll(() => {
  // The pager has a story of its own; here it would wait for a key after each card that is longer than the screen.
  place = freshPlace({ROOMCTL_PROFILE: 'sandbox', TERM: 'xterm-256color', PS1: '$ ', PAGER: 'cat'})
})

/** A typed line, the answers to its questions, and the expected screen. */
interface Line {
  readonly type: string
  readonly answers?: readonly (readonly [question: string, keys: string])[]
  readonly shows: RegExp
}

const day: readonly Line[] = [
  {type: 'roomctl sandbox reset --seed demo', shows: /sandbox reset: 13 rooms/},
  {type: 'roomctl room list', shows: /ID +NAME +STATUS[\s\S]*r-standup +Daily standup +MEETING/},
  {
    type: 'roomctl room show',
    answers: [
      ['Sprint retro', down],
      ['> Friday drinks', enter],
    ],
    shows: /✔ Which room on sandbox \(built in\)\?.*\(r-party\)\n[\s\S]*Status +MEETING[\s\S]*elects no successor/,
  },
  {
    type: 'roomctl room end r-standup; echo "ended with $?"',
    answers: [['3 present: ann, ben, 김민준', `n${enter}`]],
    shows: /cancelled; nothing was sent[\s\S]*ended with 13$/,
  },
  {
    type: 'roomctl room end r-standup',
    answers: [['Daily standup', `y${enter}`]],
    shows: /ended room r-standup "Daily standup" as ann \(host\)$/,
  },
  {
    type: 'roomctl room delete r-townhall; echo "ended with $?"',
    answers: [
      ['Type "Town hall" or "r-townhall" to confirm', `town hall${enter}`],
      ['expected Town hall or r-townhall, got town hall', ''],
      ['Type "Town hall"', `townhall${enter}`],
      ['got townhall', ''],
      ['Type "Town hall"', `hall${enter}`],
    ],
    shows: /cancelled; nothing was sent[\s\S]*ended with 13$/,
  },
  {
    type: 'roomctl room delete r-townhall',
    answers: [['Type "Town hall"', `Town hall${enter}`]],
    shows: /deleted room r-townhall "Town hall" as ann \(host\)$/,
  },
  {
    type: 'roomctl room end r-test-1 r-test-2; echo "ended with $?"',
    answers: [['Type "2" to confirm', `${enter}`]],
    shows:
      /r-test-1 +test-load-1 +MEETING[\s\S]*r-test-2 +test-load-2 +MEETING[\s\S]*End 2 rooms on sandbox \(built in\)\?[\s\S]*ended with 13$/,
  },
  {
    type: 'roomctl room end r-test-1 r-test-2',
    answers: [['Type "2" to confirm', `2${enter}`]],
    shows: /r-test-1 +done[\s\S]*r-test-2 +done/,
  },
  {
    type: 'roomctl room delegate r-full',
    answers: [
      ['Which user on sandbox', ''],
      ['ben', enter],
    ],
    shows: /r-full.* as dora \(host\)$/,
  },
  {
    type: 'roomctl room end r-full; echo "ended with $?"',
    answers: [['Interview', ctrlC]],
    shows: /interrupted; nothing was sent[\s\S]*ended with 130$/,
  },
  {
    type: 'roomctl room end r-review --yes; echo "ended with $?"',
    shows: /it is IDLE, only a MEETING room can be ended \(ER001\)\n +why: .*\n +service: .*\n +try: .*\nended with 7$/,
  },
  {
    type: 'roomctl room list --status ended -q --sort room_id',
    shows: /\nr-kickoff\nr-retro\nr-standup\nr-test-1\nr-test-2$/,
  },
]

/** Types the lines into a shell on a terminal, each when the prompt is back, and gives what appeared for each. */
async function typed(lines: readonly Line[]): Promise<readonly string[]> {
  const prompt = '\n$ '
  const steps = lines.flatMap(({type, answers = []}, at) => [
    {expect: at === 0 ? '$ ' : prompt, send: `${type}${enter}`},
    ...answers.map(([question, keys]) => ({expect: question, send: keys})),
  ])
  const run = await onTerminal({
    command: ['bash', '--norc', '--noprofile', '-i'],
    env: place.env,
    cwd: place.dir,
    columns: 200,
    steps: [...steps, {expect: prompt, send: `exit${enter}`}],
    timeout: 60,
  })
  expect(run).toMatchObject({timed_out: false, waiting: null})
  return run.text.replaceAll('\r', '').split(prompt)
}

test("an operator's day at a terminal goes from the list to the last room, with a question wherever something weighs", {
  timeout: 90_000,
}, async () => {
  const shown = await typed(day)
  for (const [at, {type, shows}] of day.entries()) expect(shown[at], type).toMatch(shows)
  // The interrupted change did not happen.
  const left = await shell(place, 'roomctl room show r-full -o json --query room_status')
  expect(left.stdout).toBe('"MEETING"\n')
})
