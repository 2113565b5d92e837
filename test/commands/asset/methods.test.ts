import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {answering, bare, json} from './answer.js'

const link = '</asset/games/foo/?type=meta>; rel="describedby"'
const allow = 'GET, POST,PATCH  OPTIONS'

async function methods(options: ReturnType<typeof bare>, head: ReturnType<typeof bare>, ...flags: string[]) {
  const transport = answering({'OPTIONS /games/foo/': options, 'HEAD /games/foo/': head})
  return cli(['asset', 'info', 'games/foo', '--methods', ...flags], {transport})
}

describe('asset info --methods', () => {
  test('sends OPTIONS and HEAD to the container', async () => {
    const ran = await cli('asset info games/puzzle --methods')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.sent.map(({method, path}) => `${method} ${path}`)).toEqual([
      'OPTIONS /asset/games/puzzle/',
      'HEAD /asset/games/puzzle/',
    ])
    expect(ran.stdout).toMatch(/Allow {2}GET, POST, PATCH, OPTIONS, HEAD {2}\(from OPTIONS and HEAD\)\n/)
    expect(ran.stdout).toContain('/asset/games/puzzle/?type=meta')
  })

  test('finds both headers wherever a service puts them', () =>
    everyCase(
      [
        ['the table', {allow}, {link}, ['OPTIONS'], ['HEAD']],
        ['the notes', {link}, {allow}, ['HEAD'], ['OPTIONS']],
        ['both', {allow, link}, {allow, link}, ['OPTIONS', 'HEAD'], ['OPTIONS', 'HEAD']],
        ['OPTIONS alone', {allow, link}, {}, ['OPTIONS'], ['OPTIONS']],
        ['HEAD alone', {}, {allow, link}, ['HEAD'], ['HEAD']],
      ],
      async (_, options, head, allowFrom, linkFrom) => {
        // A header that is not there must not be undefined either.
        const carried = (headers: object) => Object.fromEntries(Object.entries(headers))
        const ran = await methods(bare(200, carried(options)), bare(200, carried(head)), '-o', 'json')
        expect(ran).toMatchObject({exit: 0, stderr: ''})
        expect(JSON.parse(ran.stdout)).toEqual({
          container: 'games/foo',
          allow: ['GET', 'POST', 'PATCH', 'OPTIONS'],
          allow_from: allowFrom,
          link,
          link_from: linkFrom,
          options: {allow: null, link: null, headers: {}, body: null, ...options},
          head: {allow: null, link: null, headers: {}, body: null, ...head},
        })
      },
    ))

  test('says so where neither answer carries them', async () => {
    const ran = await methods(bare(204), bare(200))
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toBe('games/foo\n\n  Allow  (in neither answer)\n  Link   (in neither answer)\n')
  })

  test('is content with one of the two, and notes the other', async () => {
    const ran = await methods(bare(405), bare(200, {allow, link}))
    expect(ran.exit).toBe(0)
    expect(ran.stdout).toContain('Allow  GET, POST, PATCH, OPTIONS  (from HEAD)\n')
    expect(ran.stderr).toMatch(/^note: cannot ask container games\/foo for its operations: /)
    expect(JSON.parse((await methods(bare(405), bare(200, {allow}), '-o', 'json')).stdout).options).toBeNull()
  })

  test('shows the meta headers of HEAD and the body of OPTIONS', async () => {
    const meta = {date: 'today', 'x-container-owners': 'u-1\u202e', 'x-container-name': 'foo'}
    const options = json({operations: ['GET']})
    const {exit, stdout} = await methods(options, bare(200, meta))
    expect(exit).toBe(0)
    for (const text of ['x-container-owners', 'u-1\\u', 'operations', '"GET"']) expect(stdout).toContain(text)
    expect(stdout).not.toContain('today')
    expect(JSON.parse((await methods(options, bare(200, meta), '-o', 'json')).stdout)).toMatchObject({
      options: {body: {operations: ['GET']}},
      head: {headers: {'x-container-name': 'foo'}},
    })
  })

  test('fails where neither is answered', async () => {
    const ran = await methods(bare(404), bare(404))
    expect(ran).toMatchObject({exit: 6, stdout: ''})
    expect(ran.stderr).toMatch(/^error: cannot ask container games\/foo for its operations: /)
  })
})
