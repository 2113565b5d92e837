import {readdirSync} from 'node:fs'
import {beforeAll, describe, expect, test} from 'vitest'
import {installedPlace, type Tried, tried, typed} from './interactive.js'
import type {Place} from './place.js'
import {environmentOf, type Service, sendJson, serve, success, summary} from './service.js'

/** Ids that would do something if a shell ran, expanded or split its words. Each has a first letter of its own. */
const ids = [
  'a-$(touch pwned-a)',
  'c-it\'s "hi"',
  'e-one two;touch pwned-e&b|c>pwned-f',
  'g-!!x!y',
  'i-김민준',
  'j-*?[a]{b,c}$HOME%n',
  'n-a:b=c@d~#^(x)',
  // The last one, as bash runs no completion after a backquote, even a quoted one.
  'q-`touch pwned-q`',
]
const names = [
  'name $(touch pwned-n1)',
  '`touch pwned-n2`',
  '\u001b]0;owned\u0007title',
  'line\nbreak',
  'tab\ttab',
  '%F{red}%n\'"',
  '\u202eevil',
]
/** These cannot be typed, so they are not offered. */
const untypable = ['x-\u001b[31mred', 'y-line\nbreak', 'z-\u202e']

let service: Service

beforeAll(async () => {
  const all = [...ids, ...untypable].map((id, at) => summary(id, {name: names[at % names.length]}))
  service = await serve((path, response) => {
    if (path === '/v1/rooms') sendJson(response, success(all))
    else if (path.endsWith('/recordings')) sendJson(response, {status: 'FAIL', error_code: 'RE003'})
    else sendJson(response, {}, 404)
  })
})

/** The ids of the rooms that the service was asked for since `from`; a command asks for several at once. */
function shown(from: number): string[] {
  return service.asked
    .slice(from)
    .flatMap(({path}) => /^\/v1\/rooms\/(.+)\/recordings$/u.exec(path)?.[1] ?? [])
    .map(decodeURIComponent)
    .sort()
}

describe.each(tried)('in %s', (name) => {
  let place: Place

  beforeAll(async () => {
    place = await installedPlace(name, environmentOf(service))
  })

  test('hostile ids reach the command unchanged, and nothing in them is run or expanded', {
    timeout: 70_000,
  }, async () => {
    const from = service.asked.length
    const seen = await enter(name, place, '')
    expect(shown(from)).toEqual(ids)
    expect(readdirSync(place.dir).filter((file) => file.startsWith('pwned'))).toEqual([])
    expect(seen).not.toContain('\u202e')
  })

  test.each(['"', "'"])('the same behind an open %s', {timeout: 70_000}, async (quote) => {
    const from = service.asked.length
    await enter(name, place, quote)
    expect(shown(from)).toEqual(ids)
    expect(readdirSync(place.dir).filter((file) => file.startsWith('pwned'))).toEqual([])
  })

  test('a list of hostile names is shown on one line each, without their escapes', async () => {
    const seen = await typed(name, place, [{send: 'roomctl room show \t\t', expect: 'title'}])
    expect(seen).toContain('\\u{1b}]0;owned\\u{7}title')
    expect(seen).toContain('line\\u{a}break')
    expect(seen).not.toContain('x-')
    expect(readdirSync(place.dir).filter((file) => file.startsWith('pwned'))).toEqual([])
  })

  test('a tab on an unknown word leaves the line as it is', async () => {
    await typed(name, place, [
      {send: 'roomctl room show nothing-like-it\t\r', expect: 'cannot read room nothing-like-it:'},
      {send: 'roomctl nonsense r\t\r', expect: 'unknown command "nonsense"'},
    ])
  })
})

/** Completes each id by its first letter behind the quote, all on one line, and enters it. */
function enter(name: Tried, place: Place, quote: string): Promise<string> {
  const words = ids.map((id) => `${quote}${id.charAt(0)}-\t`).join('')
  return typed(name, place, [{send: `roomctl record list ${words}\r`, expect: 'no recordings'}])
}
