import * as Flags from '@oclif/core/flags'
import {android} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {applicationFlags, changeFlags} from '../../cli/flags/flags.js'
import {readSecret} from '../../cli/input/readSecret.js'
import {questionOn} from '../../cli/prompts/confirm.js'
import {checkPackageName} from '../../credential/finding.js'
import {checkServerKey} from '../../credential/serverKey.js'
import {assertNoErrors, validateFlag} from '../../features/push/credentialInput.js'
import {beginRegistering, registerCredential} from '../../features/push/registerCredential.js'

export default class PushAndroid extends RoomctlCommand {
  static override summary = 'Register the Android package and server key of an app'
  static override description =
    `The FCM server key comes from stdin, a file or a hidden prompt, never from the command line, and its form is checked: a
service account or google-services.json is refused before anything is sent. Google began to shut down the legacy interface
for server keys in July 2024. Shows what it replaces and then asks for the application id, which --confirm answers.
Afterwards it reads the configuration back to verify it.`
  static override flags = {
    ...applicationFlags,
    package: Flags.string({required: true, helpValue: 'NAME', summary: 'package name of the Android application'}),
    'server-key-stdin': Flags.boolean({summary: 'read the server key from stdin'}),
    'server-key-file': Flags.string({helpValue: 'FILE', summary: 'read the server key from a file'}),
    ...changeFlags,
  }
  static override examples = [
    {
      description: 'With the server key from a file',
      command:
        '<%= config.bin %> push android --application-id app-2 --package com.example.rooms --server-key-file server-key.txt',
    },
    {
      description: 'Replace the registered one, for a script',
      command:
        '<%= config.bin %> push android --application-id app-1 --package com.example.rooms --server-key-stdin --confirm app-1 < server-key.txt',
    },
  ]

  async run(): Promise<void> {
    const {flags} = await this.parse(PushAndroid)
    const {package: packageName, 'server-key-file': file, 'server-key-stdin': stdin} = flags
    validateFlag('package', packageName, checkPackageName)
    const session = await this.open(flags)
    const registering = await beginRegistering(session, flags, android, ['package_name'])
    const serverKey = await readSecret(session, {
      what: 'server key',
      flag: 'server-key',
      file,
      stdin,
      prompt: questionOn(session, 'push', 'Server key of FCM:'),
      // A service account has several; the check says what it is.
      mayBeLines: true,
    })
    const findings = checkServerKey(serverKey)
    assertNoErrors(session, {doing: registering.doing, subject: file ?? 'the server key'}, findings)
    await registerCredential(session, flags, registering, {
      operation: android,
      platform: 'android',
      input: {
        query: {application_id: registering.applicationId},
        body: {package_name: packageName, fcm_server_key: serverKey},
      },
      expected: {package_name: packageName, fcm_server_key: serverKey},
      findings,
      result: {package_name: packageName},
      what: `the Android configuration of package ${packageName}`,
    })
  }
}
