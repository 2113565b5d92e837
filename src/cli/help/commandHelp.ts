import type {Command} from '@oclif/core/command'
import {commonGroups} from '../flags/flags.js'
import {type Article, type ArticleSection, article, introduction, lineBlock, sectionOf, table, text} from './article.js'

export type FlagHelp = Command.Flag.Cached
export type ArgumentHelp = Command.Arg.Cached

export interface CommandDescription {
  readonly name: string
  /** `room`; a command without a topic has an empty one. */
  readonly topic: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly description: string
  readonly arguments: readonly ArgumentHelp[]
  /** The command's own, by their names. */
  readonly flags: readonly FlagHelp[]
  /** The common flags that it takes, in the order of their groups. */
  readonly common: readonly FlagHelp[]
  /** Lines as one types them into a shell, each with what it shows. */
  readonly examples: readonly {readonly description: string; readonly line: string}[]
}

type Described = Pick<Command.Cached, 'id' | 'aliases' | 'summary' | 'description' | 'args' | 'flags' | 'examples'>

export function describeCommand(command: Described): CommandDescription {
  const {id, aliases, summary = '', description = '', args, examples} = command
  const flags = Object.values(command.flags)
    .filter(({hidden}) => !hidden)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    name: wordsOf(id),
    topic: id.includes(':') ? wordsOf(id.slice(0, id.lastIndexOf(':'))) : '',
    aliases: aliases.filter((alias) => alias !== id).map(wordsOf),
    summary,
    description,
    arguments: Object.values(args),
    flags: flags.filter(({helpGroup = ''}) => !(helpGroup in commonGroups)),
    common: Object.keys(commonGroups).flatMap((group) => flags.filter(({helpGroup}) => helpGroup === group)),
    examples: (examples ?? []).flatMap((example) =>
      typeof example === 'string' ? [] : [{description: example.description, line: example.command}],
    ),
  }
}

/** `room:list` as it is typed. */
export function wordsOf(id: string): string {
  return id.replaceAll(':', ' ')
}

/** `roomctl room end [ROOM...] [flags]`, with the flags that are required. */
export function usageOf({name, arguments: words, flags}: CommandDescription): string {
  const required = flags.filter((flag) => flag.required).map((flag) => formOf(flag))
  return ['roomctl', name, ...words.map(argumentForm), ...required, '[flags]'].join(' ')
}

export function argumentForm({name, required, multiple}: ArgumentHelp): string {
  const word = multiple ? `${name.toUpperCase()}...` : name.toUpperCase()
  return required ? word : `[${word}]`
}

/** `-a, --attendee USER`, `--[no-]joinable`, `--host creator|first`. */
export function formOf(flag: FlagHelp): string {
  const short = flag.char ? `-${flag.char}, ` : ''
  if (flag.type === 'boolean') return `${short}--${flag.allowNo ? '[no-]' : ''}${flag.name}`
  return `${short}--${flag.name} ${valueForm(flag)}`
}

function valueForm(flag: FlagHelp): string {
  return flag.type === 'boolean' ? '' : String(flag.helpValue ?? flag.options?.join('|') ?? 'VALUE')
}

export function effectOf(flag: FlagHelp): string {
  const {summary = ''} = flag
  const value: unknown = flag.type === 'option' && flag.default
  return typeof value === 'string' ? `${summary} (default ${value})` : summary
}

/** Groups of a command's own flags, under headings of their own. */
const ownGroups: Readonly<Record<string, string>> = {
  '': 'Flags',
  SENDING: 'Flags for sending',
  'SEVERAL TARGETS': 'Flags for several targets',
}

interface FlagGroup {
  readonly heading: string
  readonly flags: readonly FlagHelp[]
}

/** Flags by their groups, each with its heading. Raises an Error for a group that has none. */
export function groupsOf(flags: readonly FlagHelp[]): FlagGroup[] {
  const strange = flags.find(({helpGroup = ''}) => !(helpGroup in ownGroups))
  if (strange) throw new Error(`the group ${strange.helpGroup} of --${strange.name} has no heading`)
  return Object.entries(ownGroups).flatMap(([group, heading]) => {
    const those = flags.filter(({helpGroup = ''}) => helpGroup === group)
    return those.length === 0 ? [] : [{heading, flags: those}]
  })
}

const mostExamples = 3

/** The help of a command: its own flags and three examples, or with `all` everything. */
export function commandArticle(command: CommandDescription, {all}: {readonly all: boolean}): Article {
  const {summary, aliases, description, flags, common, examples} = command
  const usage = [usageOf(command), ...aliases.map((alias) => usageOf({...command, name: alias}))]
  const words = command.arguments.map((word) => [argumentForm(word), word.description ?? ''])
  const groups = all ? [...groupsOf(flags), {heading: 'Common flags', flags: common}] : [{heading: 'Flags', flags}]
  const shown = all ? examples : examples.slice(0, mostExamples)
  return article(
    summary,
    sectionOf('Usage', lineBlock(...usage)),
    ...listSection('Arguments', words),
    ...groups.flatMap((group) =>
      listSection(
        group.heading,
        group.flags.map((flag) => [formOf(flag), effectOf(flag)]),
      ),
    ),
    sectionOf('Description', text(description)),
    sectionOf('Examples', {kind: 'examples', lines: shown}),
    introduction(lineBlock(...(all ? [] : [commonLine(common)]), `Read next: ${nextPages(command).join(', ')}`)),
  )
}

/** Names with their meanings; an empty list is none. */
export function listSection(heading: string, rows: readonly (readonly string[])[]): ArticleSection[] {
  return rows.length === 0 ? [] : [sectionOf(heading, table(['Name', 'Meaning'], rows))]
}

/** In a window of 80 columns it is one line. */
const commonWidth = 36

/** `Common flags: -o, -q, -p, and more: roomctl help flags`. */
function commonLine(flags: readonly FlagHelp[]): string {
  const short = flags.flatMap(({char}) => (char ? [`-${char}`] : []))
  const long = flags.flatMap(({char, name}) => (char ? [] : [`--${name}`])).reverse()
  let list = ''
  for (const name of [...short, ...long]) if (list.length + name.length + 2 <= commonWidth) list += `${name}, `
  return `Common flags: ${list}and more: roomctl help flags`
}

/** What explains the flags of a command: help topics by what its flags take, and the other commands of its topic. */
function nextPages({topic, flags, common}: CommandDescription): string[] {
  const takes = (form: RegExp) => flags.some((flag) => form.test(valueForm(flag)))
  const has = (name: string) => [...flags, ...common].some((flag) => flag.name === name)
  const topics = {
    sandbox: has('document'),
    selectors: takes(/^EXPR$/u),
    times: takes(/^(?:TIME|\d+[smhd])$/u),
    output: has('columns'),
    security: has('confirm') || has('token-file') || has('password-file'),
  }
  const pages = Object.entries(topics).flatMap(([name, isMeant]) => (isMeant ? [`roomctl help ${name}`] : []))
  return [...pages, `roomctl ${topic} --help`.replace('  ', ' ')].slice(0, 3)
}
