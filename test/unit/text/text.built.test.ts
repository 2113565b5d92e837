import {execFileSync} from 'node:child_process'
import {expect, test} from 'vitest'
import {shellWord} from '../../../src/advice.js'

test.each([
  'r-1',
  '/home/a/.config/x',
  'user@host:8443',
  "Ann's room",
  '회의 1',
  '$HOME; ls',
  'a\nb',
  '',
  '*',
  '~',
  '`id`',
])('a shell takes %j as it was', (text) => {
  expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], {encoding: 'utf8'})).toBe(text)
})

test('a plain word has no quotation', () => {
  expect(shellWord('games/u-1')).toBe('games/u-1')
})
