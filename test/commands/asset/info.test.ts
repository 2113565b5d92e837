import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {page} from '../answers.js'
import {answering, json} from './answer.js'

describe('asset info', () => {
  test('is a card for people', async () => {
    const ran = await cli('asset info games/puzzle')
    expect(ran).toMatchObject({exit: 0, stderr: ''})
    expect(ran.stdout).toBe(
      'puzzle\n\n  UUID         c-puzzle\n  Type         BasicContainer\n  Parents      /games/\n' +
        '  Description  퍼즐 — the puzzle game\n  Owners       sandbox\n',
    )
    expect(ran.sent).toMatchObject([{method: 'GET', path: '/asset/games/puzzle/?type=meta'}])
  })

  test('returns the reply to programs, with all its members', async () => {
    const meta = {_id: 'x', uuid: 'u', name: 'foo', owners: ['ann', 'ben'], quota: {bytes: 7}}
    const transport = answering({'GET /games/foo/?type=meta': json(meta)})
    expect(JSON.parse((await cli('asset info games/foo -o json', {transport})).stdout)).toEqual(meta)
    expect((await cli('asset info games/foo -o csv --columns uuid,owners', {transport})).stdout).toBe(
      'uuid,owners\nu,"[""ann"",""ben""]"\n',
    )
    expect((await cli('asset info games/foo -q', {transport})).stdout).toBe('u\n')
  })

  test('of a container that is not there ends with 6', async () => {
    expect(await cli('asset info games/nope')).toMatchObject({exit: 6, stdout: ''})
  })

  test('of an answer that is no JSON ends with 10', async () => {
    const transport = answering({'GET /games/foo/?type=meta': () => page(200)})
    const ran = await cli('asset info games/foo', {transport})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toContain('the answer is an HTML page, not JSON')
  })

  test('of JSON that is no metadata of a container ends with 10', () =>
    everyCase([[{}], [[]], [{status: 'SUCCESS'}], [{description: 'x'}]], async (body) => {
      const transport = answering({'GET /games/foo/?type=meta': json(body)})
      const ran = await cli('asset info games/foo -o json', {transport})
      expect(ran).toMatchObject({exit: 10, stdout: ''})
      expect(JSON.parse(ran.stderr).error).toMatchObject({code: 'broken-answer', outcome: 'none'})
    }))
})
