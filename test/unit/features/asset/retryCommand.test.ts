import {expect, test} from 'vitest'
import {type ParsedWord, retryCommand} from '../../../../src/features/asset/retryCommand.js'

const arg = (input: string): ParsedWord => ({type: 'arg', input})
const flag = (name: string, input: string): ParsedWord => ({type: 'flag', flag: name, input})

test('the line names the container, the files that are left, and every flag but --fresh', () => {
  const words = [
    arg('games/foo'),
    flag('platform', 'ios'),
    arg('a.bundle'),
    arg('b.bundle'),
    flag('fresh', '--fresh'),
    flag('stamp', '--no-stamp'),
    flag('quiet', '-q'),
  ]
  expect(retryCommand('asset upload', words, ['b.bundle'])).toBe(
    'roomctl asset upload games/foo b.bundle --platform ios --no-stamp -q',
  )
})

test('a file whose name looks like a flag stays an argument', () => {
  const words = [arg('games/foo'), arg('-x.bundle'), flag('platform', 'ios')]
  expect(retryCommand('asset upload', words, ['-x.bundle'])).toBe(
    'roomctl asset upload --platform ios -- games/foo -x.bundle',
  )
})

test('very many files are counted', () => {
  const names = Array.from({length: 21}, (_, at) => `${at}.bundle`)
  expect(retryCommand('asset upload', [arg('games/foo'), ...names.map(arg)], names)).toBe(
    'the same command with the 21 files that are not done',
  )
})
