import {expect, test} from 'vitest'
import {parseWords} from '../../../../src/cli/flags/commandLine.js'
import RoomEnd from '../../../../src/commands/room/end.js'
import RoomUpdate from '../../../../src/commands/room/update.js'
import {cli} from '../../../support/cli.js'
import {everyCase} from '../../../support/everyCase.js'

const flags = {...RoomEnd.baseFlags, ...RoomEnd.flags, ...RoomUpdate.flags} as Parameters<typeof parseWords>[0]

test('words become flags with their values, arguments, and the flag that awaits a value', () =>
  everyCase(
    [
      ['r-1 -yq', {flags: {yes: [], quiet: []}, args: ['r-1']}],
      ['-yo json r-1', {flags: {yes: [], output: ['json']}, args: ['r-1']}],
      ['-ojson -p=live -', {flags: {output: ['json'], profile: ['live']}, args: ['-']}],
      ['--no-joinable --max=3', {flags: {joinable: [], max: ['3']}, args: []}],
      ['--query -x -- --yes', {flags: {query: ['-x']}, args: ['--yes'], dashed: true}],
      ['r-1 --query', {flags: {query: []}, args: ['r-1'], awaited: true}],
      ['--yes=no', {flags: {yes: ['no']}, args: [], valued: 'yes'}],
      ['-y=no', {flags: {yes: ['no']}, args: [], valued: 'yes'}],
      ['-y --nonsense', {flags: {yes: []}, args: [], hasUnknown: true}],
    ] as const,
    (line, expected) => {
      const {flags: given, awaited, ...rest} = parseWords(flags, line.split(' '))
      expect({...rest, flags: Object.fromEntries(given), awaited: awaited !== undefined}).toEqual({
        ...{dashed: false, awaited: false, valued: undefined, hasUnknown: false},
        ...expected,
      })
    },
  ))

test('all missing words are named at once, after other errors', () =>
  everyCase(
    [
      ['push register', 'USER and --type are missing'],
      ['push register --retries x=y --nonsense', 'unknown flag --nonsense'],
      ['asset upload games/puzzle none.bundle --platform', '--platform expects a value'],
      ['room end r-1 -y=no', '--yes takes no value'],
    ] as const,
    async (line, message) => {
      expect(await cli(line)).toMatchObject({exit: 2, stderr: expect.stringContaining(`error: ${message}\n`)})
    },
  ))
