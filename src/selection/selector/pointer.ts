const before = 50
const after = 30
const line = /[\p{Cc}\p{Zl}\p{Zp}]/gu
// Whatever a view would write as an escape moves the caret.
const hidden = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu

/**
 * Two lines: the text and, under the character at `position` (in UTF-16 units), a caret. A long text is cut around it.
 * The caret stands by display columns, two for a Korean letter.
 */
export async function pointAt(text: string, position: number): Promise<string> {
  const {default: stringWidth} = await import('string-width')
  const from = position > before ? position - before : 0
  const to = position + after
  const head = (from > 0 ? '…' : '') + plain(text.slice(from, position))
  const tail = plain(text.slice(position, to)) + (to < text.length ? '…' : '')
  return `${head}${tail}\n${' '.repeat(stringWidth(head))}^`
}

/** The text on one line, with a mark in the place of each character that has no width of its own. */
function plain(text: string): string {
  return text.replace(line, ' ').replace(hidden, '\u{fffd}')
}
