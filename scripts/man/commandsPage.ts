import {table} from '../../src/cli/help/article.js'
import {argumentForm, effectOf, type FlagHelp, formOf, groupsOf, usageOf} from '../../src/cli/help/commandHelp.js'
import {helpTopics, pageArticle} from '../../src/cli/help/topicPages.js'
import {exits} from '../../src/failure.js'
import type {DocumentedCommand} from '../docs/commands.js'
import {commonNames, remarks} from '../docs/flagTables.js'
import {code, either, flagsAsCode, sentence} from '../docs/markdown.js'
import {type Release, roff} from './roff.js'
import {asClause, drawn} from './topicPage.js'

/** The man page of the commands below one word: `roomctl-room(1)`. `description` is the topic's, as package.json has it. */
export function commandsPage(
  topic: string,
  description: string,
  commands: readonly DocumentedCommand[],
  release: Release,
): string {
  return roff.page([
    roff.head(`roomctl-${topic}`, 1, release),
    roff.name(`roomctl-${topic}`, asClause(description)),
    roff.section('SYNOPSIS'),
    roff.entries(commands.map((one) => [code(usageOf(one)), sentence(one.summary)])),
    roff.section('DESCRIPTION'),
    roff.paragraph('`roomctl-flags`(7) explains the common flags. Every command takes `--help`, too.'),
    ...commands.flatMap(commandParts),
    roff.section('SEE ALSO'),
    roff.paragraph(seeAlso(helpTopics.map(({name}) => name))),
  ])
}

/** The man page of the tool: commands without a topic, common flags, exit codes, files. */
export function mainPage(
  root: string,
  description: string,
  topics: ReadonlyMap<string, string>,
  commands: readonly DocumentedCommand[],
  release: Release,
): string {
  return roff.page([
    roff.head('roomctl', 1, release),
    roff.name('roomctl', asClause(description)),
    roff.section('SYNOPSIS'),
    roff.paragraph('`roomctl` COMMAND [ARGUMENTS] [FLAGS]'),
    roff.section('TOPICS'),
    roff.entries([...topics].map(([topic, words]) => [`\`roomctl-${topic}\`(1)`, sentence(words)])),
    roff.entries(helpTopics.map(({name, summary}) => [`\`roomctl-${name}\`(7)`, sentence(summary)])),
    ...commands.flatMap(commandParts),
    roff.section('EXIT STATUS'),
    drawn(
      table(
        ['Exit', 'Meaning'],
        Object.values(exits).map(({code, meaning}) => [String(code), meaning]),
      ),
    ),
    roff.section('FILES'),
    ...pageArticle(root, 'security')
      .sections.filter(({heading}) => heading === 'Local files')
      .flatMap(({blocks}) => blocks.map(drawn)),
    roff.section('SEE ALSO'),
    roff.paragraph(seeAlso(helpTopics.map(({name}) => name))),
  ])
}

function commandParts(command: DocumentedCommand): string[] {
  const own = groupsOf(command.flags).flatMap(({flags}) => flags)
  const aliases = command.aliases.map((alias) => code(`roomctl ${alias}`))
  return [
    roff.section(`roomctl ${command.name}`),
    roff.paragraph(`\`${usageOf(command)}\``),
    roff.paragraph(flagsAsCode(command.description)),
    ...(aliases.length > 0 ? [roff.paragraph(`The same: ${either(aliases)}.`)] : []),
    roff.entries(command.arguments.map((word) => [code(argumentForm(word)), flagsAsCode(word.description ?? '')])),
    flagEntries(own),
    roff.paragraph(`Common flags: ${commonNames(command.common)}.`),
    ...command.examples.map(
      ({description, line}) => `${roff.paragraph(`${flagsAsCode(description)}:`)}\n${roff.verbatim(line)}`,
    ),
  ]
}

function flagEntries(flags: readonly FlagHelp[]): string {
  return roff.entries(
    flags.map((flag) => [code(formOf(flag)), [flagsAsCode(effectOf(flag)), ...remarks(flag)].join('; ')]),
  )
}

function seeAlso(names: readonly string[]): string {
  return ['`roomctl`(1)', ...names.map((name) => `\`roomctl-${name}\`(7)`)].join(', ')
}
