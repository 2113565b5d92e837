import path from 'node:path'
import * as Flags from '@oclif/core/flags'
import {Failure} from '../../api/contract/failure.js'
import {iosKey} from '../../api/contract/push.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg} from '../../cli/flags/flags.js'
import type {Session} from '../../cli/session/session.js'
import {readApnsKey} from '../../credential/apnsKey.js'
import {assertNoErrors, type CredentialIds, idsOf, readCredentialFile} from '../../features/push/credentialInput.js'
import {type ProofFlags, proveFlags, registeringFlags} from '../../features/push/flags.js'
import {requiredProof} from '../../features/push/prove.js'
import {
  beginRegistering,
  keyRegistration,
  type RegisteringFlags,
  registerCredential,
} from '../../features/push/registerCredential.js'
import {setUpCredential} from '../../features/push/setup.js'

export default class PushIosKey extends RoomctlCommand {
  static override summary = 'Register an iOS key file (.p8) for push'
  static override description =
    `Checks the file before anything is sent: an EC P-256 key in PKCS#8 that can sign, in valid PEM, and ids that are not
swapped. An application has one iOS credential: a key replaces a certificate or another key. Shows what it replaces and then
asks for the application id, which --confirm answers. With --prove it asks Apple about the key first, and registers nothing
unless it is accepted. Afterwards it reads the configuration back to verify it. Without FILE a terminal is asked for
application, file, ids, route and proof; nothing but reads is sent before the last answer, and Esc leaves.`
  static override args = {file: optionalArg('FILE', 'the .p8 file')}
  static override flags = {
    ...registeringFlags,
    'bundle-id': Flags.string({helpValue: 'ID', summary: 'bundle id of the iOS application'}),
    'team-id': Flags.string({helpValue: 'ID', summary: 'team id, ten characters'}),
    'key-id': Flags.string({helpValue: 'ID', summary: 'key id (default: that of the file name AuthKey_<ID>.p8)'}),
    'no-file': Flags.boolean({summary: 'send only the ids; one variant of the document makes the file optional'}),
    ...proveFlags,
  }
  static override examples = commandExamples({
    'Be asked for everything, on a terminal': 'roomctl push ios-key',
    'Register a key only if Apple accepts it':
      'roomctl push ios-key AuthKey_KEY1234567.p8 --application-id app-2 --bundle-id com.example.rooms --team-id TEAM123456 --prove',
    'A key whose id is in its name':
      'roomctl push ios-key AuthKey_KEY1234567.p8 --application-id app-2 --bundle-id com.example.rooms --team-id TEAM123456',
    'See the request, and what it would replace, without sending it':
      'roomctl push ios-key AuthKey_KEY1234567.p8 --application-id app-1 --bundle-id com.example.rooms --team-id TEAM123456 --dry-run',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(PushIosKey)
    const ids = idsOf(flags)
    const session = await this.open(flags)
    const file = keyFileOf(args.file, flags, session.mayAsk)
    if (file === null) return setUpCredential(session, flags, 'key', (answers) => this.open({...flags, ...answers}))
    await register(session, flags, file, assertIds(ids))
  }
}

async function register(
  session: Session,
  flags: RegisteringFlags & ProofFlags & {readonly prove?: boolean},
  file: string | undefined,
  {bundleId, teamId, keyId: givenKeyId}: ReturnType<typeof assertIds>,
): Promise<void> {
  const registering = await beginRegistering(session, flags, iosKey)

  const bytes = file === undefined ? undefined : await readCredentialFile(file)
  const key = bytes && readApnsKey(path.basename(file ?? ''), bytes, {keyId: givenKeyId, teamId})
  assertNoErrors(session, {doing: registering.doing, subject: file ?? ''}, key?.findings ?? [])
  const keyId = givenKeyId ?? key?.keyId
  if (keyId === undefined) throw noKeyId(registering.doing, file)

  const ids = {bundleId, teamId, keyId}
  await registerCredential(session, flags, registering, {
    ...keyRegistration(registering.applicationId, bytes ? {...ids, bytes} : ids, key?.fingerprint),
    findings: key?.findings ?? [],
    proof: bytes && (await requiredProof(session, flags, {kind: 'key', bytes, ...ids})),
  })
}

/** The file; undefined where only the ids are to be sent, null where it is to be asked for with all else. */
function keyFileOf(
  given: string | undefined,
  {'no-file': without, prove}: {readonly 'no-file'?: boolean; readonly prove?: boolean},
  mayAsk: boolean,
): string | undefined | null {
  const advice = 'name the .p8 file, or send only the ids with --no-file'
  const failure = (message: string) => new Failure({exit: 'usage', message, try: advice})
  if (given !== undefined && without) throw failure('FILE and --no-file cannot be given together')
  if (without && prove) throw failure('--prove and --no-file cannot be used together')
  if (without) return undefined
  if (given === undefined && !mayAsk) throw failure('FILE is missing')
  return given ?? null
}

/** The ids that no file tells. Raises a Failure (usage) where one is missing. */
function assertIds({bundleId, teamId, keyId}: CredentialIds) {
  if (bundleId !== undefined && teamId !== undefined) return {bundleId, teamId, keyId}
  const flag = `--${bundleId === undefined ? 'bundle-id' : 'team-id'}`
  throw new Failure({exit: 'usage', message: `missing flag: ${flag}`, try: `add ${flag} ID`})
}

function noKeyId(doing: string, file: string | undefined): Failure {
  return new Failure({
    exit: 'usage',
    message: `cannot ${doing}: the key id is unknown`,
    why:
      file === undefined ? 'without a file it must be given' : `${path.basename(file)} is not named AuthKey_<KEYID>.p8`,
    try: 'add --key-id ID; see developer.apple.com/account, Keys',
  })
}
