import {describe, expect, test} from 'vitest'
import type {Transport} from '../../../src/api/http/wire/transport.js'
import {configureSandbox} from '../../../src/sandbox/demo/scenarios.js'
import {cli, demoStore, esc} from '../../support/cli.js'
import {success, terminal} from '../answers.js'

test('the service decides whether an ENDED room can be deleted, and a refusal names both texts', async () => {
  expect((await cli('room delete r-retro --yes')).exit).toBe(0)
  const store = await demoStore()
  await configureSandbox(store, {deleteEnded: 'refuse'})
  const ran = await cli('room delete r-retro --yes', {store})
  expect(ran.exit).toBe(7)
  expect(ran.stderr).toContain('one text allows')
  expect(ran.stderr).toContain('RESERVED')
})

describe('the name to type', () => {
  const room = (detail: object): Transport => {
    return ({method}) => Promise.resolve(method === 'GET' ? success({room_id: 'r-1', ...detail}) : success())
  }

  test('is typed with or without spaces around it', async () => {
    expect((await cli('room delete r-townhall', terminal(80, '  Town hall '))).exit).toBe(0)
    expect((await cli('room delete r-kickoff', terminal(80, '프로젝트 착수 회의'))).exit).toBe(0)
    expect((await cli('room delete r-townhall', terminal(80, 'town hall'))).exit).toBe(13)
    expect((await cli('room delete r-townhall', terminal(80, 'R-TOWNHALL'))).exit).toBe(13)
  })

  test('may be the id instead of the name', async () => {
    const ran = await cli('room delete r-townhall', terminal(80, 'r-townhall'))
    expect(ran).toMatchObject({
      exit: 0,
      asked: [expect.stringMatching(/Type "Town hall" or "r-townhall" to confirm:$/)],
    })
  })

  test('has three tries, and each names the expected text', async () => {
    const second = await cli('room delete r-townhall', terminal(80, 'Town', 'Town hall'))
    expect(second).toMatchObject({exit: 0, stderr: 'expected Town hall or r-townhall, got Town\n'})
    const never = await cli('room delete r-townhall', terminal(80, 'a', 'b', 'c'))
    expect(never).toMatchObject({exit: 13, stdout: ''})
    expect(never.asked).toHaveLength(3)
    expect(never.stderr.split('\n').slice(-3)).toEqual([
      'expected Town hall or r-townhall, got c',
      'cancelled; nothing was sent',
      '',
    ])
    expect(never.sent.map(({method}) => method)).toEqual(['GET'])
  })

  test('that is not typed at all, or answered by Esc, cancels at once', async () => {
    for (const answer of ['', esc]) {
      const ran = await cli('room delete r-townhall', terminal(80, answer))
      expect(ran).toMatchObject({exit: 13, stderr: 'cancelled; nothing was sent\n'})
      expect(ran.asked).toHaveLength(1)
    }
  })

  test('is the id where the room has no name, or one that cannot be typed', async () => {
    for (const name of [undefined, null, '', '  ', 'tab\there', '\u001b[2J', 'zero\u200bwidth']) {
      const ran = await cli('room delete r-1 --as ann', {transport: room({name}), ...terminal(80, 'r-1')})
      expect(ran.asked[0]).toMatch(/Type "r-1" to confirm:$/)
      expect(ran.exit).toBe(0)
    }
  })
})
