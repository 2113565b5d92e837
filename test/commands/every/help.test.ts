import type {Command} from '@oclif/core/command'
import {Ajv2020} from 'ajv/dist/2020.js'
import {beforeAll, describe, expect, test} from 'vitest'
import {documentedCommands} from '../../../scripts/docs/commands.js'
import {commonFlags, commonGroups} from '../../../src/cli/flags/flags.js'
import type {ListedCommand} from '../../../src/cli/help/commandList.js'
import {readFieldFile} from '../../../src/cli/help/fields.js'
import {builtManifest} from '../../support/builtManifest.js'
import {cli} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {readText, root} from '../../support/repository.js'

const manifest = await builtManifest()
const commands = documentedCommands(manifest)
const names = commands.map(({name}) => name)
/** Lines to type, and JSON, are shown whole. */
const isTyped = (line: string) => /^ +(?:\$ |[{}"']|[\w.]+=')/u.test(line)
/** The first words of the lines below a heading. */
const listed = (page: string, heading: string) =>
  (
    page
      .split(`\n${heading}\n`)[1]
      ?.split('\n\n')[0]
      ?.match(/^ {2}-.*/gmu) ?? []
  ).map((line) => /--(?:\[no-\])?([\w-]+)/u.exec(line)?.[1])

const inWindow = {columns: 80, env: {NO_COLOR: '1'}}
const short = new Map<string, string>()
const whole = new Map<string, string>()
beforeAll(async () => {
  for (const name of names) {
    short.set(name, (await cli(`${name} --help`, inWindow)).stdout)
    whole.set(name, (await cli(`help ${name} --all`, inWindow)).stdout)
  }
})

describe('the help of every command', () => {
  test('fits into 80 columns, but for lines to type, and has no section sign', () =>
    everyCase(names, (name) => {
      const lines = `${short.get(name)}\n${whole.get(name)}`.split('\n')
      expect(lines.filter((line) => (line.length > 80 && !isTyped(line)) || line.includes('§'))).toEqual([])
    }))

  test('has at most 45 lines, half of them at most 30, and the examples on the first 24', () => {
    const rows = (page = '') =>
      page
        .trimEnd()
        .split('\n')
        .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 80)), 0)
    const counts = names.map((name) => [name, rows(short.get(name))] as const).sort(([, a], [, b]) => a - b)
    expect(counts.filter(([, count]) => count > 45)).toEqual([])
    const hidden = names.filter((name) => rows(short.get(name)?.split(/^(?:FLAGS| {2}Common flags.*)$/mu)[0]) > 24)
    expect(hidden).toEqual([])
    expect(counts[Math.ceil(counts.length / 2)]?.[1]).toBeLessThanOrEqual(30)
  })

  test('has usage, arguments, the rule, examples, flags and what says more, in this order', () =>
    everyCase(commands, ({name, arguments: words, description, flags, common}) => {
      const page = (short.get(name) ?? '').replace(
        /^ {2}(?=[^ ])(?!\[|-|Flags|Common|More|roomctl)[^ ].*\n(?:.+\n)*(?=\nEXAMPLES\n)/mu,
        'RULE\n',
      )
      const hasFlags = flags.length > 0 || common.some((flag) => flag.name === 'dry-run' || flag.name === 'yes')
      expect(page.match(/^(?:[A-Z]+$| {2}(?:Common flags|More): )/gmu)).toEqual([
        'USAGE',
        ...(words.length > 0 ? ['ARGUMENTS'] : []),
        ...(description ? ['RULE'] : []),
        'EXAMPLES',
        ...(hasFlags ? ['FLAGS'] : []),
        '  Common flags: ',
        '  More: ',
      ])
    }))

  test('and that of every topic and of roomctl itself has at most 60 lines of at most 80 columns', () => {
    const ends = names.flatMap((name) => [...name.matchAll(/ /gu)].map(({index}) => name.slice(0, index)))
    return everyCase([...new Set(['', ...ends])], async (topic) => {
      const lines = (await cli(`${topic} --help`.trim(), inWindow)).stdout.trimEnd().split('\n')
      expect(lines).toContain('USAGE')
      expect(lines.length).toBeLessThanOrEqual(60)
      expect(lines.filter((line) => line.length > 80)).toEqual([])
    })
  })

  test('lists --dry-run, --yes and its own flags, names -p and -o, and with --all lists the common ones', () =>
    everyCase(commands, ({name, flags, common}) => {
      const [page = '', all = ''] = [short.get(name), whole.get(name)]
      const protecting = ['dry-run', 'yes'].filter((one) => common.some((flag) => flag.name === one))
      const sending = flags.filter(({helpGroup}) => helpGroup === 'SENDING').map((flag) => flag.name)
      const own = flags.map((flag) => flag.name).filter((one) => !sending.includes(one))
      expect(listed(page, 'FLAGS')).toEqual([...protecting, ...own])
      for (const one of sending) expect(page.split('\n  Flags for sending: ')[1]).toContain(`--${one}`)
      expect(page).toMatch(/^ {2}Common flags: -p, -o, .*, and more: roomctl help flags$/mu)
      expect(listed(all, 'COMMON FLAGS')).toEqual(common.map((flag) => flag.name))
      for (const flag of flags) expect(all).toMatch(new RegExp(`--(?:\\[no-\\])?${flag.name}`, 'u'))
    }))

  test('names the default of a number at most once, and within its range', () =>
    everyCase(commands, ({flags, common}) => {
      for (const {name, summary = ''} of [...flags, ...common]) {
        expect(summary.match(/default \d/gu)?.length ?? 0, name).toBeLessThanOrEqual(1)
        const [, least, most, usual] = /(\d+)–(\d+) \(default (\d+)\)/u.exec(summary) ?? []
        if (usual === undefined) continue
        expect(Number(usual), name).toBeGreaterThanOrEqual(Number(least))
        expect(Number(usual), name).toBeLessThanOrEqual(Number(most))
      }
    }))

  test('has at most three examples, each in one piece, and with --all every one', () =>
    everyCase(commands, ({name, examples}) => {
      const typed = (page = '') =>
        [...page.replace(/ \\\n +/gu, ' ').matchAll(/^ {4}\$ (.*)/gmu)].map(([, line]) => line)
      const lines = examples.map(({line}) => line)
      expect(typed(short.get(name))).toEqual(lines.slice(0, 3))
      expect(typed(whole.get(name))).toEqual(lines)
    }))

  test('names what says more, which is there', async () => {
    const lists = names.map((name) => /^ {2}More: (.*)$/mu.exec(short.get(name) ?? '')?.[1])
    expect(lists).not.toContain(undefined)
    const pages = new Set(lists.flatMap((list = '') => list.split(', ')))
    await everyCase([...pages], async (page) => {
      expect(await cli(page.replace(/^roomctl /u, ''))).toMatchObject({exit: 0, stderr: ''})
    })
  })

  test('is the same before and behind its name, and names no American colour', () =>
    everyCase(names, async (name) => {
      expect(await cli(`help ${name}`, inWindow)).toMatchObject({stdout: short.get(name), exit: 0})
      expect(short.get(name)?.replace(/--color\S*/gu, '')).not.toMatch(/color|behavior|canceled|authoriz|recogniz/iu)
    }))
})

