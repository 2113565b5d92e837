import {readFileSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {articleOf} from '../src/cli/app/help.js'
import {StaticConfig} from '../src/cli/app/staticConfig.js'
import {drawArticle} from '../src/cli/help/article.js'
import {wordsOf} from '../src/cli/help/commandHelp.js'
import {helpTopics} from '../src/cli/help/topicPages.js'
import {noStyle} from '../src/text/text.js'
import {readCommands} from './docs/commands.js'
import {splitManifest} from './splitManifest.js'

/** The lines of each page of help in a window of 80 columns, from the longest to the shortest, by kind of page. */
export type HelpSize = Readonly<Record<HelpKind, readonly PageSize[]>>

type HelpKind = 'commands' | 'topics' | 'references'
type PageSize = readonly [page: string, lines: number]

/** Counts the lines of what `--help` shows of each command and each topic of commands, and of what `help TOPIC` shows otherwise. */
export function measureHelp(root: string): HelpSize {
  const config = configOf(root)
  const linesOf = (words: string): PageSize => {
    const article = articleOf(words === '' ? [] : words.split(' '), config, {all: false})
    if (article === undefined) throw new Error(`there is no help for ${words}`)
    return [words, drawArticle(article, {columns: 80, style: noStyle}).trimEnd().split('\n').length]
  }
  const measure = (pages: readonly string[]) => pages.map(linesOf).sort(([, a], [, b]) => b - a)
  const commands = readCommands(root).map(({name}) => name)
  const topics = config.topics.map(({name}) => wordsOf(name)).filter((name) => !commands.includes(name))
  const references = helpTopics.map(({name}) => name).filter((name) => !topics.includes(name))
  return {commands: measure(commands), topics: measure(['', ...topics]), references: measure(references)}
}

/** The commands of the last build. */
function configOf(root: string): StaticConfig {
  const read = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'))
  const manifest: Manifest = read('dist/oclif.manifest.json')
  const {heads, details} = splitManifest(manifest)
  return new StaticConfig({
    root,
    pjson: read('package.json'),
    heads,
    readDetails: (start, length) => details.slice(start, start + length),
    loadCommand: (id) => Promise.reject(new Error(`${id} is not run`)),
  })
}

/** The counts as lines for people. With `details` every page is named. */
export function helpTable(size: HelpSize, {details}: {details: boolean}): string {
  const rows = Object.entries(size).flatMap(([kind, pages]) => {
    const lines = pages.reduce((sum, [, count]) => sum + count, 0)
    const [, median = 0] = pages[Math.floor(pages.length / 2)] ?? []
    const [name = '', largest = 0] = pages[0] ?? []
    const named = pages.map(([page, count]) => `  ${String(count).padStart(3)}  ${page === '' ? '--help' : page}`)
    return [
      `${kind.padEnd(10)} ${[pages.length, lines, median].map((count) => String(count).padStart(7)).join('')}  ${largest} (${name})`,
      ...(details ? named : []),
    ]
  })
  return [`${' '.repeat(13)}pages  lines median  largest`, ...rows].join('\n')
}
