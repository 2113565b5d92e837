import {describe, expect, test} from 'vitest'
import {cli} from '../../support/cli.js'
import {reply} from '../answers.js'
import {doctor, foundIn, healthy} from './healthy.js'

describe('doctor on the sandbox', () => {
  test('finds nothing, sends only reads and ends with 0', async () => {
    const ran = await cli('doctor -o json')
    const {all, found} = foundIn(ran)
    expect({exit: ran.exit, found}).toEqual({exit: 0, found: []})
    const machine = ['program', 'profile']
    expect(all.map(({check}) => check)).toEqual([...machine, 'room answer', 'asset answer', 'push answer'])
    expect(ran.sent.map(({method}) => method).sort()).toEqual(['GET', 'OPTIONS'])
  })

  test('calls no token accepted that a gateway answered for, which knows no container', async () => {
    const transport = async () => reply('', {status: 204})
    expect(foundIn(await cli('doctor -o json', {transport})).named('asset answer')).toMatchObject([
      {
        what: 'not checked: it answers alike for a container that is probably missing',
        fix: 'name a container as an argument',
      },
    ])
  })

  test('asks about a container and an application that are named', async () => {
    const ran = await cli('doctor -o json game --application-id app-1')
    expect(ran.sent.map(({path}) => path)).toContain('/asset/game/')
    const {named} = foundIn(ran)
    expect(named('push answer')).toMatchObject([{state: 'ok', what: expect.stringContaining('token accepted')}])
  })

  test('shows a table with a word and a sign for each state, and a line to sum up', async () => {
    const {stdout, stderr, exit} = await cli('doctor')
    expect(exit).toBe(0)
    expect(stdout).toMatch(/^CHECK\s+STATE\s+WHAT\s+FIX\n/u)
    expect(stdout).toMatch(/^room answer\s+✓ ok\s+token accepted; 13 rooms/mu)
    expect(stderr).toMatch(/^5 checks passed, \d hints\n$/u)
  })

  test('says hint where nothing is wrong and something could be had better, and ok to programs', async () => {
    const hinted = foundIn(await cli('doctor -o json')).all.filter(({state, fix}) => state === 'ok' && fix !== null)
    expect(hinted.length).toBeGreaterThan(0)
    const hints = `, ${hinted.length} hint${hinted.length === 1 ? '' : 's'}\n`
    for (const columns of [undefined, 80]) {
      const {stdout, stderr} = await cli('doctor', columns === undefined ? {} : {columns, env: {NO_COLOR: '1'}})
      expect(stdout.match(/i hint /gu)).toHaveLength(hinted.length)
      expect(stderr).toContain(hints)
    }
  })

  test('cuts no fix on a narrow terminal', async () => {
    const {stdout} = await cli('doctor', {columns: 60, env: {NO_COLOR: '1'}})
    expect(stdout).not.toContain('…')
    expect(stdout).toMatch(/^i hint {2}profile {7}no profile file yet/mu)
  })
})

test('a healthy machine has no findings', async () => {
  const machine = await healthy()
  const {found, exit} = await doctor(machine)
  expect({found, exit}).toEqual({found: [], exit: 0})
  expect(machine.arrived.toSorted()).toEqual(['GET /media/v1/rooms', 'OPTIONS /asset/roomctl-doctor/'])
})

test('with nothing set up it says how to begin, and ends with 15', async () => {
  const ran = await cli('doctor -p default -o json')
  expect(ran.exit).toBe(15)
  expect(foundIn(ran).found).toMatchObject([
    {check: 'services', state: 'warn', fix: expect.stringContaining('roomctl config init')},
  ])
})

test('a variable of the wrong form ends it with 2 and is named', async () => {
  const ran = await cli('doctor', {env: {ROOMCTL_CONCURRENCY: 'many'}})
  expect(ran).toMatchObject({exit: 2, stdout: ''})
  expect(ran.stderr).toContain('ROOMCTL_CONCURRENCY must be')
})
