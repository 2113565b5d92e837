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
  /** Whether it changes something at a service. */
  readonly changes: boolean
  readonly arguments: readonly ArgumentHelp[]
  /** The command's own, by their names. */
  readonly flags: readonly FlagHelp[]
  /** The common flags that it takes, in the order of their groups. */
  readonly common: readonly FlagHelp[]
  /** Shell lines with descriptions. */
  readonly examples: readonly {readonly description: string; readonly line: string}[]
}

type Described = Pick<Command.Cached, 'id' | 'aliases' | 'summary' | 'description' | 'args' | 'flags' | 'examples'> & {
  readonly changes?: unknown
}

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
    changes: command.changes === true,
    arguments: Object.values(args),
    flags: flags.filter(({helpGroup = ''}) => !(helpGroup in commonGroups)),
    common: Object.keys(commonGroups).flatMap((group) => flags.filter(({helpGroup}) => helpGroup === group)),
    examples: (examples ?? []).flatMap((example) =>
      typeof example === 'string' ? [] : [{description: example.description, line: example.command}],
    ),
  }
}

/** `room list`, for `room:list`. */
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
  'CHOOSING ROOMS': 'Flags that choose rooms',
}

interface FlagGroup {
  readonly heading: string
  readonly flags: readonly FlagHelp[]
}

/** Flags by their groups, each with its heading. Throws an Error for a group that has none. */
export function groupsOf(flags: readonly FlagHelp[]): FlagGroup[] {
  const strange = flags.find(({helpGroup = ''}) => !(helpGroup in ownGroups))
  if (strange) throw new Error(`the group ${strange.helpGroup} of --${strange.name} has no heading`)
  return Object.entries(ownGroups).flatMap(([group, heading]) => {
    const those = flags.filter(({helpGroup = ''}) => helpGroup === group)
    return those.length === 0 ? [] : [{heading, flags: those}]
  })
}

const mostExamples = 3

/**
 * The help of a command: usage, arguments, the rule in one sentence, three examples, then its own flags, those that keep a change from
 * being made first. With `all` everything. A test holds it to 45 lines of 80 columns, with the examples on the first 24.
 */
export function commandArticle(command: CommandDescription, {all}: {readonly all: boolean}): Article {
  const {summary, aliases, description, flags, common, examples} = command
  const usage = [usageOf(command), ...aliases.map((alias) => usageOf({...command, name: alias}))]
  const words = command.arguments.map((word) => [argumentForm(word), word.description ?? ''])
  const groups = all
    ? [...groupsOf(flags), {heading: 'Common flags', flags: common}]
    : [{heading: 'Flags', flags: [...common.filter(({name}) => protecting.has(name)), ...flags.filter(isShown)]}]
  const sending = all ? [] : flags.filter((flag) => !isShown(flag)).map(({name}) => `--${name}`)
  return article(
    summary,
    sectionOf('Usage', lineBlock(...usage)),
    ...listSection('Arguments', words),
    introduction(text(all ? description : firstSentence(description))),
    sectionOf('Examples', {kind: 'examples', lines: all ? examples : examples.slice(0, mostExamples)}),
    ...groups.flatMap((group) =>
      listSection(
        group.heading,
        group.flags.map((flag) => [formOf(flag), effectOf(flag)]),
      ),
    ),
    introduction(
      lineBlock(
        ...(sending.length === 0 ? [] : [`Flags for sending: ${sending.join(', ')}`]),
        ...(all ? [] : ['Common flags: -p, -o, -q, and more: roomctl help flags']),
        `More: ${nextPages(command, all).join(', ')}`,
      ),
    ),
  )
}

/** Flags for sending are only named: the help of uploads would not fit otherwise. */
function isShown({helpGroup}: FlagHelp): boolean {
  return helpGroup !== 'SENDING'
}

/** Common flags that the help of every command lists that has them. */
const protecting: ReadonlySet<string> = new Set(['dry-run', 'yes'])

function firstSentence(description: string): string {
  return description.split(/(?<=\.)\s+(?=\S)/u)[0] ?? ''
}

/** Names with their meanings; no section for an empty list. */
export function listSection(heading: string, rows: readonly (readonly string[])[]): ArticleSection[] {
  return rows.length === 0 ? [] : [sectionOf(heading, table(['Name', 'Meaning'], rows))]
}

/** Behind `More: ` it leaves one line of 80 columns. */
const moreWidth = 70

/** Further reading: the whole help, help topics for the values of its flags, and the other commands of its topic. */
function nextPages({name, topic, flags, common}: CommandDescription, all: boolean): string[] {
  const takes = (form: RegExp) => flags.some((flag) => form.test(valueForm(flag)))
  const has = (name: string) => [...flags, ...common].some((flag) => flag.name === name)
  const topics = {
    sandbox: has('document'),
    times: takes(/^(?:TIME|\d+[smhd])$/u),
    output: has('columns'),
    security: has('confirm') || has('token-file') || has('password-file'),
  }
  const pages = Object.entries(topics).flatMap(([page, isMeant]) => (isMeant ? [`roomctl help ${page}`] : []))
  const whole = all ? [] : [`roomctl ${name} --help --all`]
  const named = [...whole, ...pages, `roomctl ${topic} --help`.replace('  ', ' ')]
  return named.filter((_, at) => named.slice(0, at + 1).join(', ').length <= moreWidth)
}
