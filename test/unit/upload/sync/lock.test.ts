import {expect, test} from 'vitest'
import {type LockLine, lockText, parseLock} from '../../../../src/upload/sync/lock.js'
import {everyCase} from '../../../support/everyCase.js'
import {failing} from '../../../support/failures.js'

const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
const line = (path: string, sha256 = a): LockLine => ({path, uuid: 'u-1', sha256, size: 12})

test('is written bytewise by path, with tabs, line breaks and backslashes escaped', () => {
  // U+FF5E sorts behind U+1F600 by the units of JavaScript, and before it by its bytes.
  const paths = ['sub/b.txt', 'a\tb\nc\\d', '\u{1f600}', '\uff5e', 'B', 'a']
  expect(
    lockText(
      'games/foo bar',
      paths.map((path) => line(path)),
    ),
  ).toBe(
    [
      '# roomctl lock 1 games/foo bar',
      `B\tu-1\t${a}\t12`,
      `a\tu-1\t${a}\t12`,
      `a\\tb\\nc\\\\d\tu-1\t${a}\t12`,
      `sub/b.txt\tu-1\t${a}\t12`,
      `\uff5e\tu-1\t${a}\t12`,
      `\u{1f600}\tu-1\t${a}\t12`,
      '',
    ].join('\n'),
  )
})

test('is read as it was written', () => {
  const lines = ['a\tb\nc\\d', 'a\\tb', '\u{1f600}', '\uff5e', 'with\rreturn', 'zero'].map((path) => line(path, b))
  const read = parseLock(lockText('games/foo', lines), 'x.lock', 'games/foo')
  expect(new Set(read.values())).toEqual(new Set(lines))
  expect(parseLock(lockText('games/foo', []), 'x.lock', 'games/foo').size).toBe(0)
})

test('of another container or version is refused', () => {
  const text = lockText('games/foo', [line('a')])
  expect(failing(() => parseLock(text, 'x.lock', 'games/bar'))).toMatchObject({
    exit: 'file',
    message: 'the lock x.lock is for games/foo, not games/bar',
  })
  const newer = text.replace('lock 1', 'lock 2')
  expect(failing(() => parseLock(newer, 'x.lock', 'games/foo'))).toMatchObject({
    exit: 'file',
    why: expect.stringContaining('version 2'),
  })
})

test('that is damaged is refused with the line', () =>
  everyCase(
    [
      ['', 'line 1'],
      ['a\n', 'line 1'],
      ['# roomctl lock 1\n', 'line 1'],
      [`# roomctl lock 1 c\na\tu\t${a}\t1`, 'last line'],
      [`# roomctl lock 1 c\n\na\tu\t${a}\t1\n`, 'line 2'],
      [`# roomctl lock 1 c\na\tu\t${a}\n`, 'line 2'],
      [`# roomctl lock 1 c\na\tu\t${a}\t1\tx\n`, 'line 2'],
      [`# roomctl lock 1 c\na\tu\t${a.slice(1)}\t1\n`, 'line 2'],
      [`# roomctl lock 1 c\na\tu\t${a}\t-1\n`, 'line 2'],
      [`# roomctl lock 1 c\na\t../u\t${a}\t1\n`, 'line 2'],
      [`# roomctl lock 1 c\na\\x\tu\t${a}\t1\n`, 'line 2'],
      [`# roomctl lock 1 c\na\\\tu\t${a}\t1\n`, 'line 2'],
      [`# roomctl lock 1 c\nb\tu\t${a}\t1\na\tu\t${a}\t1\n`, 'line 3'],
      [`# roomctl lock 1 c\na\tu\t${a}\t1\na\tu\t${b}\t1\n`, 'line 3'],
    ] as const,
    (text, where) => {
      const facts = failing(() => parseLock(text, 'x.lock', 'c'))
      expect(facts).toMatchObject({exit: 'file', code: 'lock'})
      expect(`${facts.message} ${facts.why}`).toContain(where)
    },
  ))
