import {existsSync, statSync} from 'node:fs'
import type {Config} from '@oclif/core/config'
import type {CommandWords} from '../../advice.js'
import {services} from '../../api/contract/operation.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {suggestedWords} from '../errors/advice.js'
import {removedFlag} from '../errors/removed.js'
import {unknownFlag} from '../errors/usageErrors.js'
import {nameLength} from '../flags/commandLine.js'

const listsCommands: CommandWords = ['--help']

/** Verbs of other tools, by the verb that roomctl uses. */
const verbs: Readonly<Record<string, readonly string[]>> = {
  list: ['ls'],
  show: ['get', 'describe', 'info', 'view', 'inspect'],
  create: ['new', 'add', 'make'],
  update: ['edit', 'modify', 'patch'],
  delete: ['rm', 'remove', 'del', 'destroy'],
  end: ['close', 'stop', 'kill', 'terminate'],
  watch: ['tail', 'follow'],
}

const topicSynonyms: Readonly<Record<string, readonly string[]>> = {
  user: ['attendee'],
  profile: ['config', 'profile'],
}

/** By topic each command, with the words of other tools for it. */
const synonyms: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    'config login': 'login auth',
    'config logout': 'logout',
    'config init': 'init setup',
    'config list': 'whoami context',
    doctor: 'status',
    'config profile use': 'use-context use',
    'asset upload': 'upload cp',
    'asset download': 'download',
    'asset sync': 'sync',
    'room list': 'ls',
    'room watch': 'watch',
    'attendee why': 'why',
    'sandbox seed': 'demo',
    history: 'log logs',
    help: 'docs man',
    completion: 'autocomplete',
  },
  attendee: {
    restore: 'unblock unban',
    block: 'kick ban remove rm delete',
    add: 'invite create',
    find: 'show get',
  },
  asset: {upload: 'push put add cp', download: 'get', 'info --methods': 'methods'},
  config: {
    login: 'auth',
    list: 'view show whoami current-context',
    set: 'update edit',
    'profile use': 'use-context use',
    'profile list': 'get-contexts contexts',
  },
  push: {records: 'list ls', cancel: 'delete rm', modify: 'update edit', ios: 'setup'},
  room: {show: 'join', send: 'message'},
  sandbox: {start: 'serve run up', reset: 'clear'},
}

const deletes = ['delete', ...(verbs.delete ?? [])]

const noDelete = {
  code: 'not-offered',
  why: 'the service cannot delete: its document calls DELETE of a container work in progress, and has none for a resource',
  try: 'to mark a container as no longer used, change its description with asset describe',
}

/** roomctl neither updates itself nor looks for updates (docs/limits.md). */
const updating = 'install the newer version as this one was installed; room update changes a room'

export interface LookupContext {
  readonly leading?: readonly string[]
  /** The help command that the words follow; undefined if they are a command line. */
  readonly help?: 'help' | 'help fields'
}

/**
 * The failure for words that name no command, or after `help` no topic either. The message repeats only words before the first
 * flag: any other may be a misplaced secret. A suggestion repeats the arguments, with what may be a secret masked.
 */
export async function unknownCommand(
  argv: readonly string[],
  config: Config,
  {leading = [], help}: LookupContext,
): Promise<Failure> {
  const [first] = argv
  if (first === undefined) return wrongUsage('a command is missing', {try: {command: listsCommands}})
  if (first.startsWith('-')) return flagFirst(first)
  if (first === 'update' || first === 'upgrade') return wrongUsage(`unknown command "${first}"`, {try: updating})
  const commands = config.commands.filter(({hidden}) => !hidden).flatMap(({id, aliases}) => [id, ...aliases])
  const {helpTopics} = await import('../help/topicPages.js')
  const topicNames = helpTopics.map(({name}) => name)
  const known = [...commands.map((id) => id.replaceAll(':', ' ')), 'help', ...topicNames].map((words) =>
    words.split(' '),
  )
  const typed = wordsBeforeFlags(argv)
  const length = nameLength(typed, config)
  const words = typed.slice(0, length + 1).join(' ')
  const [topic, verb = ''] = topicFirst(typed, known)
  if (topic === 'asset' && deletes.includes(verb)) return wrongUsage(`unknown command "${words}"`, noDelete)
  const {line, others} = asTransfer(meant(typed, known))
  const flags = [...argv.slice(typed.length), ...leading]
  const isTopic = topicNames.some((name) => name === line)
  const isGuess = line !== '' && (isTopic || !`${typed.join(' ')} `.startsWith(`${line} `))
  const page = isTopic ? (help ?? 'help') : help
  const suggested = isGuess ? withArguments(line, config, {page, others, flags}) : listingOf(typed.slice(0, length))
  return wrongUsage(`unknown command${help ? ' or help topic' : ''} "${words}"`, {try: {command: suggested}})
}

