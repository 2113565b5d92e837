/** A term with its meaning. */
export type Entry = readonly [term: string, meaning: string]

/** The version that the pages describe, with its day: the same source makes the same pages on any day. */
export interface Release {
  readonly version: string
  /** YYYY-MM-DD. */
  readonly date: string
}

/** The macros of man(7) for the parts of a page. Code in texts is in backticks. Each returns whole lines of source. */
export const roff = {
  head: (name: string, section: number, {version, date}: Release): string =>
    `.TH ${quoted(name.toUpperCase())} ${section} ${quoted(date)} ${quoted(`roomctl ${version}`)} ${quoted('roomctl manual')}`,
  /** The entry in indexes of pages: the name and one line. */
  name: (name: string, what: string): string =>
    `.SH "NAME"\n${filled(`${name} - ${what}`).replace(`${name} - `, `${escapedCode(name)} \\- `)}`,
  section: (heading: string): string => `.SH ${quoted(heading)}`,
  paragraph: (text: string): string => `.PP\n${filled(text)}`,
  /** Literal lines: input, or an answer. */
  verbatim: (text: string): string => `.PP\n.RS 4\n.nf\n${text.split('\n').map(codeLine).join('\n')}\n.fi\n.RE`,
  entries: (entries: readonly Entry[]): string => entries.map(entry).join('\n'),
  /** A page of its non-empty parts. */
  page: (parts: readonly string[]): string => {
    const lines = parts.filter((part) => part !== '').join('\n')
    // A heading begins a paragraph.
    return `${lines.replace(/^(\.SH .*)\n\.PP$/gmu, '$1')}\n`
  },
}

function entry([term, meaning]: Entry): string {
  return `.TP\n${filled(term)}\n${filled(meaning)}`
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', '\\(dq')}"`
}

/** Backslashes and all that is not ASCII by their names, so that a page reads the same in every locale. */
function escaped(text: string): string {
  const plain = text.replaceAll('\\', '\\(rs')
  return plain.replace(/[^\n\x20-\x7e]/gu, (character) => {
    const digits = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
    return `\\[u${digits}]`
  })
}

const typed: Readonly<Record<string, string>> = {"'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti', '-': '\\-'}

/** Commands must keep their exact characters, to be copied: roff would replace some by typographic ones. */
function escapedCode(text: string): string {
  return escaped(text).replace(/['`^~-]/gu, (character) => typed[character] ?? character)
}

function codeLine(line: string): string {
  return atStart(escapedCode(line))
}

/** A line that begins with a point or a quote would be a macro. */
function atStart(line: string): string {
  return /^[.']/u.test(line) ? `\\&${line}` : line
}

const widest = 78

/** A text over lines of source; spaces in code are kept. */
function filled(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text
    .replace(/\s+/gu, ' ')
    .trim()
    .match(/(?:`[^`]*`|\S)+/gu) ?? []) {
    const piece = inline(word)
    if (line !== '' && line.length + piece.length + 1 > widest) {
      lines.push(line)
      line = piece
    } else {
      line = line === '' ? piece : `${line} ${piece}`
    }
  }
  return [...lines, line].map(atStart).join('\n')
}

function inline(text: string): string {
  return text
    .split(/(`[^`]*`)/u)
    .map((part) => (part.startsWith('`') ? `\\fB${escapedCode(part.slice(1, -1))}\\fP` : escaped(part)))
    .join('')
}
