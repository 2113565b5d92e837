import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
import {fileStore} from '../../src/sandbox/world/store.js'
import {onTerminal} from '../support/pty.js'
import {Screen} from '../support/screen.js'
import {typed} from './interactive.js'
import {freshPlace, type Place, shell} from './place.js'

const enter = '\r'

let place: Place

beforeAll(async () => {
  place = freshPlace({ROOMCTL_PROFILE: 'sandbox', TERM: 'xterm-256color'})
  await shell(place, 'roomctl sandbox reset --seed demo')
})

const down = '\u001b[B'
const esc = '\u001b'
const size = {columns: 80, rows: 24}

/** The cells of the last screen, without blanks on the right. */
async function lastScreen(line: string, steps: {expect: string; send: string}[]) {
  const run = await onTerminal({
    command: ['roomctl', ...line.split(' ')],
    env: {...place.env, NO_COLOR: '1'},
    cwd: place.dir,
    ...size,
    steps,
  })
  expect(run).toMatchObject({exit: 13, waiting: null, timed_out: false})
  const screen = new Screen(size.columns, size.rows)
  await screen.output.write(run.terminal)
  return (await screen.cells()).map((cells) => cells.trimEnd())
}

describe('on a screen', () => {
  test('a picker offers what the command can act on, filters, and takes several', async () => {
    const shown = await lastScreen('room end', [
      {expect: '(6; type to filter)', send: 'TEST'},
      {expect: '(2 of 6)', send: ' '},
      {expect: '(2 of 6; 1 selected)', send: `${down} `},
      {expect: '(2 of 6; 2 selected)', send: `${down}`},
      {expect: 'TEST', send: '\u007f'.repeat(4)},
      {expect: '(6; type to filter; 2 selected)', send: 'load-1'},
      {expect: '(1 of 6; 2 selected)', send: '\u007f'.repeat(6)},
      {expect: '(6; type to filter; 2 selected)', send: 'test'},
      {expect: '(2 of 6; 2 selected)', send: '\u0004'},
    ])
    expect(shown).toEqual([
      '7 of 13 rooms do not allow room end and are not shown',
      '? Which rooms on sandbox (built in)? (2 of 6; 2 selected) test',
      '> [x] test-load-2         MEETING  9h   r-test-2',
      '  [x] test-load-1         MEETING  11h  r-test-1',
      'space select \u00b7 \u2191\u2193 move \u00b7 enter confirm \u00b7 esc cancel',
      'cancelled',
    ])
  })

  test('a long list fits, those in a meeting first', async () => {
    const shown = await lastScreen('room show', [{expect: '(13; type to filter)', send: esc}])
    expect(shown).toHaveLength(16)
    expect(shown[1]).toBe('> Daily standup       MEETING   24m     r-standup')
    expect(shown[13]).toBe('  Sprint retro        ENDED     47h     r-retro')
    expect(
      shown
        .map((line) => /MEETING|IDLE|RESERVED|ENDED/u.exec(line)?.[0] ?? '')
        .join(' ')
        .trim(),
    ).toMatch(/^(?:MEETING )+(?:IDLE )+(?:RESERVED )+(?:ENDED ?)+$/u)
  })
})

test('no cancels, and a wrong answer is reported', async () => {
  const no = await lastScreen('room end r-full', [{expect: '(y/N)', send: `n${enter}`}])
  expect(no.at(-1)).toBe('cancelled; nothing was sent')
  expect(no.join(' ')).not.toContain('error')
  const wrong = await lastScreen('room delete r-townhall', [
    {expect: 'to confirm:', send: `131${enter}`},
    {expect: 'got 131', send: ''},
    {expect: 'Type "Town hall" or "r-townhall" to confirm:', send: `132${enter}`},
    {expect: 'got 132', send: ''},
    {expect: 'Type "Town hall" or "r-townhall" to confirm:', send: `133${enter}`},
  ])
  expect(wrong.slice(-2)).toEqual(['expected Town hall or r-townhall, got 133', 'cancelled; nothing was sent'])
})

describe('a question that is left with Ctrl-Z', () => {
  const suspend = '\u001a'

  test.each([
    ['a confirmation', 'roomctl room end r-party', 'End room r-party', {}],
    ['a confirmation for a screen reader', 'roomctl room end r-party', 'End room r-party', {ACCESSIBLE: '1'}],
    ['a list', 'roomctl room show', 'type to filter', {}],
  ] as const)('%s is drawn again by fg, and can be answered', async (_, line, question, env) => {
    writeFileSync(path.join(place.dir, '.bashrc'), "PS1='READY> '\n")
    const seen = await typed('bash', {...place, env: {...place.env, ...env}}, [
      {send: `${line}\r`, expect: question},
      {send: suspend, expect: 'Stopped'},
      {send: 'fg\r', expect: question},
      {send: '\u0004', expect: 'cancelled'},
    ])
    expect(seen).not.toContain('interrupted')
  })

  test.each([
    {env: {}, again: '(type it again):'},
    {env: {ACCESSIBLE: '1'}, again: '(not shown; type it again):'},
  ])('a hidden answer is typed again after fg, as the question says: $again', async ({env, again}) => {
    writeFileSync(path.join(place.dir, '.bashrc'), "PS1='READY> '\n")
    const seen = await typed('bash', {...place, env: {...place.env, ...env}}, [
      {send: 'roomctl push register ann --type ANDROID\r', expect: 'Device token'},
      {send: 'half', expect: ''},
      {send: suspend, expect: 'Stopped'},
      {send: 'fg\r', expect: again},
      {send: 'whole\r', expect: 'registered ann’s Android device'},
    ])
    const {users} = await fileStore(path.join(place.dir, 'data/roomctl/sandbox')).read(({push}) => push)
    const ann = users.find(({user_id}) => user_id === 'ann')
    expect(ann?.tokens).toContainEqual(expect.objectContaining({push_type: 'ANDROID', push_token: 'whole'}))
    expect(seen).not.toMatch(/half|whole/u)
  })
})
