import {expect, test} from 'vitest'
import {CommandOutcome} from '../../../../src/cli/runtime/runtime.js'
import {styleOf} from '../../../../src/text/text.js'
import {Screen} from '../../../support/screen.js'

test('a note that repeats unsafe text steers no terminal, and keeps its lines and colours', async () => {
  const screen = new Screen(80)
  const style = await styleOf(1)
  const mode = {machine: false, style, plain: false, debug: false, isCommand: () => false}
  const {warn, progress} = new CommandOutcome(screen.output, mode)
  warn(`${style.red('error:')} room\u001b[2J\u202e\n  why: \u001b]52;c;cm0=\u0007`)
  progress('on\rand\u009bon')
  expect(await screen.lines()).toEqual([
    'error: room\\u{1b}[2J\\u{202e}',
    '  why: \\u{1b}]52;c;cm0=\\u{7}',
    'on\\u{d}and\\u{9b}on',
  ])
  expect(screen.writes.join('')).toContain(style.red('error:'))
})
