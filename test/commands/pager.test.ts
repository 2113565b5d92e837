import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {Writable} from 'node:stream'
import {describe, expect, test} from 'vitest'
import {OutputWriter} from '../../src/terminal/output.js'
import {type Pager, usualPager} from '../../src/terminal/pager.js'
import {type Circumstances, cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {freshFolder} from '../support/folder.js'
import {always, success, terminal} from './answers.js'

/** A pager that records its input and commands. */
function keeping() {
  const seen = {commands: [] as (string | undefined)[], text: '', closed: 0}
  const sink = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      seen.text += String(chunk)
      done()
    },
  })
  const pager = async (command: string | undefined): Promise<Pager> => {
    seen.commands.push(command)
    return {
      output: new OutputWriter(sink),
      close: async () => {
        seen.closed += 1
        return undefined
      },
    }
  }
  return {seen, pager}
}

const env = {TERM: 'xterm', PAGER: 'less -FRX'}

test('a table on a terminal goes through the pager that is set', async () => {
  const {seen, pager} = keeping()
  const ran = await cli('room list', {...terminal(200), rows: 10, env, pager})
  expect(ran).toMatchObject({exit: 0, stdout: ''})
  expect(seen).toMatchObject({commands: ['less -FRX'], closed: 1})
  expect(seen.text).toContain('r-standup')
})

describe('without a pager that is set', () => {
  /** How many lines went through the pager, and how many to the terminal. */
  const lines = async (line: string, about: Circumstances = {}) => {
    const {seen, pager} = keeping()
    const ran = await cli(line, {...terminal(120), rows: 10, pager, ...about})
    const count = (text: string) => text.split('\n').length - 1
    return {...seen, paged: count(seen.text), direct: count(ran.stdout)}
  }

  test('a list that is longer than the screen goes through the usual one', async () => {
    expect(await lines('room list')).toMatchObject({
      commands: [undefined],
      paged: 14,
      direct: 0,
      closed: 1,
    })
  })

  test.each([
    ['more', {commands: ['more'], paged: 14, direct: 0}],
    ['less', {commands: [undefined], paged: 14, direct: 0}],
    ['cat', {commands: [], paged: 0, direct: 14}],
    ['', {commands: [], paged: 0, direct: 14}],
  ])('PAGER=%s decides about it', async (PAGER, expected) => {
    expect(await lines('room list', {env: {TERM: 'xterm', PAGER}})).toMatchObject(expected)
  })

  test('so does a card', async () => {
    expect(await lines('room show r-standup')).toMatchObject({commands: [undefined], direct: 0})
    expect(await lines('room list --no-header')).toMatchObject({paged: 13})
  })

  test('one that leaves the screen a line for the prompt does not, and one line more does', async () => {
    expect(await lines('room list', {rows: 15})).toMatchObject({commands: [], direct: 14})
    expect(await lines('room list', {rows: 14})).toMatchObject({commands: [undefined], direct: 0})
  })

  test('nothing is paged if it is not wanted, or no key can be pressed', () =>
    everyCase(
      [
        ['room list --no-pager', {}],
        ['room list', {env: {ACCESSIBLE: '1'}}],
        ['room list', {env: {TERM: 'dumb'}}],
        ['room list --no-input', {}],
        ['room list -o csv', {}],
        ['room list -q', {}],
      ] as const,
      async (line, about) => {
        const {commands, direct} = await lines(line, about)
        expect(commands).toEqual([])
        expect(direct).toBeGreaterThanOrEqual(13)
      },
    ))

  test('the results of a change are not paged', async () => {
    const rooms = 'r-standup r-party r-full r-support r-test-1 r-test-2'
    expect(await lines(`room end ${rooms} --as creator --yes`, {rows: 5})).toMatchObject({commands: []})
  })

  test('and where there is none the list comes without it and without a message', async () => {
    const ran = await cli('room list', {...terminal(120), rows: 10, pager: async () => undefined})
    expect(ran.stdout.split('\n')).toHaveLength(15)
    expect(ran.stderr).toBe('')
  })
})

test('a pager gets no secret that stdout would not', async () => {
  const {seen, pager} = keeping()
  const transport = always(() => success([{room_id: 'r-1', name: 'sandbox-application-token'}]))
  await cli('room list', {...terminal(200), rows: 2, env, pager, transport})
  expect(seen.text).toContain('r-1')
  expect(seen.text).not.toContain('sandbox-application-token')
})

describe('the usual pager', () => {
  /** The pager for an output of `less --version`; undefined: no `less`. */
  const usual = (says: string | undefined) => {
    const dir = freshFolder()
    if (says !== undefined) writeFileSync(path.join(dir, 'less'), `#!/bin/sh\n${says}\n`, {mode: 0o755})
    return usualPager({PATH: dir})
  }

  test('is less', () => {
    expect(usual('echo "less 608 (GNU regular expressions)"')).toBe('less -FRX')
  })

  test('is not started if less is missing, or is that of BusyBox', () => {
    expect(usual(undefined)).toBeUndefined()
    expect(usual('echo "Usage: less [-EFIMmNSRh~] [FILE]..." >&2; exit 1')).toBeUndefined()
  })
})

describe('help that is longer than the window', () => {
  const window = {columns: 80, rows: 24, answers: []}

  test.each(['asset sync --help', 'help output', '--help'])('%s goes through the pager', async (line) => {
    const {seen, pager} = keeping()
    const ran = await cli(line, {...window, pager})
    expect(ran).toMatchObject({exit: 0, stdout: '', stderr: ''})
    expect(seen).toMatchObject({commands: [undefined], closed: 1})
    expect(seen.text).toBe((await cli(line, {columns: 80})).stdout)
  })

  test.each([
    ['where it fits', 'config unset --help', {}],
    ['with --no-pager', 'asset sync --help --no-pager', {}],
    ['for a screen reader', 'asset sync --help', {env: {ACCESSIBLE: '1'}}],
    ['in a pipe', 'asset sync --help', {columns: undefined, rows: undefined}],
  ])('is written at once %s', async (_, line, circumstances) => {
    const {seen, pager} = keeping()
    const ran = await cli(line, {...window, pager, ...circumstances} as Circumstances)
    expect(ran.stdout).toContain('USAGE')
    expect(seen.commands).toEqual([])
  })
})
