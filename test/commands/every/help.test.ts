import {describe, expect, test} from 'vitest'
import {documentedCommands} from '../../../scripts/docs/commands.js'
import {builtParts} from '../../support/builtParts.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'

const commands = documentedCommands((await builtParts()).manifest).map(({name}) => name)
/** Lines to type, and JSON, are shown whole. */
const isTyped = (line: string) => /^ +(?:\$ |[{}"])/u.test(line)

describe('the help of every command', () => {
  test('fits into 80 columns, but for lines to type', () =>
    everyCase(commands, async (name) => {
      const {stdout, exit} = await cli(`${name} --help`, {columns: 80, env: {NO_COLOR: '1'}})
      expect(exit).toBe(0)
      expect(stdout.split('\n').filter((line) => line.length > 80 && !isTyped(line))).toEqual([])
    }))

  test('is the same before and behind its name, and names no American colour', () =>
    everyCase(commands, async (name) => {
      const {stdout} = await cli(`${name} --help`)
      expect(await cli(`help ${name}`)).toMatchObject({stdout, exit: 0})
      expect(stdout.replace(/--color\S*/gu, '')).not.toMatch(/color|behavior|canceled|authoriz|recogniz/iu)
    }))
})
