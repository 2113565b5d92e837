import {readFileSync} from 'node:fs'
import path from 'node:path'
import {helpTopics, pageArticle} from '../../src/cli/help/topicPages.js'
import type {DocumentedCommand} from '../docs/commands.js'
import {commandsPage, mainPage} from './commandsPage.js'
import {topicPage} from './topicPage.js'

/** The used members of package.json. */
interface Tool {
  readonly version: string
  readonly oclif: {
    readonly description: string
    readonly topics: Readonly<Record<string, {readonly description: string}>>
  }
}

/** The day of a version, as the changelog has it. Throws an Error if it has none. */
function releaseDate(root: string, version: string): string {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  const [, date] = changelog.split(`\n## [${version}] - `)[1]?.match(/^(\S+)/u) ?? []
  if (date === undefined) throw new Error(`the changelog has no day of ${version}`)
  return date
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
  const release = {version, date: releaseDate(root, version)}
  const topics = new Map(Object.entries(oclif.topics).map(([name, {description}]) => [name, description]))
  const below = (topic: string) => commands.filter(({name}) => name.startsWith(`${topic} `))
  const others = commands.filter(({topic}) => topic === '')
  return new Map<string, string>([
    ['roomctl.1', mainPage(root, oclif.description, topics, others, release)],
    ...[...topics].map(
      ([topic, description]) =>
        [`roomctl-${topic}.1`, commandsPage(topic, description, below(topic), release)] as const,
    ),
    ...helpTopics.map(
      (topic) => [`roomctl-${topic.name}.7`, topicPage(topic, pageArticle(root, topic.name), release)] as const,
    ),
  ])
}
