import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {getAsset, isSea} from 'node:sea'
import {type Article, type ArticleSection, type Block, table, text} from './article.js'

/** The help topics besides the commands, in the order of their list: the page of each is docs/NAME.md. */
export const helpTopics = [
  {name: 'agents', summary: 'Rules for programs that drive roomctl'},
  {name: 'environment', summary: 'Environment variables'},
  {name: 'exit-codes', summary: 'Exit codes and errors, for scripts'},
  {name: 'fields', summary: 'Fields of JSON answers, by command'},
  {name: 'flags', summary: 'The flags that commands have in common'},
  {name: 'output', summary: 'Formats, columns, queries and colour'},
  {name: 'sandbox', summary: 'The sandbox, and how it reads the documents'},
  {name: 'security', summary: 'Secrets, confirmations and files'},
  {name: 'times', summary: 'Times, durations and time zones'},
] as const

/** A file of the package, which the single executable carries as an asset. */
export function readPackaged(root: string, file: string): string {
  return isSea() ? getAsset(file, 'utf8') : readFileSync(join(root, file), 'utf8')
}

/** The article of a help topic, read from its page; undefined for any other name. */
export function topicArticle(root: string, name: string): Article | undefined {
  return helpTopics.some((topic) => topic.name === name) ? pageArticle(root, name) : undefined
}

/** A page of docs, by its name without the ending. */
export function pageArticle(root: string, name: string): Article {
  return parsePage(readPackaged(root, `docs/${name}.md`))
}

/** Reads the Markdown that the pages consist of: headings, paragraphs, bullets, tables and fenced code. */
function parsePage(page: string): Article {
  const [, title = '', body = ''] = /^# (.*)\n([\s\S]*)/mu.exec(page) ?? []
  const sections = body.split(/^## /mu).map((part, at): ArticleSection => {
    const [heading = '', ...rest] = at === 0 ? [''] : part.split('\n')
    return {...(at === 0 ? {} : {heading}), blocks: blocksOf(at === 0 ? part : rest.join('\n'))}
  })
  return {title, sections: sections.filter(({blocks}) => blocks.length > 0)}
}

const footer = 'In the terminal: '

function blocksOf(body: string): Block[] {
  const parts = body.match(/^```[\s\S]*?^```$|^(?!```).+(?:\n(?!```).+)*/gmu) ?? []
  return parts.filter((part) => !part.startsWith('<!--') && !part.startsWith(footer)).map(blockOf)
}

function blockOf(part: string): Block {
  const [, language, code = ''] = /^```(\w*)\n([\s\S]*)\n```$/u.exec(part) ?? []
  if (language !== undefined) return {kind: 'code', language, lines: code.split('\n')}
  if (part.startsWith('- ')) {
    return {kind: 'lines', lines: part.split('\n').map((line) => line.slice(2)), bulleted: true}
  }
  if (part.startsWith('|')) {
    const [head = [], , ...rows] = part.split('\n').map(cellsOf)
    return table(head, rows)
  }
  return text(part)
}

function cellsOf(line: string): string[] {
  return line
    .slice(2, -2)
    .split(' | ')
    .map((cell) => cell.replaceAll('\\|', '|'))
}
