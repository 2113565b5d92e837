import type {Config} from '@oclif/core/config'
import {CommandHelp, Help} from '@oclif/core/help'
import {colorLevel} from '../../terminal/color.js'
import {styleOf} from '../../text/style.js'
import type {HelpTopic} from '../help/topics.js'
import type {Runtime} from '../runtime/runtime.js'

/** What somebody who has just installed the tool runs first, and why. */
const firstSteps = [
  ['roomctl -p sandbox room list', 'Try any command safely on the built-in sandbox'],
  ['roomctl config init', 'Connect to your deployment'],
  ['roomctl doctor', 'Check the configuration and the connection'],
] as const

/** Writes the welcome screen, which `roomctl` alone shows: at most 22 rows of 80 columns, so that no line of it scrolls away. */
export async function showWelcome(config: Config, {stdout, env}: Runtime): Promise<void> {
  const style = await styleOf(colorLevel({isTTY: stdout.isTerminal}, {env}))
  const commands = config.commandIDs.filter((id) => !id.includes(':') && config.findCommand(id)?.hidden !== true)
  const topics = config.topics.filter(({name}) => !name.includes(':') && !config.findCommand(name))
  const rows = (entries: readonly (readonly [string, string])[], width: number) =>
    entries.map(([term, meaning]) => `  ${term.padEnd(width)}  ${meaning}`)
  const lines = [
    config.pjson.oclif.description ?? '',
    '',
    style.bold('FIRST STEPS'),
    ...rows(firstSteps, 28),
    '',
    style.bold('TOPICS'),
    ...rows(
      topics.map(({name, description = ''}) => [name, description]),
      8,
    ),
    '',
    style.bold('COMMANDS'),
    `  ${commands.sort().join(', ')}`,
    '',
    'Run "roomctl --help" for everything, "roomctl COMMAND --help" for one command.',
  ]
  await stdout.write(`${lines.join('\n')}\n`)
}

/**
 * Writes the help for what `words` name: nothing (all of it), a command, a topic of commands, or a help topic. Returns false, with
 * nothing written, if they name none of these. `words` are as typed; flags among them are ignored.
 */
export async function showHelp(words: readonly string[], config: Config, runtime: Runtime): Promise<boolean> {
  const flag = words.findIndex((word) => word.startsWith('-'))
  const subject = words.slice(0, flag === -1 ? undefined : flag)
  const help = new CommandsHelp(config, runtime)
  if (subject.length === 0) await help.showHelp(['--help'])
  else if (named(subject, config)) await help.showHelp([...words])
  else {
    const topic = subject.length === 1 ? (await allTopics()).find(({name}) => name === subject[0]) : undefined
    if (topic) await showTopic(topic, runtime)
    return topic !== undefined
  }
  await help.print()
  return true
}

/** The names of the help topics. */
export async function helpTopicNames(): Promise<readonly string[]> {
  return (await allTopics()).map(({name}) => name)
}

async function allTopics(): Promise<readonly HelpTopic[]> {
  const {helpTopics} = await import('../help/topics.js')
  return helpTopics
}

/** Whether the words begin with the name of a command, or are that of a topic of commands. */
function named(words: readonly string[], config: Config): boolean {
  const isCommand = words.some((_, at) => config.findCommand(words.slice(0, at + 1).join(':')) !== undefined)
  return isCommand || config.findTopic(words.join(':')) !== undefined
}

async function showTopic({article}: HelpTopic, {stdout, env}: Runtime): Promise<void> {
  const {drawArticle} = await import('../help/article.js')
  const style = await styleOf(colorLevel({isTTY: stdout.isTerminal}, {env}))
  await stdout.write(drawArticle(article, {columns: widthOf(stdout), style}))
}

function widthOf({columns = 100}: Runtime['stdout']): number {
  return Math.min(columns, 120)
}

/** A command's help, whose summary stands at its top already and is not said again. */
class OneCommandHelp extends CommandHelp {
  protected override description(): string | undefined {
    const {description} = this.command
    return description === undefined ? undefined : this.wrap(description.replace(/\s*\n\s*/gu, ' '))
  }
}

/** oclif's help, gathered and written to the runtime's stdout under its own rules for colour. */
class CommandsHelp extends Help {
  protected override CommandHelpClass = OneCommandHelp
  readonly #runtime: Runtime
  #text = ''

  constructor(config: Config, runtime: Runtime) {
    const {stdout, env} = runtime
    super(config, {
      ...config.pjson.oclif.helpOptions,
      docopts: false,
      stripAnsi: colorLevel({isTTY: stdout.isTerminal}, {env}) === 0,
      maxWidth: widthOf(stdout),
    })
    this.#runtime = runtime
  }

  protected override async showRootHelp(): Promise<void> {
    await super.showRootHelp()
    const rows = (await allTopics()).map(({name, summary}) => [`help ${name}`, summary])
    const {stripAnsi} = this.opts
    this.log(this.section('HELP TOPICS', this.renderList(rows, {indentation: 2, spacer: '\n', stripAnsi})))
  }

  protected override log(...lines: string[]): void {
    this.#text += `${lines.join('\n')}\n`
  }

  async print(): Promise<void> {
    await this.#runtime.stdout.write(this.#text.replace(/\n+$/u, '\n'))
  }
}
