import {expect, test} from 'vitest'
import {githubCommand, withoutCommands} from '../../../../src/features/asset/ciLog.js'

test('a command of GitHub escapes its message, and more in its properties', () => {
  expect(githubCommand('error', 'a: 100 %,\r\nb ##[c]', {file: 'd:e,f%\r\n', title: 'g'})).toBe(
    '::error file=d%3Ae%2Cf%25%0D%0A,title=g::a: 100 %25,%0D%0Ab #\\u{23}[c]',
  )
  expect(githubCommand('group', 'a')).toBe('::group::a')
})

test('other text begins no command, at the beginning of a line or behind white space, a line break or a carriage return', () => {
  expect(withoutCommands('::a::\n \t::b\r::c d::e\u2028::f ##[g]###[h]', false)).toBe(
    '\\u{3a}:a::\n \t\\u{3a}:b\r\\u{3a}:c d::e\u2028\\u{3a}:f #\\u{23}[g]##\\u{23}[h]',
  )
  const value = {'::a': ['##[b]', '::c']}
  const text = withoutCommands(JSON.stringify(value, null, 2), true)
  expect(text).not.toContain('##[')
  expect(JSON.parse(text)).toEqual(value)
})
