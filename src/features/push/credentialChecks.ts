import {Failure} from '../../api/contract/failure.js'
import type {Session} from '../../cli/session/session.js'
import type {CredentialFinding} from '../../credential/finding.js'
import {safeText} from '../../text/text.js'

/** What was checked, and for what. */
export interface CheckedCredential {
  /** What cannot be done where it has an error: `register the iOS key of application app-1`. */
  readonly doing: string
  /** The name of the file, or what else was checked. */
  readonly subject: string
}

/**
 * Says the warnings on stderr. What cannot work is refused before anything is sent: raises a Failure (file) that lists every
 * error. Notes are for those who inspect a file.
 */
export function assertNoErrors(
  {warn}: Session,
  {doing, subject}: CheckedCredential,
  findings: readonly CredentialFinding[],
): void {
  const errors = findings.filter(({level}) => level === 'error')
  const [first, ...others] = errors
  if (first) {
    throw new Failure({
      exit: 'file',
      code: first.code,
      message: `cannot ${doing}: ${subject}: ${listed([first])}`,
      why: others.length === 0 ? undefined : `and more is wrong with it: ${listed(others)}`,
      try: first.try,
    })
  }
  for (const {level, message, try: advice} of findings) {
    if (level !== 'warning') continue
    warn(`warning: ${safeText(subject)}: ${safeText(message)}${advice === undefined ? '' : ` (${safeText(advice)})`}`)
  }
}

function listed(findings: readonly CredentialFinding[]): string {
  return findings.map(({message}) => message).join('; ')
}

/** Refuses the value of a flag in which a check of its form found something. Raises a Failure (usage) that names the flag. */
export function validateFlag(
  flag: string,
  text: string | undefined,
  check: (text: string) => readonly CredentialFinding[],
): void {
  const [found] = text === undefined ? [] : check(text)
  if (!found) return
  throw new Failure({
    exit: 'usage',
    message: `--${flag} ${text} cannot be used: ${found.message}`,
    try: found.try,
  })
}
