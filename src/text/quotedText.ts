import {whenUsed} from './text.js'

const longestQuote = 60
const invisible = whenUsed(() => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu)

/** The text in double quotes, as a message may repeat it: cut to 60 characters, controls written as `\u{…}`. */
export function quotedText(text: string): string {
  const characters = [...text.slice(0, longestQuote * 2)]
  const cut = characters.length > longestQuote || text.length > longestQuote * 2
  const kept = cut ? `${characters.slice(0, longestQuote).join('')}…` : text
  return `"${kept.replace(invisible(), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`
}
