import * as Flags from '@oclif/core/flags'
import {placeParameters} from '../../api/client/request/requestParts.js'
import {Failure} from '../../api/contract/failure.js'
import type {Operation} from '../../api/contract/operation.js'
import {readSmallFile} from '../../cli/files/readFile.js'
import {readSecret} from '../../cli/input/readSecret.js'
import type {Session} from '../../cli/session/session.js'
import type {CredentialFinding} from '../../credential/finding.js'
import {safeText} from '../../text/text.js'

/** Where the password of a .p12 comes from; it is no flag itself, which other programs could read (product §7). */
export const passwordFlags = {
  'password-stdin': Flags.boolean({summary: 'read the password of a .p12 from stdin'}),
  'password-file': Flags.string({helpValue: 'FILE', summary: 'read the password of a .p12 from a file'}),
}

interface PasswordFlags {
  readonly 'password-stdin'?: boolean
  readonly 'password-file'?: string | undefined
}

const variable = 'ROOMCTL_P12_PASSWORD'

/** Whether flags or the environment say where the password is. */
export function isPasswordGiven({runtime}: Session, flags: PasswordFlags): boolean {
  const {'password-file': file, 'password-stdin': stdin} = flags
  return file !== undefined || stdin === true || (runtime.env[variable] ?? '') !== ''
}

/** The password of a .p12 from where it was said to be, else from a hidden prompt; it may be empty. Raises a Failure. */
export function readPassword(
  session: Session,
  flags: PasswordFlags,
  prompt = 'Password of the certificate:',
): Promise<string> {
  return readSecret(session, {
    what: 'password of the certificate',
    flag: 'password',
    file: flags['password-file'],
    stdin: flags['password-stdin'],
    env: variable,
    prompt,
    mayBeEmpty: true,
  })
}

/** What the checks of src/credential take at most too. */
const maxBytes = 1024 * 1024

/**
 * The bytes of a file of credentials: a .p8, a .p12, or whatever somebody takes for one. Raises a Failure (file): it cannot be
 * read, is no regular file, or is larger than 1 MiB.
 */
export async function readCredentialFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return readSmallFile(path, {maxBytes, most: '1 MiB; a key or certificate is a few KiB'}).bytes
}

/** Warns of a secret that stands in the address of its request, where the document has it and no route moves it away. */
export async function queryPasswordWarning(session: Session, operation: Operation, name: string): Promise<void> {
  const {route} = await session.api.access(operation.service)
  const placed = placeParameters(operation, route(operation)).find(({parameter}) => parameter.name === name)
  if (placed?.place !== 'query') return
  const advice = 'servers and proxies may log it: use a password unique to this file'
  session.warn(`warning: this service expects the password in the request URL; ${advice}`)
}

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
      why: others.length === 0 ? undefined : `and other problems: ${listed(others)}`,
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

/** Something that a check found about the value of a flag. */
interface Found {
  readonly message: string
  readonly try?: string
}

/** Refuses the value of a flag in which a check of its form found something. Raises a Failure (usage) that names the flag. */
export function validateFlag(flag: string, text: string | undefined, check: (text: string) => readonly Found[]): void {
  const [found] = text === undefined ? [] : check(text)
  if (!found) return
  throw new Failure({
    exit: 'usage',
    message: `--${flag} ${text} cannot be used: ${found.message}`,
    try: found.try,
  })
}
