import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {type DocumentedCommand, readCommands} from '../../scripts/docs/commands.js'
import {endingsOf} from '../../scripts/docs/endings.js'
import {everyCase} from '../support/everyCase.js'
import {pjson, root} from '../support/repository.js'

const commands = readCommands(root)
const all = commands.map((command) => [command.name, command] as const)

describe('every command', () => {
  test('describes its rule in sentences', () =>
    everyCase(all, (_, command) => {
      expect(command.description.length).toBeGreaterThan(40)
      expect(command.description).toMatch(/^(?:[A-Z`-]|documented:).*\.$/su)
    }))

  test('has two examples or more, each with its own description', () =>
    everyCase(all, (_, command) => {
      expect(command.examples.length).toBeGreaterThanOrEqual(2)
      expect(new Set(command.examples.map(({description}) => description)).size).toBe(command.examples.length)
      for (const {description} of command.examples) expect(description).not.toBe('')
    }))

  test('shows itself in its first example', () =>
    everyCase(all, (_, command) => {
      const names = [command.name, ...command.aliases].map((name) => `roomctl ${name}`)
      expect(names.some((name) => command.examples[0]?.line.includes(name))).toBe(true)
    }))

  test('takes no secret on the command line', () =>
    everyCase(all, (_, command) => expect(flagsThatTakeASecret(command)).toEqual([])))

  test('explains each of its flags and arguments', () =>
    everyCase(all, (_, command) => {
      const silent = [
        ...command.flags.filter(({summary}) => !summary).map(({name}) => `--${name}`),
        ...command.arguments.filter(({description}) => !description).map(({name}) => name),
      ]
      expect(silent).toEqual([])
    }))

  test('fills no argument from stdin unasked', () =>
    everyCase(all, async (_, {source}) => {
      const {default: command} = (await import(path.join(root, source))) as {
        default: {args?: Record<string, {ignoreStdin?: boolean}>}
      }
      for (const [name, argument] of Object.entries(command.args ?? {})) {
        expect(argument.ignoreStdin, `argument ${name}`).toBe(true)
      }
    }))
})

/** Flags whose value would be the secret itself; files, commands and yes-or-no flags are not. */
function flagsThatTakeASecret({flags}: DocumentedCommand): string[] {
  return flags
    .filter((flag) => flag.type === 'option' && /token|secret|password|key$|credential/iu.test(flag.name))
    .filter((flag) => !('helpValue' in flag && (flag.helpValue === 'FILE' || flag.helpValue === 'COMMAND')))
    .map(({name}) => `--${name}`)
}

test('every command that sends files says that it can end by its state, a signal, or a file', () => {
  const sending = commands.filter(({flags}) => flags.some(({name}) => name === 'chunk-size'))
  expect(sending.map(({name}) => name)).toEqual(['asset resume', 'asset sync', 'asset upload'])
  for (const command of sending) {
    const exits = endingsOf(command, []).map(({exit}) => exit)
    expect(exits).toEqual(expect.arrayContaining(['state', 'file', 'interrupted', 'terminated']))
  }
})

describe('what a person reads first', () => {
  const topics: readonly string[] = [...JSON.stringify(pjson.oclif.topics).matchAll(/"description":"([^"]+)"/gu)].map(
    ([, text = '']) => text,
  )

  test('is imperative, in one line of at most 60 characters without a full stop, for every topic and command', () => {
    const summaries = [...topics, ...commands.map(({summary}) => summary)]
    // What begins with "Lists" describes, and "Rooms:" names a thing.
    expect(summaries.filter((text) => text.length > 60 || !/^[A-Z][a-z]+(?<!s),? .+[^.]$/u.test(text))).toEqual([])
  })
})
