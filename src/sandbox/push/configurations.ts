import type {Operation} from '../../api/contract/operation.js'
import * as push from '../../api/contract/push.js'
import type {PushConfiguration} from '../../api/contract/pushShapes.js'
import {checkReply} from '../wire/contractCheck.js'
import {bareAnswer, jsonAnswer, refusePlain} from '../wire/plain.js'
import {applicationOf, type PushApplication} from '../world/pushWorld.js'
import {type PushCall, type PushHandlers, unshownAnswer} from './call.js'
import {expiryOf} from './certificate.js'

/** Keeps what was registered; another kind of iOS credential takes the place of the one before. */
async function register(
  call: PushCall<Operation>,
  applicationId: string,
  registered: Pick<PushApplication, 'android' | 'ios'>,
) {
  await call.options.store.change(({push: known}) => {
    const others = known.applications.filter((one) => one.applicationId !== applicationId)
    known.applications = [...others, {...applicationOf(known, applicationId), applicationId, ...registered}]
  })
  return unshownAnswer(200, {}, call)
}

/** push, Notification configuration record. */
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
      const text = Buffer.from(files.auth_key_file).toString('latin1')
      if (!/-----BEGIN (?:\w+ )*PRIVATE KEY-----[^-]+-----END /.test(text)) {
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
      if (application === undefined) return bareAnswer(204, {}, options.now())
      return jsonAnswer(200, checkReply(push.show, configurationOf(application)), options.now())
    },
  }
