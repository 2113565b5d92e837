import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {appendPath} from '../../../../src/api/http/network/address.js'
import {fillRoute} from '../../../../src/api/http/route/route.js'
import {parseContainer, parseResource, pathArgument} from '../../../../src/features/asset/paths.js'
import {anyText} from '../../../support/anyText.js'
import {everyCase} from '../../../support/everyCase.js'
import {failing} from '../../../support/failures.js'

const base = new URL('https://assets.test/asset')
const bases = [base, new URL('https://assets.test'), new URL('http://127.0.0.1:8080/a%20b/%ED%9A%8C')]

const name = fc
  .oneof(
    fc.string({unit: 'grapheme', minLength: 1, maxLength: 12}),
    fc.stringMatching(/^[.%25eE?#&+;:@ ~가a0-]{1,10}$/),
  )
  .filter((text) => text !== '.' && text !== '..' && !/[/\\\p{Cc}\p{Cs}]/u.test(text))
const container = fc.array(name, {minLength: 1, maxLength: 5}).map((names) => names.join('/'))

const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/')
const addressOf = (path: string, at = base) =>
  appendPath(at, fillRoute('/{container}/', {container: path}, 'container'))

describe('a container that an argument names', () => {
  test('is read from a path or a uri, its escapes decoded once', () =>
    everyCase(
      [
        ['games', 'games'],
        ['games/foo', 'games/foo'],
        ['/games/foo/', 'games/foo'],
        ['games/foo/', 'games/foo'],
        ['/asset/games/foo/', 'games/foo'],
        ['asset/games', 'asset/games'],
        ['/assets/games', 'assets/games'],
        ['https://assets.test/asset/games/foo/', 'games/foo'],
        ['HTTPS://ASSETS.test:443/asset/games/foo', 'games/foo'],
        ['/asset/games/foo/?type=meta', 'games/foo'],
        ['games/foo/?type=all', 'games/foo'],
        ['games/%ED%9A%8C', 'games/회'],
        ['games/회', 'games/회'],
        ['a%41', 'aA'],
        ['a%2541', 'a%41'],
        ['100%', '100%'],
        ['50%/a%20b', '50%/a b'],
        ['%ff', '%ff'],
        ['%252e%252e', '%2e%2e'],
        ['a+b', 'a+b'],
        ['...', '...'],
        ['what%3F', 'what?'],
      ],
      (text, path) => {
        expect(parseContainer(text, base)).toBe(path)
      },
    ))

  test('is the same after uri, argument and path, with any name and address', () => {
    fc.assert(
      fc.property(container, fc.constantFrom(...bases), (path, at) => {
        const uri = addressOf(path, at)
        expect(parseContainer(uri.href, at)).toBe(path)
        expect(parseContainer(uri.pathname, at)).toBe(path)
        expect(parseContainer(`/${encoded(path)}/`, at)).toBe(pathBelow(path, at))
        expect(parseContainer(encoded(path), at)).toBe(path)
      }),
      {numRuns: 100},
    )
  })

  test('can be typed as advice shows it', () => {
    fc.assert(
      fc.property(container, (path) => {
        const word = pathArgument(path)
        expect(parseContainer(word, new URL('https://assets.test/some/where/else'))).toBe(path)
        expect(word.startsWith('-')).toBe(false)
      }),
      {numRuns: 100},
    )
  })

  test('is refused where a path could mean something else', () =>
    everyCase(
      [
        ['', 'the path names no container'],
        ['/', 'the path names no container'],
        ['/asset', 'the path names no container'],
        ['/asset/', 'the path names no container'],
        ['https://assets.test/asset/', 'the path names no container'],
        ['//host/games', 'the path contains an empty name'],
        ['games//foo', 'the path contains an empty name'],
        ['games/foo//', 'the path contains an empty name'],
        ['..', 'the path contains the name ".."'],
        ['.', 'the path contains the name "."'],
        ['games/../other', 'the path contains the name ".."'],
        ['games/%2e%2e/other', 'the path contains the name ".."'],
        ['games/%2E./other', 'the path contains the name ".."'],
        ['/asset/../admin', 'the path contains the name ".."'],
        ['https://assets.test/asset/../admin/', 'the path contains the name ".."'],
        ['https://assets.test/asset/%2e%2e/admin/', 'the path contains the name ".."'],
        ['games/a%2Fb', 'the path contains the name "a/b"'],
        ['games\\foo', 'the path contains the name "games\\foo"'],
        ['games/%5c..', 'the path contains the name "\\.."'],
        ['games/a\nb', 'the path contains the name "a\\u{a}b"'],
        ['games/a%0d%0aX', 'the path contains the name "a\\u{d}\\u{a}X"'],
        ['games/a\u0085', 'the path contains the name "a\\u{85}"'],
        ['games/\ud800', 'the path contains the name "\\u{d800}"'],
        ['games/what?', 'the path contains a bare "?"'],
        ['games/foo?type=asset', 'the path contains a bare "?"'],
        ['games/c#', 'the path contains a bare "#"'],
      ],
      (text, message) => {
        expect(failing(() => parseContainer(text, base))).toMatchObject({exit: 'usage', message})
      },
    ))

  test('must be on the service; another address is not repeated', () =>
    everyCase(
      [
        'https://evil.test/asset/games/',
        'http://assets.test/asset/games/',
        'https://assets.test:8443/asset/games/',
        'https://assets.test.evil.test/asset/games/',
        'https://assets.test/assets/games/',
        'https://assets.test/',
        'https://assets.test',
        'https://assets.test@evil.test/asset/games/',
        'https://user:pass@assets.test/asset/games/',
        'https://assets.test\\@evil.test/asset/games/',
        'https://asse\tts.test/asset/games/',
        'ftp://assets.test/asset/games/',
        'file:///asset/games/',
      ],
      (text) => {
        const facts = failing(() => parseContainer(text, base))
        expect(facts).toMatchObject({exit: 'usage', message: 'the address is not on the asset service'})
        expect(JSON.stringify(facts)).not.toContain('pass')
      },
    ))

  test('never leaves the service, with any input', () => {
    fc.assert(
      fc.property(fc.oneof(anyText({maxLength: 30}), fc.stringMatching(/^[./\\%2eE:@?#h\ud800\n]{1,14}$/)), (text) => {
        const path = containerOrRefusal(text)
        if (path === undefined) return
        const url = addressOf(path)
        expect(url.href.startsWith('https://assets.test/asset/')).toBe(true)
        expect([url.search, url.hash]).toEqual(['', ''])
      }),
      {numRuns: 100},
    )
  })
})

describe('a resource that an argument names', () => {
  test('is read from a path or a uri, with any view', () =>
    everyCase(
      [
        ['games/foo/a-1', 'games/foo', 'a-1'],
        ['/games/a-1', 'games', 'a-1'],
        ['/asset/games/foo/a-1?type=asset', 'games/foo', 'a-1'],
        ['https://assets.test/asset/games/foo/a-1?type=meta', 'games/foo', 'a-1'],
        ['https://assets.test/asset/games/a%2541?type=catalog', 'games', 'a%41'],
      ],
      (text, container, uuid) => {
        expect(parseResource(text, base)).toEqual({container, uuid})
      },
    ))

  test('is the same after uri, argument and path', () => {
    fc.assert(
      fc.property(container, name, (path, uuid) => {
        const values = {container: path, uuid}
        const uri = appendPath(base, fillRoute('/{container}/{uuid}', values, 'container'), {type: 'asset'})
        expect(parseResource(uri.href, base)).toEqual(values)
        expect(parseResource(`${uri.pathname}${uri.search}`, base)).toEqual(values)
      }),
      {numRuns: 100},
    )
  })

  test('is not a container, whose uri ends with a slash', () => {
    expect(failing(() => parseResource('/asset/games/a b%25/', base))).toEqual({
      code: 'container',
      exit: 'usage',
      message: '/asset/games/a b%25/ is a container, not a resource',
      why: 'the uri of a container ends with a slash',
      try: "roomctl asset list 'games/a b%25'",
    })
  })

  test('is refused without a container', () =>
    everyCase(['a-1', '/a-1', '/asset/a-1'], (text) => {
      expect(failing(() => parseResource(text, base))).toMatchObject({
        exit: 'usage',
        message: `${text} names no resource`,
      })
    }))
})

/** A path that is typed with a slash before it and begins with the service's own path is taken for a uri. */
function pathBelow(path: string, at: URL): string {
  const prefix = decodeURI(at.pathname).slice(1)
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path
}

function containerOrRefusal(text: string): string | undefined {
  try {
    return parseContainer(text, base)
  } catch {
    return undefined
  }
}
