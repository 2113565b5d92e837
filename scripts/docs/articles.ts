import type {Article, Block} from '../../src/cli/help/article.js'
import {helpTopics} from '../../src/cli/help/topics.js'
import {block, page, table} from './markdown.js'

/** The pages of the help topics, by their paths below the root. */
export function articlePages(): (readonly [file: string, text: string])[] {
  return helpTopics.map(({name, article}) => [`docs/${name}.md`, articlePage(article, name)])
}

function articlePage({title, skill, sections}: Article, name: string): string {
  const body = sections.flatMap(({heading, blocks}) => [
    ...(heading === undefined ? [] : [`## ${heading}`]),
    ...blocks.map(markdown),
  ])
  if (skill !== undefined) return `---\nname: roomctl\ndescription: ${skill}\n---\n${page(title, ...body)}`
  return page(title, ...body, `In the terminal: \`roomctl help ${name}\`.`)
}

/** A block as Markdown, which its texts are already but for what HTML would take for a tag. */
export function markdown(given: Block): string {
  switch (given.kind) {
    case 'text':
      return given.text
    case 'lines':
      return given.bulleted ? given.lines.map((line) => `- ${line}`).join('\n') : given.lines.join('\n\n')
    case 'shell':
      return block('sh', given.lines.join('\n'))
    case 'json':
      return block('json', given.text)
    case 'table':
      return table(given.columns, given.rows)
    case 'examples':
      return given.lines.map(({description, line}) => `${description}:\n\n${block('sh', line)}`).join('\n\n')
  }
}
