import type {X509Certificate} from 'node:crypto'
import {Duplex} from 'node:stream'
import {createSecureContext, TLSSocket} from 'node:tls'
import type {Operation} from '../../api/contract/operation.js'
import * as push from '../../api/contract/push.js'
import {contractResponse, emptyResponse, jsonResponse, refusePlain} from '../wire/service.js'
import type {PushApplication} from '../world/world.js'
import type {PushCall, PushHandlers} from './operations.js'

/** Another kind of iOS credential replaces the one before. */
async function register(
  call: PushCall<Operation>,
  applicationId: string,
  registered: Pick<PushApplication, 'android' | 'ios'>,
) {
  await call.options.store.change(({push: known}) => {
    const before = known.applications.find((application) => application.application_id === applicationId)
    const others = known.applications.filter((application) => application !== before)
    known.applications = [...others, {...before, application_id: applicationId, ...registered}]
  })
  return jsonResponse(200, {}, call.options.now())
}

/** Credentials of an application (push §6 to §9). */
export const configurationHandlers: PushHandlers<'push.iosKey' | 'push.iosCertificate' | 'push.android' | 'push.show'> =
  {
    async 'push.iosKey'(call) {
      const {application_id: applicationId, ...ids} = call.input.query
      const {auth_key_file: file} = call.input.files
      if (!file && call.world.choices.keyFile === 'required') refusePlain(400, 'auth_key_file: it is missing')
      if (file && !/-----BEGIN (?:\w+ )*PRIVATE KEY-----[^-]+-----END /.test(Buffer.from(file).toString('latin1'))) {
        refusePlain(400, 'auth_key_file: expected a private key in PEM form')
      }
      return register(call, applicationId, {ios: {...ids, ios_apns_type: 'TOKEN'}})
    },

    async 'push.iosCertificate'(call) {
      const {query, files} = call.input
      const {application_id: applicationId, bundle_id, apns_certificate_password: password} = query
      const expiry = expiryOf(files.certificate_file, password)
      const date = expiry ? {certificate_expiry_date: expiry} : {}
      return register(call, applicationId, {ios: {bundle_id, ios_apns_type: 'CERTIFICATE', ...date}})
    },

    async 'push.android'(call) {
      return register(call, call.input.query.application_id, {android: call.input.body})
    },

    async 'push.show'({input, world, options}) {
      const application = world.push.applications.find(
        (candidate) => candidate.application_id === input.query.application_id,
      )
      if (application === undefined) return emptyResponse(204, {}, options.now())
      const shown = {...application.android, ...(application.ios ?? {ios_apns_type: 'NONE'})}
      return contractResponse(push.show, 200, shown, options.now())
    },
  }

/** The expiry of a .p12, YYYY-MM-DD in UTC; undefined for one that OpenSSL does not open. Refuses with 400 no DER and a wrong password (push §7). */
export function expiryOf(bytes: Uint8Array, password: string): string | undefined {
  // PKCS#12 begins with a SEQUENCE.
  if (bytes[0] !== 0x30 || bytes.length < 4) refusePlain(400, 'certificate_file: expected a PKCS#12 file (.p12)')
  try {
    return new Date(openedByTls(bytes, password).validTo).toISOString().slice(0, 10)
  } catch (error) {
    if (/mac verify failure/i.test(String(error))) {
      refusePlain(400, 'apns_certificate_password: does not open certificate_file')
    }
    return undefined
  }
}

/** The certificate of the private key of the file, without a connection. Throws OpenSSL's error. */
function openedByTls(bytes: Uint8Array, password: string): X509Certificate {
  const secureContext = createSecureContext({pfx: Buffer.from(bytes), passphrase: password})
  const nobody = new Duplex({read() {}, write: (_chunk, _encoding, done) => done()})
  const socket = new TLSSocket(nobody, {isServer: true, secureContext})
  const certificate = socket.getX509Certificate()
  socket.destroy()
  if (certificate === undefined) throw new Error('no certificate')
  return certificate
}
