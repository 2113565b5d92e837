import {beforeAll, describe, expect, test} from 'vitest'
import {onTerminal} from '../support/pty.js'
import {freshPlace, type Place, shell} from './place.js'

const enter = '\r'

let place: Place

beforeAll(async () => {
  place = freshPlace({ROOMCTL_PROFILE: 'sandbox', TERM: 'xterm-256color'})
  await shell(place, 'roomctl sandbox reset --seed demo')
})

describe('a terminal on which nothing is asked', () => {
  test.each([
    ['with --no-input', 'room end r-party --no-input', {}],
    ['in CI', 'room end r-party', {CI: 'true'}],
    ['with ROOMCTL_NO_INPUT', 'room end r-party', {ROOMCTL_NO_INPUT: '1'}],
    ['for a machine', 'room end r-party -o json', {}],
  ])('%s tells which flag answers instead', async (_how, command, env) => {
    const run = await onTerminal({
      command: ['roomctl', ...command.split(' ')],
      env: {...place.env, ...env},
      cwd: place.dir,
      columns: 200,
    })
    expect(run).toMatchObject({exit: 13, timed_out: false})
    expect(run.text).toMatch(/needs a confirmation, nothing was sent[\s\S]*add --yes/)
  })

  test('nor is anything picked: the id is asked for in words', async () => {
    const run = await onTerminal({command: ['roomctl', 'room', 'show'], env: {...place.env, CI: '1'}, cwd: place.dir})
    expect(run).toMatchObject({exit: 2, timed_out: false})
    expect(run.text).toContain('ROOM is missing')
  })
})

describe('a terminal without colour or cursor', () => {
  const escapes = new RegExp(String.fromCharCode(0x1b))

  const on = (env: Record<string, string>, command: string, steps: {expect: string; send: string}[] = []) =>
    onTerminal({
      command: ['roomctl', ...command.split(' ')],
      env: {...place.env, ...env},
      cwd: place.dir,
      columns: 200,
      steps,
    })

  test.each([{NO_COLOR: '1'}, {TERM: 'dumb'}, {CLICOLOR: '0'}])('gets none: %o', async (env) => {
    const run = await on(env, 'room list')
    expect(run.exit).toBe(0)
    expect(run.terminal).toContain('r-party')
    expect(run.terminal).not.toMatch(escapes)
    const failed = await on(env, 'room show r-none')
    expect(failed.exit).toBe(6)
    expect(failed.terminal).not.toMatch(escapes)
  })

  test('gets colour where nothing speaks against it, and never in JSON', async () => {
    expect((await on({}, 'room list')).terminal).toMatch(escapes)
    expect((await on({NO_COLOR: '1'}, 'room list --color always')).terminal).toMatch(escapes)
    expect((await on({}, 'room list --color never')).terminal).not.toMatch(escapes)
    expect((await on({}, 'room list -o json')).terminal).not.toMatch(escapes)
  })

  test.each([{ACCESSIBLE: '1'}, {TERM: 'dumb'}])('asks in plain lines that are never drawn again: %o', async (env) => {
    const picked = await on({...env, NO_COLOR: '1'}, 'room show', [{expect: 'Number (1-', send: `1${enter}`}])
    expect(picked).toMatchObject({exit: 0, waiting: null})
    expect(picked.text.match(/Which room on sandbox \(built in\)\?/g)).toHaveLength(1)
    expect(picked.text).toMatch(/ {2}1\. \S/)
    expect(picked.terminal).not.toMatch(escapes)

    const declined = await on({...env, NO_COLOR: '1'}, 'room end r-party', [
      {expect: '[y/N]', send: `perhaps${enter}`},
      {expect: 'Answer y or n.', send: ''},
      {expect: '[y/N]', send: `n${enter}`},
    ])
    expect(declined).toMatchObject({exit: 13, waiting: null})
    expect(declined.terminal).not.toMatch(escapes)
  })
})
