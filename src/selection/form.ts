import {whenUsed} from '../text/text.js'

interface FormFacts {
  readonly why?: string
  /** What to write instead. For a selector: its text and a caret, on two lines. */
  readonly advice?: string
  /** Where in the text the trouble is, in UTF-16 units from 0. */
  readonly position?: number
}

/** A value somebody typed that does not have the form it must have (product §3, exit 2). Nothing was done yet. */
export class FormError extends Error {
  override readonly name = 'FormError'
  readonly why: string | undefined
  readonly advice: string | undefined
  readonly position: number | undefined

  constructor(message: string, facts: FormFacts = {}, options?: ErrorOptions) {
    super(message, options)
    this.why = facts.why
    this.advice = facts.advice
    this.position = facts.position
  }
}

const longestQuote = 60
const invisible = whenUsed(() => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu)

/** The text in double quotes, as a message may repeat it: cut to 60 characters, controls written as `\u{…}`. */
export function quotedText(text: string): string {
  const characters = [...text.slice(0, longestQuote * 2)]
  const cut = characters.length > longestQuote || text.length > longestQuote * 2
  const kept = cut ? `${characters.slice(0, longestQuote).join('')}…` : text
  return `"${kept.replace(invisible(), (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`
}
