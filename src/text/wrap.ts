import {graphemes, graphemeWidth, widthUpTo} from './width.js'

/**
 * A text broken at spaces into lines of at most `width` columns. A word of ASCII that is longer than a line stays whole,
 * because it is an id or an address that somebody will copy; other long words are broken between their characters.
 */
export function wrap(text: string, width: number): string[] {
  return wrapWords(
    text.split(' ').flatMap((part) => breakWord(part, width)),
    width,
  )
}

/** Words, none of which is broken, in lines of at most `width` columns. */
export function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && widthUpTo(longer, width) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
    }
  }
  return [...lines, line]
}

function breakWord(word: string, width: number): string[] {
  if (widthUpTo(word, width) <= width || /^[\x21-\x7e]*$/.test(word)) return [word]
  const pieces: string[] = []
  let piece = ''
  let room = width
  for (const character of graphemes(word)) {
    const size = graphemeWidth(character)
    if (size > room && piece !== '') {
      pieces.push(piece)
      piece = ''
      room = width
    }
    piece += character
    room -= size
  }
  return [...pieces, piece]
}