test('help flags explains every common flag, and no command has another in a group of them', async () => {
  const {stdout} = await cli('help flags', {columns: 80, env: {NO_COLOR: '1'}})
  for (const [name, {char}] of Object.entries(commonFlags)) {
    expect(stdout).toMatch(new RegExp(`^  (?:${char ? `-${char}, ` : ''})--${name}(?: |$)`, 'mu'))
  }
  for (const heading of Object.values(commonGroups)) expect(stdout).toContain(`\n${heading.toUpperCase()}\n`)
  const strange = commands.flatMap(({common}) => common.filter(({name}) => !(name in commonFlags)))
  expect(strange).toEqual([])
})

test('help -o json holds docs/help.schema.json, and lists each command of the manifest of oclif with its arguments and flags', async () => {
  const schema = JSON.parse(readText('docs/help.schema.json'))
  const holds = new Ajv2020({allowUnionTypes: true}).compile(schema)
  const {stdout, exit} = await cli('help -o json')
  expect(exit).toBe(0)
  const list: ListedCommand[] = JSON.parse(stdout)
  expect([holds(list), holds.errors]).toEqual([true, null])
  expect(holds(list.map(({exits: _, ...rest}) => rest))).toBe(false)
  expect(holds(list.map((listed) => ({...listed, own: 1})))).toBe(false)
  const commonNames = Object.keys(commonFlags)
  expect(list.map(({name}) => name)).toEqual(names)
  const answers = readFieldFile(root)
  await everyCase(
    list.map((listed) => [listed.name, listed] as const),
    async (_, listed) => {
      const {args, flags, summary, changes} = manifest.commands[listed.name.replaceAll(' ', ':')] as Command.Cached & {
        changes?: unknown
      }
      expect(listed).toMatchObject({summary, changes: changes === true})
      expect(listed.arguments.map(({name, required}) => [name, required])).toEqual(
        Object.values(args).map(({name, required}) => [name, required === true]),
      )
      const shown = Object.values(flags).filter(({hidden}) => hidden !== true)
      expect([...listed.flags.map(({name}) => name), ...listed.common_flags].sort()).toEqual(
        shown.map(({name}) => name).sort(),
      )
      expect(listed.common_flags.filter((name) => !commonNames.includes(name))).toEqual([])
      for (const {name, ...rest} of listed.flags) {
        const flag = flags[name] as Command.Flag.Cached
        expect(rest).toMatchObject({
          char: flag.char ?? null,
          type: flag.type === 'boolean' ? 'boolean' : 'string',
          default: (flag.type === 'option' ? flag.default : flag.default === true) ?? null,
        })
      }
      expect(listed.changes).toBe(listed.common_flags.includes('dry-run'))
      expect(listed.exits, 'docs/exits.json: npm run docs').toEqual(expect.arrayContaining([0, 2, 3]))
      expect(listed.fields === null).toBe(answers[listed.name] === undefined)
      const alone = JSON.parse((await cli(`help ${listed.name} -o json`)).stdout)
      expect(alone).toEqual(listed)
      expect(holds(alone)).toBe(true)
    },
  )
  const common: {name: string}[] = JSON.parse((await cli('help flags -o json')).stdout)
  expect(holds(common)).toBe(true)
  expect(common.map(({name}) => name)).toEqual(commonNames)
})

test('the list for programs has the values of enumerated flags', async () => {
  const valuesOf = async (command: string, flag: string) => {
    const list: {flags: {name: string; values: string[] | null}[]} = JSON.parse(
      (await cli(`help ${command} -o json`)).stdout,
    )
    return list.flags.find(({name}) => name === flag)?.values
  }
  expect(await valuesOf('asset list', 'kind')).toEqual(['container', 'asset', 'common'])
  expect(await valuesOf('asset list', 'platform')).toEqual(['ios', 'android', 'windows'])
  expect(await valuesOf('room create', 'host')).toEqual(['creator', 'first'])
  expect(await valuesOf('room list', 'status')).toEqual(['RESERVED', 'MEETING', 'IDLE', 'ENDED'])
  expect(await valuesOf('push broadcast', 'to')).toEqual(['ANDROID', 'IOS', 'ALL'])
  expect(await valuesOf('room list', 'match')).toBeNull()
})
