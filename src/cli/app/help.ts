import type {Config} from '@oclif/core/config'
import type {Topic} from '@oclif/core/interfaces'
import {wrongUsage} from '../../failure.js'
import {hasColor} from '../../terminal/output.js'
import {styleOf} from '../../text/text.js'
import {jsonText} from '../../view/format/json.js'
import {nameLength} from '../flags/commandLine.js'
import {commonFlags} from '../flags/flags.js'
import {type Article, article, drawArticle, introduction, lineBlock, sectionOf, text} from '../help/article.js'
import {commandArticle, describeCommand, type FlagHelp, listSection, wordsOf} from '../help/commandHelp.js'
import {listCommands, listedFlag} from '../help/commandList.js'
import {answerSchema, type CommandAnswer, fieldsArticle, readFieldFile} from '../help/fields.js'
import {helpTopics, topicArticle} from '../help/topicPages.js'
import {presentLong} from '../output/present.js'
import type {CommandOutcome, Runtime} from '../runtime/runtime.js'
import {openSession} from '../session/session.js'

/** The first commands of a new user, and why. */
const firstSteps = [
  ['roomctl sandbox seed', 'Add rooms to the built-in sandbox'],
  ['roomctl -p sandbox room list', 'Try any command safely there'],
  ['roomctl config init', 'Connect to your deployment'],
  ['roomctl doctor', 'Check the configuration and the connection'],
] as const

/** Writes the welcome screen, which `roomctl` alone shows: at most 22 rows of 80 columns, so that no line of it scrolls away. */
export async function showWelcome(config: Config, {stdout, env}: Runtime): Promise<void> {
  const {topics, commands} = namesBelow('', config)
  const page = article(
    config.pjson.oclif.description ?? '',
    ...listSection('First steps', firstSteps),
    ...listSection('Topics', topics),
    sectionOf('Commands', text(commands.map(([name]) => name).join(', '))),
    introduction(text('Run "roomctl --help" for everything, "roomctl COMMAND --help" for one command.')),
  )
  const style = await styleOf(hasColor({isTTY: stdout.isTerminal}, {env}))
  await stdout.write(drawArticle(page, {columns: 80, style}))
}

/**
 * Writes the help for what `words` name: nothing (all of it), a command, a topic of commands, or a help topic. Returns false, with
 * nothing written, if they name none of these. `words` are as typed; of the flags among them only --all, --no-pager and --no-input count.
 */
export async function showHelp(
  words: readonly string[],
  config: Config,
  {runtime, outcome}: {readonly runtime: Runtime; readonly outcome: CommandOutcome},
): Promise<boolean> {
  const flag = words.findIndex((word) => word.startsWith('-'))
  const subject = words.slice(0, flag === -1 ? undefined : flag)
  const {stdout, env} = runtime
  const answer = await answerNamed(subject, config)
  if (outcome.mode.machine) {
    const data = answer ? answerSchema(answer) : helpData(subject, config)
    if (data !== undefined) {
      await stdout.write(jsonText(data))
      return true
    }
  }
  const article = answer ? fieldsArticle(answer) : articleOf(subject, config, {all: words.includes('--all')})
  if (article === undefined) return false
  const {rows = Number.POSITIVE_INFINITY, columns = 100} = stdout
  const style = await styleOf(hasColor({isTTY: stdout.isTerminal}, {env}))
  const page = drawArticle(article, {columns: Math.min(columns, 120), style})
  const flags = {
    output: 'table',
    'no-pager': words.includes('--no-pager'),
    'no-input': words.includes('--no-input'),
  }
  // A pager is a setting, and help is shown whatever is wrong with the settings.
  const isLong = stdout.isTerminal && page.split('\n').length > rows
  const session = isLong ? await openSession(runtime, outcome, flags).catch(() => undefined) : undefined
  if (session) await presentLong(session, page)
  else await stdout.write(page)
  return true
}

/** Help for programs: a command, an array of commands, or of the common flags; undefined for anything else. */
function helpData(subject: readonly string[], config: Config): object | undefined {
  if (subject.join(' ') === 'flags') {
    // The name of a flag is its key in the record.
    return Object.entries(commonFlags).map(([name, flag]) => listedFlag({...flag, name} as FlagHelp))
  }
  const commands = listCommands(subject, config)
  return config.findCommand(subject.join(':')) ? commands?.[0] : commands
}

/** The answer of the command that `fields COMMAND` names. Throws Failure (usage) for no command, and for one whose answer has no schema. */
async function answerNamed([first, ...words]: readonly string[], config: Config): Promise<CommandAnswer | undefined> {
  if (first !== 'fields' || words.length === 0) return undefined
  const loadable = config.findCommand(words.join(':'))
  if (!loadable) {
    const {unknownCommand} = await import('./unknownCommand.js')
    throw await unknownCommand(words, config, {help: 'help fields'})
  }
  // An alias has the fields of its command.
  const command = wordsOf((await loadable.load()).id)
  const forms = readFieldFile(config.root)[command]
  if (forms) return {command, forms}
  throw wrongUsage(`roomctl ${command} has no fields to list`, {
    why: 'it prints no JSON of its own, or what a service answers',
  })
}

export function articleOf(
  subject: readonly string[],
  config: Config,
  detail: {readonly all: boolean},
): Article | undefined {
  const command = config.findCommand(subject.slice(0, nameLength(subject, config)).join(':'))
  if (command) return commandArticle(describeCommand(command), detail)
  const topic = config.findTopic(subject.join(':'))
  const content = topicArticle(config.root, subject.join(' '))
  if (!topic && subject.length > 0) return content
  const {title, sections} = listArticle(topic, config)
  return article(title, ...sections, ...(content?.sections ?? []))
}

/** The topics and commands of a topic; without one, of the tool, with its help topics. */
function listArticle(topic: Topic | undefined, config: Config): Article {
  const {topics, commands} = namesBelow(topic?.name ?? '', config)
  const rows = topic ? [] : helpTopics.map(({name, summary}) => [`help ${name}`, summary])
  return article(
    topic?.description ?? config.pjson.oclif.description ?? '',
    sectionOf('Usage', lineBlock(`roomctl ${topic ? `${wordsOf(topic.name)} ` : ''}COMMAND`)),
    ...listSection('Topics', topics),
    ...listSection('Commands', commands),
    ...listSection('Help topics', rows),
  )
}

type Names = readonly (readonly [name: string, summary: string])[]

/** The topics and commands directly below a topic; an empty one means the tool. */
function namesBelow(topic: string, config: Config): {readonly topics: Names; readonly commands: Names} {
  const isBelow = (id: string) => id.slice(0, Math.max(0, id.lastIndexOf(':'))) === topic
  const inOrder = (entries: readonly (readonly [id: string, summary: string | undefined])[]): Names =>
    entries.map(([id, summary = '']) => [wordsOf(id), summary] as const).sort(([a], [b]) => (a < b ? -1 : 1))
  const topics = config.topics.filter(({name}) => isBelow(name) && !config.findCommand(name))
  const commands = config.commands.filter(({id, aliases, hidden}) => isBelow(id) && !hidden && !aliases.includes(id))
  return {
    topics: inOrder(topics.map(({name, description}) => [name, description])),
    commands: inOrder(commands.map(({id, summary}) => [id, summary])),
  }
}
