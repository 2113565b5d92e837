import {X509Certificate} from 'node:crypto'
import {Duplex} from 'node:stream'
import {createSecureContext, TLSSocket} from 'node:tls'
import type {Operation} from '../../api/contract/operation.js'
import type {PushConfiguration} from '../../api/contract/push.js'
import * as push from '../../api/contract/push.js'
import {contractResponse, emptyResponse, refusePlain} from '../wire/service.js'
import {applicationOf, type PushApplication} from '../world/world.js'
import {type PushCall, type PushHandlers, undocumentedResponse} from './operations.js'

/** Another kind of iOS credential replaces the one before. */
async function register(
  call: PushCall<Operation>,
  applicationId: string,
  registered: Pick<PushApplication, 'android' | 'ios'>,
) {
  await call.options.store.change(({push: known}) => {
    const others = known.applications.filter((one) => one.applicationId !== applicationId)
    known.applications = [...others, {...applicationOf(known, applicationId), applicationId, ...registered}]
  })
  return undocumentedResponse(200, {}, call)
}

function configurationOf({android, ios}: PushApplication): PushConfiguration {
  return {
    ...(android ? {fcm_server_key: android.serverKey, package_name: android.packageName} : {}),
    ...(ios ? {bundle_id: ios.bundleId} : {}),
    ...(ios?.type === 'TOKEN' ? {team_id: ios.teamId, key_id: ios.keyId} : {}),
    ios_apns_type: ios?.type ?? 'NONE',
    ...(ios?.type === 'CERTIFICATE' && ios.expiry ? {certificate_expiry_date: ios.expiry} : {}),
  }
}

/** Credentials of an application (push §6 to §9). */
export const configurationHandlers: PushHandlers<'push.iosKey' | 'push.iosCertificate' | 'push.android' | 'push.show'> =
  {
    async 'push.iosKey'(call) {
      const {query, files} = call.input
      const {application_id: applicationId, bundle_id: bundleId, team_id: teamId, key_id: keyId} = query
      const {auth_key_file: file} = files
      if (!file && call.world.choices.keyFile === 'required') refusePlain(400, 'auth_key_file: it is missing')
      if (file && !/-----BEGIN (?:\w+ )*PRIVATE KEY-----[^-]+-----END /.test(Buffer.from(file).toString('latin1'))) {
        refusePlain(400, 'auth_key_file: expected a private key in PEM form')
      }
      return register(call, applicationId, {ios: {type: 'TOKEN', bundleId, teamId, keyId}})
    },

    async 'push.iosCertificate'(call) {
      const {query, files} = call.input
      const {application_id: applicationId, bundle_id: bundleId, apns_certificate_password: password} = query
      const expiry = await expiryOf(files.certificate_file, password)
      return register(call, applicationId, {ios: {type: 'CERTIFICATE', bundleId, ...(expiry ? {expiry} : {})}})
    },

    async 'push.android'(call) {
      const {package_name: packageName, fcm_server_key: serverKey} = call.input.body
      return register(call, call.input.query.application_id, {android: {packageName, serverKey}})
    },

    async 'push.show'({input, world, options}) {
      const application = applicationOf(world.push, input.query.application_id)
      if (application === undefined) return emptyResponse(204, {}, options.now())
      return contractResponse(push.show, 200, configurationOf(application), options.now())
    },
  }

/** The expiry of a .p12, YYYY-MM-DD in UTC; undefined for an unknown encryption. Refuses with 400 no DER and a wrong password (push §7). */
export async function expiryOf(bytes: Uint8Array, password: string): Promise<string | undefined> {
  // PKCS#12 begins with a SEQUENCE.
  if (bytes[0] !== 0x30 || bytes.length < 4) refusePlain(400, 'certificate_file: expected a PKCS#12 file (.p12)')
  try {
    return dayOf(openedByTls(bytes, password))
  } catch (error) {
    if (/mac verify failure/i.test(String(error))) {
      refusePlain(400, 'apns_certificate_password: does not open certificate_file')
    }
    return openedByForge(bytes, password).then(dayOf, () => undefined)
  }
}

function dayOf(certificate: X509Certificate): string {
  return new Date(certificate.validTo).toISOString().slice(0, 10)
}

/** The certificate that goes with the private key of the file, without a connection. Throws what OpenSSL says. */
function openedByTls(bytes: Uint8Array, password: string): X509Certificate {
  const secureContext = createSecureContext({pfx: Buffer.from(bytes), passphrase: password})
  const nobody = new Duplex({read() {}, write: (_chunk, _encoding, done) => done()})
  const socket = new TLSSocket(nobody, {isServer: true, secureContext})
  const certificate = socket.getX509Certificate()
  socket.destroy()
  if (certificate === undefined) throw new Error('no certificate')
  return certificate
}

/** OpenSSL no longer has RC2-40, which macOS writes. */
async function openedByForge(bytes: Uint8Array, password: string): Promise<X509Certificate> {
  const {default: forge} = await import('node-forge')
  const der = forge.asn1.fromDer(Buffer.from(bytes).toString('latin1'))
  const file = forge.pkcs12.pkcs12FromAsn1(der, false, password)
  const {certBag = ''} = forge.pki.oids
  const [bag] = file.getBags({bagType: certBag})[certBag] ?? []
  if (!bag?.cert) throw new Error('no certificate')
  return new X509Certificate(forge.pki.certificateToPem(bag.cert))
}
