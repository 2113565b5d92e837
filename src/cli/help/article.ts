/**
 * What a help topic says, as data: drawn on a terminal (drawArticle.ts), as a page of docs/ and as a man page. In its texts code
 * stands in backticks, and `[words](page.md)` is a link that only the pages follow.
 */
export interface Article {
  readonly title: string
  readonly sections: readonly ArticleSection[]
}

export interface ArticleSection {
  /** The first section has none. */
  readonly heading?: string
  readonly blocks: readonly Block[]
}

export type Block = Table | Examples | {readonly kind: 'text' | 'json'; readonly text: string}

/** What is told in rows; the last column is the one of sentences. */
export interface Table {
  readonly kind: 'table'
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Command lines that work on the demonstration rooms of the sandbox. */
interface Examples {
  readonly kind: 'examples'
  readonly lines: readonly Example[]
}

export interface Example {
  readonly description: string
  readonly line: string
}

/** A paragraph. */
export function text(...sentences: readonly string[]): Block {
  return {kind: 'text', text: sentences.join(' ')}
}

/** A table; see `Table`. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): Table {
  return {kind: 'table', columns, rows}
}

/** Command lines, each with what it does. */
export function examples(...lines: readonly (readonly [description: string, line: string])[]): Block {
  return {kind: 'examples', lines: lines.map(([description, line]) => ({description, line}))}
}

/** Text in code type. */
export function code(text: string): string {
  return `\`${text}\``
}

/** A sentence from a text that has no capital and no stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/u.test(first) ? first : `${first}.`
}
