import * as Flags from '@oclif/core/flags'
import {readSecret} from '../../cli/input/readSecret.js'
import type {Session} from '../../cli/session/session.js'

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
export function readPassword(session: Session, flags: PasswordFlags): Promise<string> {
  return readSecret(session, {
    what: 'password of the certificate',
    flag: 'password',
    file: flags['password-file'],
    stdin: flags['password-stdin'],
    env: variable,
    prompt: 'Password of the certificate:',
    mayBeEmpty: true,
  })
}
