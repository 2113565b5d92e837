import {helpTopics, pageArticle} from '../../src/cli/help/topicPages.js'
import type {DocumentedCommand} from '../docs/commands.js'
import {commandsPage, mainPage} from './commandsPage.js'
import {topicPage} from './topicPage.js'

/** What package.json says of the tool. */
interface Tool {
  readonly version: string
  readonly oclif: {
    readonly description: string
    readonly topics: Readonly<Record<string, {readonly description: string}>>
  }
}

/**
 * Every man page by its file name. One for each word that commands begin with, and not one for each command: what belongs together
 * is read and searched together. The same input makes the same pages.
 */
export function manPages(
  root: string,
  {version, oclif}: Tool,
  commands: readonly DocumentedCommand[],
): ReadonlyMap<string, string> {
  const source = `roomctl ${version}`
  const topics = new Map(Object.entries(oclif.topics).map(([name, {description}]) => [name, description]))
  const below = (topic: string) => commands.filter(({name}) => name.startsWith(`${topic} `))
  const others = commands.filter(({topic}) => topic === '')
  return new Map<string, string>([
    ['roomctl.1', mainPage(root, oclif.description, topics, others, source)],
    ...[...topics].map(
      ([topic, description]) => [`roomctl-${topic}.1`, commandsPage(topic, description, below(topic), source)] as const,
    ),
    ...helpTopics.map(
      (topic) => [`roomctl-${topic.name}.7`, topicPage(topic, pageArticle(root, topic.name), source)] as const,
    ),
  ])
}
