import {fillAdvice} from '../../src/api/contract/operation.js'
import {code as inCode, prose, sentence} from './markdown.js'

/** Command lines in an advice are code; they end at a comma, a semicolon or `for`, and before a sentence. */
export function adviceText(text: string): string {
  const parts = text.split(/(roomctl [a-z]+ .*?)(?=[,;]| for | (?:shows|sets|tells|may) |$)/u)
  const marked = parts.map((part, at) => (at % 2 === 1 ? inCode(part) : spaced(part))).join('')
  return sentence(marked)
}

/** Prose that keeps the spaces at its ends, beside a piece of code. */
function spaced(part: string): string {
  const [, before = '', , after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(part) ?? []
  return `${before}${prose(part)}${after}`
}

/** Without a call there are no values: uses the names of the arguments. */
export function placeholders(text: string): string {
  return fillAdvice(text, {})
}
