import {ProfileProblem} from './problem.js'

/**
 * Checks that a text can be sent as a token: visible ASCII characters, which nothing can break a header with. The text is
 * never repeated. Raises a ProfileProblem that begins with `subject`; of kind `usage` unless another is given.
 */
export function checkToken(text: string, subject: string, kind: 'usage' | 'configuration' = 'usage'): void {
  if (/^[\x21-\x7e]+$/.test(text)) return
  const why = text === '' ? 'it is empty' : 'it has a space, a line break or a character outside ASCII'
  throw new ProfileProblem(kind, `${subject} cannot be used as a token`, {
    why,
    advice: 'give the token alone, on one line, without the word Bearer',
  })
}
