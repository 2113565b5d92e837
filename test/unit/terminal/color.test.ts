import {expect, test} from 'vitest'
import {isColoured} from '../../../src/terminal/output.js'
import {everyCase} from '../../support/everyCase.js'

const flags = {always: 'always', never: 'never', auto: 'auto', '': undefined} as const

test('the first one set decides about colour: the flag, the variables, the terminal', () =>
  everyCase(
    [
      [true, '', {}, true],
      [false, '', {COLORTERM: 'truecolor'}, false],
      [false, 'always', {NO_COLOR: '1', TERM: 'dumb'}, true],
      [true, 'never', {FORCE_COLOR: '3', CLICOLOR_FORCE: '1'}, false],
      [false, 'auto', {}, false],
      [true, '', {NO_COLOR: '1', FORCE_COLOR: '3'}, false],
      [false, '', {NO_COLOR: '', FORCE_COLOR: '3'}, true],
      [true, '', {FORCE_COLOR: '0'}, false],
      [true, '', {FORCE_COLOR: 'false'}, false],
      [false, '', {FORCE_COLOR: 'true', CLICOLOR: '0'}, true],
      [false, '', {CLICOLOR_FORCE: '1', CLICOLOR: '0', TERM: 'dumb'}, true],
      [false, '', {CLICOLOR_FORCE: '0'}, false],
      [true, '', {CLICOLOR: '0'}, false],
      [true, '', {TERM: 'dumb', COLORTERM: 'truecolor'}, false],
    ] as const,
    async (isTerminal, flag, env, isShown) => {
      expect(isColoured(isTerminal, {flag: flags[flag], env})).toBe(isShown)
    },
  ))
