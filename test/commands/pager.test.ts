import {Writable} from 'node:stream'
import {expect, test} from 'vitest'
import type {Pager} from '../../src/terminal/output.js'
import {OutputWriter} from '../../src/terminal/output.js'
import {cli} from '../support/cli.js'

/** A pager that keeps what it is given, and the commands it was started with. */
function keeping() {
  const seen = {commands: [] as string[], text: '', closed: 0}
  const sink = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      seen.text += String(chunk)
      done()
    },
  })
  const pager = async (command: string): Promise<Pager> => {
    seen.commands.push(command)
    return {
      output: new OutputWriter(sink),
      close: async () => {
        seen.closed += 1
      },
    }
  }
  return {seen, pager}
}

const env = {ROOMCTL_PAGER: 'less -FRX'}

test('a table on a terminal goes through the pager that is set', async () => {
  const {seen, pager} = keeping()
  const ran = await cli('room list', {env, pager, columns: 200})
  expect(ran).toMatchObject({exit: 0, stdout: ''})
  expect(seen).toMatchObject({commands: ['less -FRX'], closed: 1})
  expect(seen.text).toContain('r-standup')
})

test.each([
  ['in a pipe', 'room list', undefined],
  ['for a machine format', 'room list -o json', 200],
])('no pager is started %s', async (_, line, columns) => {
  const {seen, pager} = keeping()
  const ran = await cli(line, {env, pager, ...(columns ? {columns} : {})})
  expect(seen.commands).toEqual([])
  expect(ran.stdout).toContain('r-standup')
})

test('a pager that cannot be started is said, and the table comes without it', async () => {
  const ran = await cli('room list', {env: {ROOMCTL_PAGER: 'no-such-pager'}, columns: 200})
  expect(ran.stderr).toBe('the pager cannot be started: no-such-pager\n')
  expect(ran.stdout).toContain('r-standup')
})
