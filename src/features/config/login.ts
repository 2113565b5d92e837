import type {InferredFlags} from '@oclif/core/interfaces'
import type {Access} from '../../api/client/request/request.js'
import type {Service} from '../../api/contract/operation.js'
import {checkAddress} from '../../api/http/network/address.js'
import {withCredential} from '../../api/http/transports/selectTransport.js'
import {toFailure} from '../../cli/errors/errorHandler.js'
import {switchFlag, tokenFileFlag, valueFlag} from '../../cli/flags/flags.js'
import {readSecret} from '../../cli/input/readSecret.js'
import {questionOn} from '../../cli/prompts/confirm.js'
import {authorizationOf, onceApi} from '../../cli/session/serviceClients.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, failureWith, wrongUsage} from '../../failure.js'
import {checkToken, removeCredential, runForToken, storeCredential} from '../../storage/profile/credential.js'
import {existing} from '../../storage/profile/edit.js'
import {defaultName} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/resolve.js'
import {editableProfile} from './profileFile.js'
import {readWithToken, type TokenRead} from './tokenRead.js'

/** A person waits for the check of a token; a service that is slower than this is not reached. */
const maxProbeMs = 10_000

export const loginFlags = {
  'token-file': {...tokenFileFlag, exclusive: ['token-command']},
  'token-command': valueFlag('COMMAND', 'program that prints the token: words, or a JSON array'),
  'no-check': switchFlag('store the token without trying it'),
}

/**
 * Stores a token bound to its origin. A read is sent first, if the service has one: a refused token is not stored (unauthenticated),
 * and any other failure is a warning. `--no-check` sends nothing.
 */
export async function login(session: Session, service: Service, flags: InferredFlags<typeof loginFlags>) {
  const profile = editableProfile(session)
  if (profile !== defaultName) existing(await openProfileFile(session.paths.config), profile)
  const base = addressOf(session, service)
  const {origin} = base
  const text = flags['token-command']
  const command = text === undefined ? undefined : commandWords(text)
  const read = async () => {
    const token = command
      ? await runForToken(command, service, session.runtime.run)
      : await readToken(session, service, flags['token-file'])
    session.secrets.add(token)
    if (command) checkToken(token, 'what the token command printed', 'configuration')
    else checkToken(token, 'the given value')
    return token
  }
  // A command is run at each use, and need not be run to be stored.
  const token = command && flags['no-check'] ? '' : await read()
  const probe = flags['no-check'] ? undefined : await probeToken(session, {service, base, token})
  if (probe?.state === 'refused') throw notStored(service, probe.failure)
  if (command) await storeCredential(session.paths.config, profile, service, {origin, store: 'command', command})
  else await storeToken(session, service, origin, token)
  if (probe?.state === 'unknown') {
    session.warn(`warning: the ${service} token is stored, but it could not be checked: ${probe.failure.message}`)
  }
  const store = command ? 'command' : session.resolved.values.tokenStore
  return {profile, service, origin, store, checked: probe?.state === 'accepted'}
}

function notStored(service: Service, {facts: {code, httpStatus, message}}: Failure): Failure {
  return failureWith('unauthenticated', `the ${service} token was not stored: the service refused it`, {
    code,
    httpStatus,
    outcome: 'none',
    why: message,
    try: `get a new token and log in again, or add --no-check to store this one`,
  })
}

export type TokenProbe = TokenRead | {readonly state: 'refused' | 'unknown'; readonly failure: Failure}

/**
 * Makes the smallest read with this token, whatever the profile or the environment sets. Any other result than a refusal, such
 * as the page of a proxy, proves nothing. Throws Failure (interrupted).
 */
export async function probeToken(
  session: Session,
  {service, base, token}: {readonly service: Service; readonly base: URL; readonly token: string},
): Promise<TokenProbe> {
  const {resolved, secrets} = session
  secrets.add(token)
  const header = async () => authorizationOf(service, resolved, token)
  const withToken = (access: Access) => ({
    ...access,
    base,
    transport: withCredential(access.open, {origin: base.origin, header}),
  })
  const api = onceApi(session, withToken, Math.min(resolved.values.timeout, maxProbeMs))
  try {
    return await readWithToken(api, service, resolved.values)
  } catch (error) {
    const failure = toFailure(error)
    const {exit} = failure.facts
    if (exit === 'interrupted' || exit === 'bug') throw error
    return {state: exit === 'unauthenticated' ? 'refused' : 'unknown', failure}
  }
}

export async function storeToken(session: Session, service: Service, origin: string, token: string): Promise<void> {
  const profile = editableProfile(session)
  const {config} = session.paths
  if (session.resolved.values.tokenStore === 'keyring') {
    return storeCredential(config, profile, service, {origin, store: 'keyring'}, token)
  }
  return storeCredential(config, profile, service, {origin, store: 'file', token})
}

/** Removes the tokens of services, and reports which existed. Throws Failure (usage) for the sandbox. */
export async function logout(session: Session, services: readonly Service[]) {
  const profile = editableProfile(session)
  const removed: Service[] = []
  for (const service of services) {
    if (await removeCredential(session.paths.config, profile, service)) removed.push(service)
  }
  return {profile, removed}
}

/** From a file, stdin or a hidden prompt, without the blanks around it, which are no part of a token. */
async function readToken(session: Session, service: Service, file: string | undefined): Promise<string> {
  const token = await readSecret(session, {
    what: `token of the ${service} service`,
    flag: 'token',
    file,
    stdin: file === undefined,
    prompt: questionOn(session, service, `Token of the ${service} service:`),
    // The check of tokens reports a token of several lines.
    mayBeLines: true,
    advice: 'pipe it into stdin, or use --token-file or --token-command',
  })
  return token.trim()
}

function addressOf({resolved}: Session, service: Service): URL {
  const address = resolved.values[`${service}.url`]
  if (address !== undefined) return checkAddress(address, {allowHttp: resolved.values.allowHttp})
  throw failureWith('configuration', `no address is set for the ${service} service`, {
    why: 'a token is bound to the origin of the service address',
    try: {command: ['config init']},
  })
}

/** Splits a command at white space; a JSON array says exactly which arguments there are. No shell is involved: a \\ is a part of a path. */
function commandWords(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return jsonWords(trimmed)
  if (/["'$`|&;<>]/u.test(trimmed)) {
    throw wrongUsage('--token-command contains shell syntax', {
      why: 'the command is run without a shell, so quotes, variables and pipes do not work',
      try: `use --token-command '["program","an argument with spaces"]'`,
    })
  }
  const words = trimmed.split(/\s+/u)
  if (trimmed !== '') return words
  throw wrongUsage('--token-command is empty')
}

function jsonWords(text: string): string[] {
  try {
    const json: unknown = JSON.parse(text)
    if (Array.isArray(json) && json.length > 0 && json.every((word) => typeof word === 'string')) return json
  } catch {
    // Said below: the text must not be repeated by a parser's error.
  }
  throw wrongUsage('--token-command is not a JSON array of strings')
}
