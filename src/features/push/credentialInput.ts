import path from 'node:path'
import type {InferredFlags} from '@oclif/core/interfaces'
import {readSmallFile} from '../../cli/files/readFile.js'
import {inputFileFlag, switchFlag, valueFlag} from '../../cli/flags/flags.js'
import {readSecret} from '../../cli/input/readSecret.js'
import type {Session} from '../../cli/session/session.js'
import {type ApnsCertificate, needsPassword} from '../../credential/apnsCertificate.js'
import {type ApnsKey, checkKeyIds, readApnsKey} from '../../credential/apnsKey.js'
import {type CredentialFinding, checkBundleId, checkKeyId, checkTeamId} from '../../credential/finding.js'
import {inspect} from '../../credential/inspect.js'
import {fileFailure, wrongUsage} from '../../failure.js'
import {unasked} from '../../terminal/ask.js'
import {safeText} from '../../text/text.js'
import type {ProvableCredential} from './prove.js'

/** The source of a .p12 password, which is never a flag itself: other programs could read it. */
export const passwordFlags = {
  'password-stdin': switchFlag('read the password of a .p12 from stdin'),
  'password-file': inputFileFlag('read the password of a .p12 from a file'),
}

type PasswordFlags = Partial<InferredFlags<typeof passwordFlags>>

const variable = 'ROOMCTL_P12_PASSWORD'

function isPasswordGiven({runtime}: Session, flags: PasswordFlags): boolean {
  const {'password-file': file, 'password-stdin': stdin} = flags
  return file !== undefined || stdin === true || (runtime.env[variable] ?? '') !== ''
}

/** The password of a .p12 from its source, else from a hidden prompt; may be empty. Throws Failure. */
function readPassword(
  session: Session,
  flags: PasswordFlags,
  prompt = 'Password of the certificate:',
): Promise<string> {
  return readSecret(session, {
    what: 'password of the certificate',
    flag: 'password',
    file: flags['password-file'],
    stdin: flags['password-stdin'],
    env: variable,
    prompt,
    mayBeEmpty: true,
  })
}

/** Throws Failure (file) for what cannot be read, is no regular file, or is larger than 1 MiB. */
export async function readCredentialFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  return readSmallFile(path, {maxBytes: 1024 * 1024, most: '1 MiB; a key or certificate is a few KiB'}).bytes
}

export const idFlags = {
  'bundle-id': valueFlag('ID', 'bundle id of the iOS app (default: from the certificate)'),
  'team-id': valueFlag('ID', 'team id of a .p8 key, ten characters'),
  'key-id': valueFlag('ID', 'id of a .p8 key (default: from the name AuthKey_<ID>.p8)'),
}

type IdCheck = (text: string) => readonly CredentialFinding[]

const idChecks: Readonly<Record<keyof typeof idFlags, IdCheck>> = {
  'bundle-id': checkBundleId,
  'team-id': checkTeamId,
  'key-id': checkKeyId,
}

type CredentialIds = ReturnType<typeof idsOf>

/** Validated ids of the flags. Throws Failure (usage). */
export function idsOf(flags: Partial<InferredFlags<typeof idFlags>>) {
  const {'bundle-id': bundleId, 'team-id': teamId, 'key-id': keyId} = flags
  for (const flag of ['bundle-id', 'team-id', 'key-id'] as const) validateFlag(flag, flags[flag], idChecks[flag])
  return {bundleId, teamId, keyId}
}

/** A credential file with its ids, and what its checks found. */
export interface CheckedFile {
  readonly credential: ProvableCredential
  readonly inspected: ApnsKey | ApnsCertificate
}

/** Says what a file is, and checks it against the ids that are known. Throws Failure (file) for one that cannot be read. */
export async function inspectFile(
  session: Session,
  file: string,
  ids: CredentialIds,
  flags: PasswordFlags,
  prompt?: string,
) {
  const bytes = await readCredentialFile(file)
  const isRead = await needsPassword(bytes, isPasswordGiven(session, flags))
  const password = isRead ? await readPassword(session, flags, prompt) : ''
  const inspected = await inspect(file, bytes, {...ids, password, now: session.runtime.now()})
  return {file, bytes, password, inspected}
}

export type OpenedFile = Awaited<ReturnType<typeof openCredentialFile>>

/** Opens a .p8 or a .p12. Throws Failure (file) for a file that cannot work. */
export async function openCredentialFile(
  session: Session,
  file: string,
  ids: CredentialIds,
  {doing, password, prompt}: {readonly doing: string; readonly password: PasswordFlags; readonly prompt?: string},
) {
  const {inspected, ...opened} = await inspectFile(session, file, ids, password, prompt)
  const errors = inspected.findings.filter(({level}) => level === 'error')
  assertNoErrors(session, {doing, subject: file}, errors)
  return {...opened, inspected: inspected as ApnsKey | ApnsCertificate}
}

