import {assertStdinUnprinted} from '../../api/client/request/nodeDebug.js'
import {Failure} from '../../api/contract/failure.js'
import type {Service} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {readTextInput} from '../../cli/input/readIds.js'
import type {Session} from '../../cli/session/session.js'
import {removeCredential, storeCredential} from '../../storage/profile/credential.js'
import {existing} from '../../storage/profile/edit.js'
import {defaultName} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/open.js'
import {readAll} from '../../terminal/input.js'
import {editableProfile} from './profiles.js'

/** A token is read up to this size; the rest is a mistake. */
const maxTokenBytes = 64 * 1024

interface LoginFlags {
  readonly 'token-file'?: string | undefined
  readonly 'token-command'?: string | undefined
}

/** Where a token was stored, and for what. */
export interface StoredToken {
  readonly profile: string
  readonly service: Service
  readonly origin: string
  readonly store: 'file' | 'keyring' | 'command'
}

/** Takes a token from the source that was named, else from stdin or a hidden prompt, and stores it bound to its origin. */
export async function login(session: Session, service: Service, flags: LoginFlags): Promise<StoredToken> {
  const profile = editableProfile(session)
  if (profile !== defaultName) existing(await openProfileFile(session.places.config), profile)
  const origin = originOf(session, service)
  const command = flags['token-command']
  if (command !== undefined) {
    const credential = {origin, store: 'command', command: wordsOf(command)} as const
    await storeCredential(session.places.config, profile, service, credential)
    return {profile, service, origin, store: 'command'}
  }
  const token = await readToken(session, service, flags['token-file'])
  session.secrets.add(token)
  await storeToken(session, service, origin, token)
  return {profile, service, origin, store: session.resolved.values.tokenStore}
}

/** Stores a token where the profile keeps them. */
export async function storeToken(session: Session, service: Service, origin: string, token: string): Promise<void> {
  const profile = editableProfile(session)
  const {config} = session.places
  if (session.resolved.values.tokenStore === 'keyring') {
    return storeCredential(config, profile, service, {origin, store: 'keyring'}, token)
  }
  return storeCredential(config, profile, service, {origin, store: 'file', token})
}

/** Forgets the tokens of services, and says of which there was one. Raises a Failure (usage) for the sandbox. */
export async function logout(session: Session, services: readonly Service[]) {
  const profile = editableProfile(session)
  const removed: Service[] = []
  for (const service of services) {
    if (await removeCredential(session.places.config, profile, service)) removed.push(service)
  }
  return {profile, removed}
}

async function readToken(session: Session, service: Service, file: string | undefined): Promise<string> {
  const {runtime} = session
  const token = (await given(session, service, file)).trim()
  if (token !== '') return token
  throw new Failure({
    exit: 'usage',
    message: 'the token is empty, nothing was stored',
    why: runtime.stdin.isTTY ? 'nothing was typed' : 'stdin or the file held nothing; is a shell variable unset?',
  })
}

async function given(session: Session, service: Service, file: string | undefined): Promise<string> {
  const {runtime} = session
  if (file !== undefined) return readTextInput(session, file)
  assertStdinUnprinted(`token of the ${service} service`, runtime.env.NODE_DEBUG)
  if (!runtime.stdin.isTTY)
    return readAll(runtime.stdin, {maxBytes: maxTokenBytes, idleMs: 30_000, signal: runtime.signal})
  if (session.mayAsk) return runtime.ask.secret(`Token of the ${service} service:`)
  throw new Failure({
    exit: 'usage',
    message: 'the token cannot be asked for here',
    try: 'pipe it into stdin, or name it with --token-file FILE or --token-command COMMAND',
  })
}

function originOf({resolved}: Session, service: Service): string {
  const address = resolved.values[`${service}.url`]
  if (address !== undefined) return checkAddress(address, {allowHttp: resolved.values.allowHttp}).origin
  throw new Failure({
    exit: 'configuration',
    message: `there is no address for the ${service} service`,
    why: 'a token is bound to the origin of the address it is for',
    try: `roomctl config set ${service}.url https://HOST, then log in again`,
  })
}

/** Splits a command at white space; a JSON array says exactly which arguments there are. No shell is involved. */
function wordsOf(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return jsonWords(trimmed)
  if (/["'\\$`|&;<>]/u.test(trimmed)) {
    throw new Failure({
      exit: 'usage',
      message: '--token-command holds characters that only a shell would understand',
      why: 'the command is run without a shell, so quotes, variables and pipes mean nothing in it',
      try: `--token-command '["program","an argument with spaces"]'`,
    })
  }
  const words = trimmed.split(/\s+/u)
  if (trimmed !== '') return words
  throw new Failure({exit: 'usage', message: '--token-command is empty'})
}

function jsonWords(text: string): string[] {
  try {
    const words: unknown = JSON.parse(text)
    if (Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')) return words
  } catch {
    // Said below: the text must not be repeated by a parser's error.
  }
  throw new Failure({exit: 'usage', message: '--token-command is no JSON array of texts'})
}
