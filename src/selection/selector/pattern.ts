import {FormError} from '../form.js'

/** Larger programs take seconds on a long list of rooms. `[a-z]{500}` is one of about 500 instructions. */
const largestProgram = 1000
const longestPattern = 1000
/** Names come from the service; no honest one is longer. */
const longestSubject = 1000

const lookaround = /^\(\?<?[=!]/

/**
 * Compiles a regular expression in RE2's syntax, which takes time proportional to the text whatever it looks like: a
 * selector is typed in haste and run over names that strangers chose. It is searched for anywhere in the text, case
 * counts unless it begins with `(?i)`, and only the first 1,000 characters of a text are searched.
 * Rejects with FormError, positioned within the pattern where that is known.
 */
export async function compilePattern(pattern: string): Promise<(text: string) => boolean> {
  const {RE2JS, RE2JSSyntaxException} = await import('re2js')
  if (pattern.length > longestPattern) {
    throw new FormError(`a regular expression may have ${longestPattern} characters at most`)
  }
  try {
    const program = RE2JS.compile(pattern)
    if (program.programSize() <= largestProgram) return (text) => program.test(text.slice(0, longestSubject))
  } catch (error) {
    throw refusal(pattern, error instanceof RE2JSSyntaxException ? error : undefined, error)
  }
  throw new FormError('this regular expression is too large', {why: 'repetitions such as {1000} multiply its size'})
}

interface Complaint {
  readonly error: string | null
  readonly input: string | null
}

function refusal(pattern: string, complaint: Complaint | undefined, cause: unknown): FormError {
  const found = complaint?.input ?? ''
  const position = Math.max(0, pattern.indexOf(found))
  if (lookaround.test(pattern.slice(position))) {
    return new FormError('a regular expression here cannot look ahead or behind', {
      position,
      why: 'it must finish in time whatever the names are; combine conditions with and, not',
    })
  }
  if (/^\\[1-9k]/.test(found)) {
    return new FormError('a regular expression here cannot refer back to a group', {
      position,
      why: 'it must finish in time whatever the names are',
    })
  }
  const reason = complaint?.error ?? 'it cannot be used'
  return new FormError(`this is not a regular expression: ${reason}`, {position}, {cause})
}
