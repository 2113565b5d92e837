import {describe, expect, test} from 'vitest'
import type {Code} from '../../src/api/contract/codes.js'
import {instead, refusal} from '../commands/answers.js'
import {cli} from '../support/cli.js'
import {everyCase} from '../support/everyCase.js'
import {advised, cells, type changes, type states} from './refusedChanges.js'

describe('the advice of a refusal, in the state that is read', () => {
  test('does not name a state that the room is not in', () =>
    everyCase(cells, async (id, code, state) => {
      const {stderr} = await advised(id, code, state)
      const why = /\n {2}why: (.*)\n/u.exec(stderr)?.[1] ?? ''
      if (state !== 'ENDED') expect([stderr, why]).toEqual([stderr, expect.not.stringMatching(/is ENDED/u)])
    }))

  test.each<[keyof typeof changes, Code, (typeof states)[number], RegExp]>([
    ['room.delete', 'D001', 'RESERVED', /why: the room is RESERVED now, which allows it; .*\n {2}try: wait a moment/u],
    ['record.start', 'RE001', 'ENDED', /\n {2}try: create another room with room create\n/u],
    ['record.start', 'RE001', 'MEETING', /why: a recording is already running\n {2}try: roomctl record stop r-1\n/u],
    ['record.stop', 'RE001', 'MEETING', /why: no recording is running\n/u],
    ['attendee.token', 'CE001', 'MEETING', /^error: [^\n]* r-1: the service said no \(CE001\)\n$/u],
  ])('%s refused with %s in %s', async (id, code, state, text) => {
    expect((await advised(id, code, state)).stderr).toMatch(text)
  })
})

test('a read that is refused advises no flag of changes', async () => {
  for (const line of ['room list', 'room show r-1', 'attendee list r-1', 'record list r-1']) {
    const transport = await instead(() => true, [() => refusal('CE001')])
    const {stderr} = await cli(line, {transport})
    expect(stderr).toContain('\n  try: run the command again with --debug to see the request\n')
    expect((await cli(`${line} --debug`)).exit).not.toBe(2)
  }
})
