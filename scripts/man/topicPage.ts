import type {Article, Block} from '../../src/cli/help/article.js'
import {withoutLinks} from '../../src/cli/help/article.js'
import {type Release, roff} from './roff.js'

/** The man page of a help topic: `roomctl-times(7)`. */
export function topicPage(
  {name, summary}: {readonly name: string; readonly summary: string},
  article: Article,
  release: Release,
): string {
  return roff.page([
    roff.head(`roomctl-${name}`, 7, release),
    roff.name(`roomctl-${name}`, asClause(summary)),
    ...sectionsOf(article),
    roff.section('SEE ALSO'),
    roff.paragraph('`roomctl`(1)'),
  ])
}

/** A line that begins with a capital, to follow a dash. */
export function asClause(line: string): string {
  return line.charAt(0).toLowerCase() + line.slice(1)
}

function sectionsOf({sections}: Article): string[] {
  return sections.flatMap(({heading, blocks}) => [
    roff.section(heading?.toUpperCase() ?? 'DESCRIPTION'),
    ...blocks.map((block) => drawn(block)),
  ])
}

/** A block of a help topic for a man page. */
export function drawn(block: Block): string {
  switch (block.kind) {
    case 'text':
      return roff.paragraph(withoutLinks(block.text))
    case 'lines':
      return block.lines.map(roff.paragraph).join('\n')
    case 'code':
      return roff.verbatim(block.lines.join('\n'))
    case 'examples':
      return block.lines
        .map(({description, line}) => `${roff.paragraph(`${description}:`)}\n${roff.verbatim(line)}`)
        .join('\n')
    case 'table':
      return roff.entries(
        block.rows.map((row) => [row.slice(0, -1).map(withoutLinks).join(', '), withoutLinks(row.at(-1) ?? '')]),
      )
  }
}
