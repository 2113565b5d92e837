import {ProfileProblem} from './problem.js'

/** The built-in profile: always there, never in the file (product §8). */
export const sandboxName = 'sandbox'

/** The profile that is meant where none was chosen. */
export const defaultName = 'default'

const inherited = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a text can name a profile. `sandbox` can, the names that every object inherits cannot. */
export function isProfileName(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(text) && !inherited.has(text)
}

/** Whether a text has the form of an operation id (product §10). */
export function isOperationId(text: string): boolean {
  return /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(text)
}

/** Raises a ProfileProblem of kind `usage` that begins with `subject` unless the text can name a profile. */
export function checkProfileName(text: string, subject = 'a profile name'): void {
  if (isProfileName(text)) return
  throw new ProfileProblem(
    'usage',
    `${subject} must be 1 to 64 letters, digits, dots, underscores or hyphens, beginning with a letter, digit or underscore`,
  )
}

/** As `checkProfileName`, and refuses the built-in profile too. */
export function checkOwnProfileName(text: string): void {
  checkProfileName(text)
  if (text !== sandboxName) return
  throw new ProfileProblem('usage', 'the profile name sandbox is reserved for the built-in sandbox', {
    why: 'the sandbox needs no settings and no login',
    advice: 'use the sandbox with -p sandbox, or choose another name',
  })
}