/** Refuses a certificate that is encrypted in a way that roomctl does not read. Throws Failure (file). */
export function assertProvable({file, inspected}: OpenedFile, doing: string): void {
  if (inspected.kind === 'apns-key' || inspected.opened) return
  throw fileFailure(`cannot ${doing}: roomctl cannot open ${file}`, {
    code: 'not-opened',
    why: 'it is encrypted in a way that roomctl does not read, so its key cannot be used for a proof',
    try: 'export it again with another encryption',
  })
}

/** An opened file with its ids: from flags, the file, or a question. Prints the warnings. Throws Failure (usage, file). */
export async function withIds(
  session: Session,
  {file, bytes, password, inspected}: OpenedFile,
  ids: CredentialIds,
  doing: string,
): Promise<CheckedFile> {
  if (inspected.kind === 'apns-key') {
    const keyIds = await requireKeyIds(
      session,
      {...ids, keyId: ids.keyId ?? inspected.keyId},
      {doing, file, named: inspected.keyId},
    )
    const key = await readApnsKey(file, Buffer.from(bytes).toString('utf8'), keyIds)
    assertNoErrors(session, {doing, subject: file}, key.findings)
    return {credential: {kind: 'key', file, bytes, ...keyIds}, inspected: key}
  }
  if (ids.keyId !== undefined) throw wrongUsage('--key-id cannot be used here: a certificate has no key id')
  assertNoErrors(session, {doing, subject: file}, inspected.findings)
  const unnamed = `${file} could not be opened, or its certificate names none`
  const bundleId = await idOrAsk(session, 'bundle-id', ids.bundleId ?? inspected.bundleId, {doing, why: unnamed})
  return {credential: {kind: 'certificate', file, bytes, password, bundleId}, inspected}
}

/** The ids of a key, those that are missing asked for on a terminal. `named`: the id in the name of its file. Throws Failure (usage). */
export async function requireKeyIds(
  session: Session,
  {keyId, teamId, bundleId}: CredentialIds,
  {doing, file, named}: {readonly doing: string; readonly file?: string; readonly named?: string | undefined},
) {
  const outside = file === undefined ? 'without a file it must be given' : 'a .p8 does not contain it'
  const unnamed = file === undefined ? outside : `${path.basename(file)} has no key id in its name, as Apple gives it`
  const key = await idOrAsk(session, 'key-id', keyId, {doing, why: unnamed})
  const fits = (team: string) => [...checkTeamId(team), ...checkKeyIds(named, {keyId: key, teamId: team})]
  return {
    keyId: key,
    teamId: await idOrAsk(session, 'team-id', teamId, {doing, why: outside, check: fits}),
    bundleId: await idOrAsk(session, 'bundle-id', bundleId, {doing, why: outside}),
  }
}

async function idOrAsk(
  session: Session,
  flag: keyof typeof idFlags,
  id: string | undefined,
  {doing, why, check = idChecks[flag]}: {readonly doing: string; readonly why: string; readonly check?: IdCheck},
): Promise<string> {
  if (id !== undefined) return id
  if (!session.mayAsk) {
    const advice = `add --${flag}; see developer.apple.com/account`
    throw unasked(session.runtime, wrongUsage(`cannot ${doing}: --${flag} is missing`, {why, try: advice}))
  }
  const label = `${flag.charAt(0).toUpperCase()}${flag.slice(1).replace('-', ' ')}:`
  for (;;) {
    const typed = (await session.runtime.ask.text(label)).trim()
    const wrong = check(typed).find(({level}) => level === 'error')
    if (wrong === undefined) return typed
    session.warn(safeText(`${wrong.message}${wrong.try === undefined ? '' : `: ${wrong.try}`}`))
  }
}

/** Says the warnings on stderr. Throws Failure (file) that lists every error. `subject`: the file, or what else was checked. */
export function assertNoErrors(
  {warn}: Session,
  {doing, subject}: {readonly doing: string; readonly subject: string},
  findings: readonly CredentialFinding[],
): void {
  const errors = findings.filter(({level}) => level === 'error')
  const [first, ...others] = errors
  if (first) {
    throw fileFailure(`cannot ${doing}: ${subject}: ${first.message}`, {
      code: first.code,
      why: others.length === 0 ? undefined : `and other problems: ${others.map(({message}) => message).join('; ')}`,
      try: first.try,
    })
  }
  for (const {level, message, try: advice} of findings) {
    if (level !== 'warning') continue
    warn(`warning: ${safeText(subject)}: ${safeText(message)}${advice === undefined ? '' : ` (${safeText(advice)})`}`)
  }
}

/** Refuses the value of a flag in which a check of its form found something. Throws Failure (usage) that names the flag. */
export function validateFlag(flag: string, text: string | undefined, check: IdCheck): void {
  const [problem] = text === undefined ? [] : check(text)
  if (!problem) return
  throw wrongUsage(`--${flag} ${text} cannot be used: ${problem.message}`, {try: problem.try})
}
