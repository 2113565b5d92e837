import {validateHeaderValue} from 'node:http'
import * as fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {Failure, type FailureFacts} from '../../../../src/failure.js'
import {assetFileId, createHeaders, originalFileName} from '../../../../src/upload/files/headers.js'
import {anyText} from '../../../support/anyText.js'
import {everyCase} from '../../../support/everyCase.js'

const job = {
  key: 'level1.bundle',
  container: 'games/foo',
  name: 'level1.bundle',
  platform: 'ios',
  description: 'Level 1',
} as const

function refused(make: () => unknown): FailureFacts {
  try {
    make()
  } catch (error) {
    if (error instanceof Failure) return error.facts
    throw error
  }
  throw new Error('it was not refused')
}

/** What a server reads of a header value: HTTP takes the spaces around it away. */
const read = (value: string | undefined) => decodeURIComponent((value ?? '').replace(/^[ \t]+|[ \t]+$/gu, ''))

/** The headers, or undefined if they are refused as they should be. */
function taken(changed: typeof job): Record<string, string> | undefined {
  try {
    return createHeaders(changed, 'percent')
  } catch (error) {
    expect(error).toBeInstanceOf(Failure)
    return undefined
  }
}

describe('the headers of a create request', () => {
  test('lose no space at the ends: it is encoded, or with raw refused', () => {
    expect(createHeaders({...job, description: '  two '}, 'percent').Description).toBe('%20%20two%20')
    expect(refused(() => createHeaders({...job, description: ' one'}, 'raw')).message).toContain('begins or ends')
  })

  test('give every text back that they take, and node takes them', () => {
    const texts = fc.string({unit: 'grapheme', minLength: 1})
    fc.assert(
      fc.property(texts, fc.constantFrom('name', 'description'), (text, field) => {
        const input = field === 'name' ? `a${text}.bundle` : text
        const value = taken({...job, [field]: input})?.[field === 'name' ? 'Original_File_Name' : 'Description']
        if (value === undefined) return
        expect(value).toMatch(/^[\x20-\x7e]+$/u)
        validateHeaderValue('name', value)
        expect(read(value)).toBe(field === 'name' ? input.normalize('NFC') : input)
      }),
    )
  })

  test('never hold a line break, in either encoding, whatever is given', () => {
    const hostile = fc.tuple(anyText(), fc.constantFrom('\r', '\n', '\0', '\u007f', '\u0085', '\ud800'))
    fc.assert(
      fc.property(hostile, fc.constantFrom('percent', 'raw'), ([text, bad], encoding) => {
        const facts = refused(() => createHeaders({...job, description: `${text}${bad}x`}, encoding as 'raw'))
        expect(facts.exit).toBe('usage')
      }),
    )
  })
})

describe('a refusal', () => {
  test('names the file and the reason', () =>
    everyCase(
      [
        [{name: 'README'}, 'the name README has no extension'],
        [{name: '.bundle'}, 'the name .bundle has no extension'],
        [{name: 'a.'}, 'the name a. has no extension'],
        [{name: 'x/a.bundle'}, 'x/a.bundle is no file name but a path'],
        [{name: 'x\\a.bundle'}, 'x\\a.bundle is no file name but a path'],
        [{name: 'a\nb.bundle'}, 'the file name holds a line break or another control character'],
        [{description: 'a\r\nX-Evil: 1'}, 'the description holds a line break or another control character'],
        [{description: ''}, 'the description is empty'],
        [{description: '  '}, 'the description is empty'],
        [{link: 'a b'}, 'this is not the uuid of an asset file'],
      ] as const,
      (change, what) => {
        const facts = refused(() => createHeaders({...job, ...change} as typeof job, 'percent'))
        expect(facts.exit).toBe('usage')
        expect(facts.message).toBe(`cannot upload level1.bundle to games/foo: ${what}`)
        expect(facts.try).toBeTruthy()
      },
    ))

  test('of a name that no header can carry does so too', () => {
    for (const name of ['a\nb.bundle', 'a\u001b[31m.bundle', 'a\ud800.bundle']) {
      expect(refused(() => originalFileName(name)).try).toContain('with --name')
    }
  })
})

test('a decomposed name, as macOS tells it, is sent composed', () => {
  const decomposed = '한글.bundle'.normalize('NFD')
  expect(decomposed).not.toBe('한글.bundle')
  expect(originalFileName(decomposed)).toBe('한글.bundle')
  expect(createHeaders({...job, name: decomposed}, 'percent').Original_File_Name).toBe('%ED%95%9C%EA%B8%80.bundle')
})

describe('the id of an asset file', () => {
  test('is refused if invalid', () =>
    everyCase(
      ['', '/', 'a b', 'ü', '.', '..', 'x/..', '../..', 'http://evil.example/a', 'a%2Fb', 'a\nb', 'a"b', 'a?b', 'a\\b'],
      (text) => {
        expect(refused(() => assetFileId(text)).exit).toBe('usage')
      },
    ))
})
