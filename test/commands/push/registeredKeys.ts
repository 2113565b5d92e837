import {TestCredentials} from '../../../scripts/testCredentials.js'
import {publicKeyOf} from './proving.js'
import type {Answer, Arrived} from './wire.js'

export const made = new TestCredentials()
const pem = {old: made.key('old', 'P-256'), new: made.key('new', 'P-256')}
export const oldFile = made.file('AuthKey_OLDKEY1234.p8', pem.old)
export const newFile = made.file('AuthKey_NEWKEY1234.p8', pem.new)
const team = 'TEAM123456'
export const knownKeys = [
  {keyId: 'OLDKEY1234', teamId: team, publicKey: publicKeyOf(pem.old)},
  {keyId: 'NEWKEY1234', teamId: team, publicKey: publicKeyOf(pem.new)},
]
export const shownKey = (key_id: string) => ({
  ios_apns_type: 'TOKEN',
  bundle_id: 'com.example.rooms',
  team_id: team,
  key_id,
})

/** A service that keeps the registered credential; `faults` answers in its place, before a request is carried out. */
export class RegisteredConfiguration {
  registered: object | null = shownKey('OLDKEY1234')
  readonly changes: string[] = []
  faults: (request: Arrived, nth: number) => Answer | undefined = () => undefined

  answer(request: Arrived, nth: number): Answer {
    const fault = this.faults(request, nth)
    if (fault !== undefined) return fault
    if (request.method === 'GET') return this.registered === null ? {status: 204} : {status: 200, body: this.registered}
    this.carryOut(request)
    return {status: 200}
  }

  carryOut({path: address}: Pick<Arrived, 'path'>): void {
    const query = new URL(address, 'http://x').searchParams
    const key = query.get('key_id')
    const bundle_id = query.get('bundle_id')
    const team_id = query.get('team_id')
    this.registered =
      key === null
        ? {ios_apns_type: 'CERTIFICATE', bundle_id, certificate_expiry_date: '2049-12-31'}
        : {ios_apns_type: 'TOKEN', bundle_id, team_id, key_id: key}
    this.changes.push(key ?? 'certificate')
  }
}
