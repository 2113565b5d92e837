import type {Effect} from '../../api/contract/failure.js'
import {Failure} from '../../api/contract/failure.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import {safeText} from '../../text/text.js'

/** What the service shows, in a word. */
export function registeredWord(found: PushConfiguration | null): string {
  return safeText(
    found?.key_id ??
      (found?.certificate_expiry_date ? `certificate, expiry ${found.certificate_expiry_date}` : 'nothing'),
  )
}

export function notRegistered(doing: string, registered: PushConfiguration | null, rollbackFile: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'not-registered',
    message: `cannot ${doing}: ${rollbackFile} is not the registered credential; nothing was sent`,
    why: `registered: ${registeredWord(registered)}`,
    try: 'give the file of the registered credential with --rollback-file; without one, use push ios-key or push ios-cert',
    registered: registeredWord(registered),
  })
}

export function unnamed(doing: string, rollbackFile: string): Failure {
  return new Failure({
    exit: 'file',
    code: 'not-registered',
    message: `cannot ${doing}: ${rollbackFile} cannot be matched with the registered key; nothing was sent`,
    why: 'its name is not AuthKey_<KEYID>.p8, and without a proof nothing else tells its id',
    try: 'rename it to AuthKey_<KEYID>.p8, or leave --no-prove out',
  })
}

/** The Failure (state) where the service shows a credential that is not the rotation's. `attempted`: how far it came, as a sentence. */
export function otherRegistered(
  attempted: string,
  applicationId: string,
  found: PushConfiguration | null,
  outcome: Effect,
): Failure {
  const registered = registeredWord(found)
  return new Failure({
    exit: 'state',
    code: 'other-registered',
    message: `${attempted}; registered: ${registered}`,
    why: 'somebody else has registered another credential meanwhile',
    try: `roomctl push show --application-id ${applicationId}`,
    registered,
    outcome,
  })
}

/** The Failure (network) of a change that cannot be read. */
export function notReadBack(message: string, why: string, advice: string): Failure {
  const unknown = {registered: 'unknown', outcome: 'unknown'} as const
  return new Failure({exit: 'network', code: 'not-read-back', message, why, try: advice, ...unknown})
}
