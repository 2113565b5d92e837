import {execFileSync} from 'node:child_process'
import {mkdtempSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** Files of credentials that are as they should be, readable by their owner alone, until the run ends. */
export interface CredentialFiles {
  readonly token: string
  readonly serverKey: string
  readonly password: string
  /** A .p8 that openssl made, whose name tells its key id. */
  readonly apnsKey: string
  /** A .p12 that openssl made with that password. */
  readonly certificate: string
  /** Its size. */
  readonly certificateBytes: number
}

/** What the files hold, in the words that must be seen nowhere. */
export const deviceToken = `dK3:APA91b${'Xy-_9'.repeat(26)}`
export const serverKey = `AAAA${'q9_-zT4'}:${'APA91bRoomsKey'.repeat(10)}`
export const certificatePassword = 'pä ss&wo=rd+%/?#'

export function credentialFiles(): CredentialFiles {
  const folder = mkdtempSync(join(tmpdir(), 'roomctl-credentials-'))
  const at = (name: string) => join(folder, name)
  const written = (name: string, text: string) => {
    writeFileSync(at(name), `${text}\n`, {mode: 0o600})
    return at(name)
  }
  const openssl = (line: string, ...words: string[]) =>
    execFileSync('openssl', [...line.split(' '), ...words], {cwd: folder, stdio: 'pipe'})

  openssl('genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_KEY7654321.p8')
  const subject = '/UID=com.example.rooms/CN=Apple Push Services: com.example.rooms/OU=TEAM654321/O=Example/C=KR'
  const certificateOf = 'req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 365000 -utf8'
  openssl(
    certificateOf,
    '-subj',
    subject,
    '-addext',
    '1.2.840.113635.100.6.3.1=ASN1:NULL',
    '-addext',
    '1.2.840.113635.100.6.3.2=ASN1:NULL',
  )
  openssl('pkcs12 -export -inkey key.pem -in cert.pem -out push.p12', '-passout', `pass:${certificatePassword}`)
  return {
    token: written('token.txt', deviceToken),
    serverKey: written('server-key.txt', serverKey),
    password: written('password.txt', certificatePassword),
    apnsKey: at('AuthKey_KEY7654321.p8'),
    certificate: at('push.p12'),
    certificateBytes: statSync(at('push.p12')).size,
  }
}
