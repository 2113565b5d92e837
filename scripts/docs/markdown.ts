/** The line that every generated page begins with. */
export const generatedLine = '<!-- Made by `npm run docs`; an edit here is lost. -->'

/** A page that is generated whole. */
export function page(title: string, ...parts: readonly string[]): string {
  return `${[generatedLine, `# ${title}`, ...parts].join('\n\n')}\n`
}

/** A table; its cells are Markdown already. Empty without rows. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(heading), line(heading.map(() => '---')), ...rows.map(line)].join('\n')
}

/** A stroke would begin the next cell, even within code. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/gu, ' ')
}

/** A flag, with its value if that is one of the words used after flags in our sentences. */
const flagInProse = /(?<![\w`-])(?:-[a-zA-Z]|--[a-z][a-z-]*)\b(?: (?:[A-Z]{2,}|json|ids|host|creator|sandbox)\b)?/gu

/** A text as literal Markdown, with its flags in code type; line ends become spaces. */
export function prose(text: string): string {
  const plain = text.replace(/\s+/gu, ' ').trim().replaceAll('<', '&lt;').replaceAll('*', '\\*')
  return flagsAsCode(plain)
}

/** A text with the flags in it in code type. */
export function flagsAsCode(text: string): string {
  return text.replace(flagInProse, '`$&`')
}

/** A text in code type. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** A block of code in a language. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

/** A sentence from a text that has no capital and no stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.?!]$/u.test(first) ? first : `${first}.`
}

/** `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
