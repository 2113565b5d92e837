import {statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {TestCredentials} from '../../scripts/testCredentials.js'
import {numberedFolder} from './folder.js'

/** Files of credentials that are as they should be, readable by their owner alone, until the run ends. */
export interface CredentialFiles {
  readonly folder: string
  readonly token: string
  readonly serverKey: string
  readonly password: string
  /** A .p8 with its key id in its name. */
  readonly apnsKey: string
  /** A .p12 with that password. */
  readonly certificate: string
  /** Its size. */
  readonly certificateBytes: number
}

/** What the files hold, in the words that must be seen nowhere. */
export const deviceToken = `dK3:APA91b${'Xy-_9'.repeat(26)}`
export const serverKey = `AAAA${'q9_-zT4'}:${'APA91bRoomsKey'.repeat(10)}`
export const certificatePassword = 'pä ss&wo=rd+%/?#'

export function credentialFiles(): CredentialFiles {
  const folder = numberedFolder(join(tmpdir(), 'roomctl-credentials-'))
  const at = (name: string) => join(folder, name)
  const written = (name: string, text: string) => {
    writeFileSync(at(name), `${text}\n`, {mode: 0o600})
    return at(name)
  }
  const made = new TestCredentials()
  writeFileSync(at('AuthKey_KEY7654321.p8'), made.key('apns', 'P-256'), {mode: 0o600})
  const certificates = [made.certificate({team: 'TEAM654321'})]
  writeFileSync(at('push.p12'), made.p12({certificates, password: certificatePassword}), {mode: 0o600})
  return {
    folder,
    token: written('token.txt', deviceToken),
    serverKey: written('server-key.txt', serverKey),
    password: written('password.txt', certificatePassword),
    apnsKey: at('AuthKey_KEY7654321.p8'),
    certificate: at('push.p12'),
    certificateBytes: statSync(at('push.p12')).size,
  }
}
