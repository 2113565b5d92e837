import path from 'node:path'
import {expect, test} from 'vitest'
import {readCommands} from '../../scripts/docs/commands.js'
import {everyCase} from '../support/everyCase.js'
import {onTerminal, type TerminalRun} from '../support/pty.js'
import {Machine} from './machine.js'

const examples =
  readCommands(path.resolve(import.meta.dirname, '../..')).find(({name}) => name === 'config init')?.examples ?? []

test('every example of `config init` asks its questions on a terminal, and tries the services', () =>
  everyCase(examples, async ({line}) => {
    const [machine, server] = [Machine.make(), Machine.make()]
    let run: TerminalRun | undefined
    expect((await server.type('roomctl sandbox seed')).exit).toBe(0)
    await server.typeUntil('roomctl sandbox start --port 0', 'export ROOMCTL_ROOM_TOKEN=', async (stdout) => {
      const [, url = '', token = ''] = /ROOM_URL=(\S+)\n.*ROOM_TOKEN=(\S+)/su.exec(stdout) ?? []
      const {env, work: cwd} = machine
      run = await onTerminal({command: ['sh', '-c', line], env, cwd, steps: answers(line, url, token)})
    })
    for (const one of [machine, server]) one.remove()
    expect(run?.exit, run?.text).toBe(0)
    expect(run?.text).toContain('the room service accepts the token: 13 rooms')
  }))

function answers(line: string, url: string, token: string): {expect: string; send: string}[] {
  return [
    {expect: 'Profile file from a colleague', send: '\r'},
    ...(line.includes(' -p ') ? [] : [{expect: 'Name of the profile:', send: '\r'}]),
    {expect: 'Address of the room service', send: `${url}\r`},
    {expect: 'Token of the room service', send: `${token}\r`},
    {expect: 'Address of the asset service', send: '\r'},
    {expect: 'Address of the push service', send: '\r'},
    {expect: 'Application id', send: '\r'},
    {expect: 'Make changes as', send: '\r'},
    {expect: 'Require its name', send: 'n\r'},
  ]
}