/** The help that lists the commands of a topic. */
function listingOf(topic: readonly string[]): CommandWords {
  return topic.length === 0 ? listsCommands : [topic.join(' '), '--help']
}

function wordsBeforeFlags(argv: readonly string[]): readonly string[] {
  const flag = argv.findIndex((word) => word.startsWith('-'))
  return flag === -1 ? argv : argv.slice(0, flag)
}

/** The words that roomctl config login takes; any other may be a token. */
const loginWords: readonly string[] = services

interface Typed {
  /** The help command for the line; undefined if it is to be run. */
  readonly page: string | undefined
  readonly others: readonly string[]
  readonly flags: readonly string[]
}

/** The command line with the typed arguments before its own flags, if it names a command that takes arguments, and with the typed flags. */
function withArguments(line: string, config: Config, {page, others, flags}: Typed): CommandWords {
  if (page !== undefined) return [`${page} ${line}`]
  const [name = line, ...own] = line.split(/ (?=--)/u)
  const command = config.findCommand(name.replaceAll(' ', ':'))
  if (!command && name !== 'help') return [line]
  const words = command && Object.keys(command.args).length === 0 ? [] : others
  const shown = name === 'config login' ? words.filter((word) => loginWords.includes(word)) : words
  return [name, ...suggestedWords([...shown, ...own, ...flags])]
}

interface Meant {
  /** Empty if no command is near. */
  readonly line: string
  readonly others: readonly string[]
}

/**
 * The command that mistyped words, or words of another tool, probably mean. A synonym wins over the nearest word: `attendee
 * unblock` is near `block` and means the opposite.
 */
function meant([first = '', ...rest]: readonly string[], known: readonly (readonly string[])[]): Meant {
  const topic = Object.hasOwn(topicSynonyms, first) ? topicSynonyms[first] : undefined
  const words = topicFirst([...(topic ?? [first]), ...rest], known)
  const matched: string[] = []
  for (const word of words) {
    const beginAlike = known.filter((name) => matched.every((part, at) => name[at] === part))
    const next = new Set(beginAlike.flatMap((name) => name[matched.length] ?? []))
    const other = next.has(word) ? undefined : synonymOf(word, matched.join(' '), next)
    if (other) return {line: [...matched, other].join(' '), others: words.slice(matched.length + 1)}
    const guess = next.has(word) ? word : nearest(word, next)
    if (guess === undefined) break
    matched.push(guess)
  }
  return {line: matched.join(' '), others: words.slice(matched.length)}
}

/** A copy of FROM to TO: of a file or folder here the container comes first, else FROM is the container. */
function asTransfer({line, others}: Meant): Meant {
  const [from = '', to = '', ...more] = others
  if (line !== 'asset upload' || to === '' || more.length > 0) return {line, others}
  if (existsSync(from)) return {line: statSync(from).isDirectory() ? 'asset sync' : line, others: [to, from]}
  return existsSync(to) ? {line, others} : {line: 'asset download', others: [from, '--dir', to]}
}

function synonymOf(word: string, topic: string, next: ReadonlySet<string>): string | undefined {
  const own = Object.entries(synonyms[topic] ?? {}).find(([, words]) => words.split(' ').includes(word))
  return own?.[0] ?? Object.keys(verbs).find((name) => next.has(name) && verbs[name]?.includes(word))
}

/** `get rooms` and `delete room r-1`, as other tools have it, with the topic first. */
function topicFirst(typed: readonly string[], known: readonly (readonly string[])[]): readonly string[] {
  const [first = '', second = '', ...rest] = typed
  const topic = second.replace(/s$/u, '')
  const isVerb = Object.entries(verbs).flat(2).includes(first) && !known.some(([word]) => word === first)
  if (!isVerb || !known.some(([word, next]) => word === topic && next !== undefined)) return typed
  return [topic, first === 'get' && second !== topic ? 'list' : first, ...rest]
}

function flagFirst(flag: string): Failure {
  const removed = removedFlag([flag.replace(/=.*$/su, '')])
  if (removed) return removed
  const unknown = unknownFlag([flag], [])
  const isSecret = unknown.facts.why !== undefined
  if (isSecret) return unknown
  return wrongUsage('a flag comes before the command', {
    why: 'only global flags such as -p NAME may',
    try: {sentence: 'put it after the command', command: listsCommands},
  })
}
