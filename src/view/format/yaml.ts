import {hidesSomething, revealInYaml} from '../../text/text.js'
import {pages, type Rows} from './columns.js'

/** Draws one value as YAML, ending with a line break. */
export type WriteYaml = (value: unknown) => string

/** As a block of lines such a text would lose its spaces. */
const blank = /^[ \n]+$/

/**
 * Loads the writer of YAML 1.2. Strings with hidden or control characters are double-quoted, with the characters as
 * escapes, and so are strings that a parser of YAML 1.1 would take for something else (`no`, a date). Long lines are not
 * folded and nothing is shared by anchors, so that a line-wise tool can read it too.
 */
export async function yamlWriter(): Promise<WriteYaml> {
  const {Document, visit} = await import('yaml')
  return (value) => {
    const document = new Document(value ?? null, {version: '1.2', compat: 'yaml-1.1', aliasDuplicateObjects: false})
    visit(document, {
      Scalar: (_, node) => {
        const {value: text} = node
        if (typeof text === 'string' && (hidesSomething(text) || blank.test(text))) node.type = 'QUOTE_DOUBLE'
      },
    })
    return revealInYaml(document.toString({lineWidth: 0, doubleQuotedAsJSON: true}))
  }
}

/** A list as a YAML sequence in pieces: `[]` without rows. */
export async function* yamlList(rows: Rows<unknown>): AsyncGenerator<string> {
  const write = await yamlWriter()
  if ('length' in rows && rows.length === 0) yield '[]\n'
  for await (const page of pages(rows)) yield write(page)
}
