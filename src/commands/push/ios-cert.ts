import {Failure} from '../../api/contract/failure.js'
import {iosCertificate} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg} from '../../cli/flags/flags.js'
import {questionOn} from '../../cli/prompts/confirm.js'
import {needsPassword, readApnsCertificate} from '../../credential/apnsCertificate.js'
import {checkBundleId} from '../../credential/finding.js'
import {
  assertNoErrors,
  idFlags,
  isPasswordGiven,
  passwordFlags,
  queryPasswordWarning,
  readCredentialFile,
  readPassword,
  validateFlag,
} from '../../features/push/credentialInput.js'
import {proveFlags, registeringFlags} from '../../features/push/flags.js'
import {notProvable, requiredProof} from '../../features/push/prove.js'
import {beginRegistering, certificateRegistration, registerCredential} from '../../features/push/registerCredential.js'
import {setUpCredential} from '../../features/push/setup.js'

export default class PushIosCert extends RoomctlCommand {
  static override summary = 'Register an iOS certificate (.p12) for push'
  static override description =
    `Checks the file before anything is sent: password, certificate and key, bundle id and expiry. Certificates for passes or
websites, for a wildcard or with an Ed25519 key are refused. The password comes from stdin, a file, ROOMCTL_P12_PASSWORD or
a hidden prompt; the document puts it in the request URL, so it is never logged and never sent over plain http. An
application has one iOS credential: a certificate replaces a key or another certificate. Shows what it replaces and then
asks for the application id, which --confirm answers. With --prove it asks Apple about the certificate first, and registers
nothing unless it is accepted. Afterwards it reads the configuration back to verify it. Without FILE a terminal is asked for
everything, as by push ios-key.`
  static override args = {file: optionalArg('FILE', 'the .p12 file')}
  static override flags = {
    ...registeringFlags,
    'bundle-id': idFlags['bundle-id'],
    ...passwordFlags,
    ...proveFlags,
  }
  static override examples = commandExamples({
    'With its password from a file':
      'roomctl push ios-cert push.p12 --application-id app-2 --password-file password.txt',
    'Replace the registered credential, for a script':
      'roomctl push ios-cert push.p12 --application-id app-1 --password-stdin --confirm app-1 < password.txt',
    'See the request, and what it would replace, without sending it':
      'roomctl push ios-cert push.p12 --application-id app-1 --password-file password.txt --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushIosCert)
    validateFlag('bundle-id', flags['bundle-id'], checkBundleId)
    const session = await this.open(flags)
    const {file} = args
    if (file === undefined && session.mayAsk) {
      return setUpCredential(session, flags, 'certificate', (answers) => this.open({...flags, ...answers}))
    }
    if (file === undefined) throw new Failure({exit: 'usage', message: 'FILE is missing', try: 'name the .p12 file'})
    const registering = await beginRegistering(session, flags, iosCertificate)
    const {applicationId, doing} = registering

    const bytes = await readCredentialFile(file)
    const isAsked = isPasswordGiven(session, flags) || (await needsPassword(bytes))
    const password = isAsked
      ? await readPassword(session, flags, questionOn(session, 'push', 'Password of the certificate:'))
      : ''
    const expected = {bundleId: flags['bundle-id'], now: session.runtime.now()}
    const certificate = await readApnsCertificate(bytes, password, expected)
    assertNoErrors(session, {doing, subject: file}, certificate.findings)
    const bundleId = flags['bundle-id'] ?? certificate.bundleId
    if (bundleId === undefined) throw noBundleId(doing, file)

    if (flags.prove && !certificate.opened) throw notProvable(doing, file)
    const credential = {kind: 'certificate', bytes, password, bundleId} as const
    await queryPasswordWarning(session, iosCertificate, 'apns_certificate_password')
    await registerCredential(session, flags, registering, {
      ...certificateRegistration(applicationId, credential, certificate),
      findings: certificate.findings,
      proof: await requiredProof(session, flags, credential),
    })
  }
}

function noBundleId(doing: string, file: string): Failure {
  return new Failure({
    exit: 'usage',
    message: `cannot ${doing}: the bundle id is unknown`,
    why: `${file} could not be opened, or its certificate names none`,
    try: 'add --bundle-id ID',
  })
}
