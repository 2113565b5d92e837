import {android} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, inputFileFlag, requiredFlag, switchFlag} from '../../cli/flags/flags.js'
import {readSecret} from '../../cli/input/readSecret.js'
import {askYes, questionOf, questionOn, unanswered} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {checkPackageName} from '../../credential/finding.js'
import {checkServerKey, legacyFcm, legacyFcmShutdown, legacyKey} from '../../credential/serverKey.js'
import {assertNoErrors, validateFlag} from '../../features/push/credentialInput.js'
import {registeringFlags} from '../../features/push/flags.js'
import {prepareRegistration, registerCredential} from '../../features/push/registerCredential.js'

export default class PushAndroid extends RoomctlCommand {
  static override changes = true
  static override summary = 'Register the Android package and server key of an app'
  static override description =
    `The FCM server key comes from stdin, a file or a hidden prompt, never from an argument. A service account or
google-services.json is refused before anything is sent. Google shut down the FCM interface for server keys (from
${legacyFcm.shutdown} on), but the document requires one, and the push service may use another way. So roomctl asks first;
--legacy answers yes. Shows what it replaces and then asks for the application id, which --confirm answers. Afterwards it
reads the configuration back to verify it.`
  static override flags = {
    ...registeringFlags,
    package: requiredFlag('NAME', 'package name of the Android application'),
    'server-key-stdin': switchFlag('read the server key from stdin'),
    'server-key-file': inputFileFlag('read the server key from a file'),
    legacy: switchFlag('register a server key, which Google no longer accepts'),
  }
  static override examples = commandExamples({
    'With the server key from a file':
      'roomctl push android --application-id app-2 --package com.example.rooms --server-key-file server-key.txt --legacy',
    'Replace the registered one, for a script':
      'roomctl push android --application-id app-1 --package com.example.rooms --server-key-stdin --legacy --confirm app-1 < server-key.txt',
  })

  async run(): Promise<void> {
    const {flags} = await this.parse(PushAndroid)
    const {package: packageName, 'server-key-file': file, 'server-key-stdin': stdin} = flags
    validateFlag('package', packageName, checkPackageName)
    const session = await this.open(flags)
    const registering = await prepareRegistration(session, flags, android)
    const isAsked = await confirmLegacy(session, flags, registering.doing)
    const serverKey = await readSecret(session, {
      what: 'server key',
      flag: 'server-key',
      file,
      stdin,
      prompt: questionOn(session, 'push', 'Server key of FCM:'),
      // A service account has several lines; the check names it.
      mayBeLines: true,
    })
    const findings = checkServerKey(serverKey)
    const untold = isAsked ? findings.filter(({code}) => code !== legacyKey) : findings
    assertNoErrors(session, {doing: registering.doing, subject: file ?? 'the server key'}, untold)
    const body = {package_name: packageName, fcm_server_key: serverKey}
    const registration = {
      operation: android,
      input: {query: {application_id: registering.applicationId}, body},
      expected: body,
      result: {package_name: packageName},
      what: `the Android configuration of package ${packageName}`,
    }
    await registerCredential(session, flags, registering, registration, {findings})
  }
}

/** Asks whether a server key is still wanted; returns whether it asked. Throws Failure (unconfirmed). */
async function confirmLegacy(
  session: Session,
  flags: {readonly legacy?: boolean; readonly 'dry-run'?: boolean},
  doing: string,
): Promise<boolean> {
  if (flags.legacy || flags['dry-run']) return false
  if (!session.mayAsk) {
    throw unanswered(session, doing, 'add --legacy if the push service still accepts server keys', legacyFcmShutdown)
  }
  await askYes(session, `${legacyFcmShutdown}. ${questionOn(session, 'push', questionOf(doing))}`)
  return true
}
