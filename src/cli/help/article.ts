import {noStyle, type Style} from '../../text/text.js'
import {displayWidth, wrapWords} from '../../text/width.js'

/**
 * What a help topic says, as data: drawn on a terminal (drawArticle.ts), as a page of docs/ and as a man page. In its texts code
 * is in backticks, and `[words](page.md)` is a link that only the pages follow.
 */
export interface Article {
  readonly title: string
  readonly sections: readonly ArticleSection[]
}

export interface ArticleSection {
  /** The first section of a topic, and the last of a command, has none. */
  readonly heading?: string
  readonly blocks: readonly Block[]
}

export type Block = Text | Table | Examples | Lines | Code

export interface Text {
  readonly kind: 'text'
  readonly text: string
}

/** Each on a line of its own. */
interface Lines {
  readonly kind: 'lines'
  readonly lines: readonly string[]
  readonly bulleted?: true
}

/** Command lines to type one after the other, or JSON. */
interface Code {
  readonly kind: 'code'
  readonly language: string
  readonly lines: readonly string[]
}

/** A table; its last column has sentences. */
export interface Table {
  readonly kind: 'table'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Command lines that work on the demonstration rooms of the sandbox. */
interface Examples {
  readonly kind: 'examples'
  readonly lines: readonly {readonly description: string; readonly line: string}[]
}

export function article(title: string, ...sections: readonly ArticleSection[]): Article {
  return {title, sections}
}

/** A section without a heading. */
export function introduction(...blocks: readonly Block[]): ArticleSection {
  return {blocks}
}

export function sectionOf(heading: string, ...blocks: readonly Block[]): ArticleSection {
  return {heading, blocks}
}

export function text(...sentences: readonly string[]): Text {
  return {kind: 'text', text: sentences.join(' ')}
}

export function lineBlock(...lines: readonly string[]): Lines {
  return {kind: 'lines', lines}
}

export function table(columns: readonly string[], rows: readonly (readonly string[])[]): Table {
  return {kind: 'table', columns, rows}
}

interface Page {
  readonly columns: number
  readonly style: Style
}

/** A longer term has a line of its own, above its meaning. */
const longestTerm = 28

/** The article for a terminal, or for a file: its headings in capitals, all else two columns in. */
export function drawArticle({title, sections}: Article, page: Page): string {
  return [`${title}\n`, ...sections.map((section) => drawSection(section, page))].join('\n')
}

function drawSection({heading, blocks}: ArticleSection, page: Page): string {
  const drawn = blocks.map((block) => drawBlock(block, page).map((line) => `  ${line}`.trimEnd()))
  const body = drawn.map((lines) => `${lines.join('\n')}\n`).join('\n')
  return heading === undefined ? body : `${page.style.bold(heading.toUpperCase())}\n${body}`
}

function drawBlock(block: Block, page: Page): string[] {
  switch (block.kind) {
    case 'text':
      return flow(block.text, page.columns - 2, page.style)
    case 'table':
      return drawTable(block, page)
    case 'examples':
      return block.lines.flatMap(({description, line}) => [
        ...flow(description, page.columns - 2, page.style),
        ...drawCommand(line, page),
      ])
    case 'lines':
      return block.lines.flatMap((line) => drawLine(line, block, page))
    case 'code':
      return block.lines.flatMap((line) => (block.language === 'sh' ? drawCommand(line, page) : `  ${line}`))
  }
}

function drawLine(line: string, {bulleted}: Lines, {columns, style}: Page): string[] {
  if (!bulleted) return flow(line, columns - 2, style)
  return flow(line, columns - 4, style).map((part, at) => `${at === 0 ? '-' : ' '} ${part}`)
}

function drawCommand(line: string, page: Page): string[] {
  return wrapCommand(line, page.columns - 6).map((part, at) => (at === 0 ? `  $ ${part}` : `      ${part}`))
}

/** A command line over as many lines as it takes, each but the last with the backslash that continues it; nothing quoted is broken. */
function wrapCommand(line: string, width: number): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|\S)+/gu) ?? []
  const parts = wrapWords(words, width - 4)
  return parts.map((part, at) => (at < parts.length - 1 ? `${part} \\` : part))
}

function drawTable({columns, rows}: Table, page: Page): string[] {
  const titles = columns.map((column) => column.toUpperCase())
  const isList = columns.length === 2
  const terms = (at: number) => rows.map((row) => plain(row[at] ?? ''))
  const widths = isList
    ? [widest(terms(0).filter((term) => displayWidth(term) <= longestTerm))]
    : titles.slice(0, -1).map((title, at) => widest([title, ...terms(at)]))
  const indent = widths.reduce((sum, width) => sum + width + 2, 0)
  const heading = titles.map((title, at) => title + gap(title, widths[at] ?? 0)).join('')
  const drawn = rows.flatMap((row) => drawRow(row, widths, indent, page))
  return isList ? drawn : [page.style.bold(heading.trimEnd()), ...drawn]
}

/** The cells beside each other, the last one over as many lines as it takes. */
function drawRow(row: readonly string[], widths: readonly number[], indent: number, {columns, style}: Page): string[] {
  const [first = '', ...rest] = flow(row.at(-1) ?? '', columns - 2 - indent, style)
  const terms = row.slice(0, -1).map(plain)
  const lead = terms.map((term, at) => style.cyan(term) + gap(term, widths[at] ?? 0)).join('')
  const below = rest.map((line) => ' '.repeat(indent) + line)
  const isTooLong = terms.some((term, at) => displayWidth(term) > (widths[at] ?? 0))
  if (!isTooLong) return [lead + first, ...below]
  const above = wrapWords(terms.join('  ').split(' '), columns - 2).map((line) => style.cyan(line))
  return [...above, ' '.repeat(indent) + first, ...below]
}

/** Pads a cell to its width, plus two spaces. */
function gap(term: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(term)) + 2)
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(displayWidth))
}

/** The text over lines of at most `width` columns; code is never broken, and without colour keeps its backticks. */
function flow(text: string, width: number, style: Style): string[] {
  const words = withoutLinks(text).match(/(?:`[^`]*`|\S)+/gu) ?? []
  const lines = wrapWords(words, width)
  return style === noStyle ? lines : lines.map((line) => line.replace(/`([^`]*)`/gu, (_, code) => style.cyan(code)))
}

function plain(text: string): string {
  return withoutLinks(text).replaceAll('`', '')
}

/** `[words](page.md)` leads nowhere on a terminal. */
export function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]*)\]\([^)]*\)/gu, '$1')
}
