import {describe, expect, test} from 'vitest'
import {cli, demoStore} from '../../support/cli.js'
import {instead, lost, page} from '../answers.js'
import {answering, bare} from './answer.js'

const line = ['asset', 'describe', 'games/puzzle', 'Levels of the puzzle game']
const isChange = ({method}: {method: string}) => method === 'PATCH'

describe('asset describe', () => {
  test('changes the description and nothing else', async () => {
    const store = await demoStore()
    const before = JSON.parse((await cli('asset info games/puzzle -o json', {store})).stdout)
    const ran = await cli(line, {store})
    expect(ran).toMatchObject({exit: 0, stderr: '', stdout: 'described container games/puzzle\n'})
    expect(ran.sent).toMatchObject([
      {method: 'PATCH', path: '/asset/games/puzzle/', body: {description: 'Levels of the puzzle game'}},
    ])
    const after = JSON.parse((await cli('asset info games/puzzle -o json', {store})).stdout)
    expect(after).toEqual({...before, description: 'Levels of the puzzle game'})
  })

  test('takes 204, and any other success without data, which it remarks upon', async () => {
    for (const status of [204, 200, 202]) {
      const transport = answering({'PATCH /games/foo/': bare(status)})
      const ran = await cli(['asset', 'describe', 'games/foo', 'x', '-o', 'json'], {transport})
      const remark = `warning: asset.describe was answered with HTTP ${status}; the document shows 204\n`
      expect(ran).toMatchObject({exit: 0, stderr: status === 204 ? '' : remark})
      expect(JSON.parse(ran.stdout)).toEqual({container: 'games/foo', description: 'x'})
    }
  })

  test('may empty it', async () => {
    const {exit, sent} = await cli(['asset', 'describe', 'games/puzzle', ''])
    expect([exit, sent[0]?.body]).toEqual([0, {description: ''}])
  })

  test('whose answer is lost may have been made: the description may have been there before', async () => {
    const ran = await cli(line, {transport: await instead(isChange, [() => page(200)], {applied: true})})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(ran.stderr).toMatch(/^error: the description of container games\/puzzle may have been changed: /u)
    expect(ran.stderr).toContain('the container has this description now; this run did not see it before\n')
  })

  test('fails with a reason where a read shows that it was not made', async () => {
    const transport = await instead(isChange, [() => lost('reset', 'maybe')])
    const ran = await cli([...line, '-o', 'json'], {transport, onWait: async () => undefined})
    expect(ran).toMatchObject({exit: 10, stdout: ''})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'none',
      why: 'the answer was lost, and the container, read again for 3 s, does not show the change',
    })
  })

  test('stays unknown where the service may still work on it', async () => {
    const transport = await instead(isChange, [() => lost('headers-timeout', 'maybe')])
    const ran = await cli([...line, '-o', 'json'], {transport})
    expect(JSON.parse(ran.stderr).error).toMatchObject({
      outcome: 'unknown',
      try: 'roomctl asset info games/puzzle',
    })
  })

  test('of a container that is not there ends with 6', async () => {
    expect(await cli(['asset', 'describe', 'games/nope', 'x'])).toMatchObject({exit: 6, stdout: ''})
  })

  test('without a text is refused before anything is sent', async () => {
    expect(await cli('asset describe games/puzzle')).toMatchObject({exit: 2, stdout: '', sent: []})
  })
})
