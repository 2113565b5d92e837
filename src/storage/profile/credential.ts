import {failureWith} from '../../failure.js'
import {type CredentialService, profileNamed, type StoredCredential} from './file.js'
import type {Keyring} from './keyring.js'
import {type Resolved, tokenVariable} from './resolve.js'

interface CredentialDeps {
  /** Runs a program without a shell and returns its stdout; rejects if it failed, with Interrupted after a signal. */
  readonly run: (command: string[]) => Promise<string>
  readonly keyring?: Keyring
}

/**
 * The token of a service for requests to `origin`; the environment wins. A stored one is given only for its own origin (product
 * §10): throws Failure (configuration) for another one, and if it is unavailable; its text never contains the token.
 */
export async function readCredential(
  resolved: Resolved,
  service: CredentialService,
  origin: string,
  deps: CredentialDeps,
): Promise<{readonly token: string; readonly source: 'env' | StoredCredential['store']} | undefined> {
  const inEnv = resolved.envToken(service)
  if (inEnv !== undefined) {
    checkToken(inEnv, tokenVariable(service))
    return {token: inEnv, source: 'env'}
  }
  const stored = resolved.credential(service)
  if (stored === undefined) return undefined
  const [own, asked] = [originOf(stored.origin), originOf(origin)]
  if (own !== asked) {
    throw failureWith('configuration', `the token stored for ${own} is not sent to ${asked}`, {
      why: `a token is bound to an origin, and the address of the ${service} service has changed`,
      try: {command: ['config login', service]},
    })
  }
  const token = await fetchToken(stored, account(resolved.name, service, stored.origin), service, deps)
  checkToken(token, `the stored ${service} token`, 'configuration')
  return {token, source: stored.store}
}

async function fetchToken(
  stored: StoredCredential,
  name: string,
  service: CredentialService,
  {run, keyring}: CredentialDeps,
): Promise<string> {
  if (stored.store === 'file') return stored.token
  if (stored.store === 'command') return runForToken(stored.command, service, run)
  const token = await (keyring ?? (await openKeyring())).get(name)
  if (token !== undefined) return token
  throw failureWith('configuration', `no token for the ${service} service in the keyring`, {
    why: `the keyring is locked, or the entry "${name}" was removed`,
    try: {sentence: 'unlock the keyring, or', command: ['config login', service]},
  })
}

/** The token that a program prints. Throws Failure (configuration) without any of its output. */
export async function runForToken(
  command: readonly string[],
  service: CredentialService,
  run: CredentialDeps['run'],
): Promise<string> {
  const failed = (why: string) =>
    failureWith('configuration', `the token command of the ${service} service printed no token`, {
      why,
      try: {sentence: `run ${command[0]} by hand, or`, command: ['config login', service]},
    })
  // The output of a failed program may contain the secret, too.
  const output = await run([...command]).catch((error: unknown) => {
    // Ctrl-C is no failure of the program.
    const isInterrupted = error instanceof Error && error.name === 'Interrupted'
    throw isInterrupted ? error : failed(`${command[0]} failed or could not be started`)
  })
  const token = output.replace(/\r?\n$/, '')
  if (token === '') throw failed(`${command[0]} printed nothing`)
  if (/[\r\n]/.test(token)) throw failed(`${command[0]} printed more than one line`)
  return token
}

/**
 * Stores a credential in a profile, in the place of an older one; `token` goes into the keyring. That it can be sent is for the caller to
 * check. Throws Failure (usage, configuration).
 */
export async function storeCredential(
  configDir: string,
  profile: string,
  service: CredentialService,
  credential: StoredCredential,
  token?: string,
  keyring?: Keyring,
): Promise<void> {
  const bound: StoredCredential = {...credential, origin: originOf(credential.origin)}
  const name = keyringAccount(profile, service, bound)
  if (name !== undefined && token !== undefined) await (keyring ?? (await openKeyring())).set(name, token)
  const older = keyringAccount(profile, service, await replaceStored(configDir, profile, service, bound))
  if (older !== undefined && older !== name) await forgetInKeyring(keyring, older, 'the new token is stored')
}

/** Removes the credential of a service, from the keyring too. Returns whether there was one. */
export async function removeCredential(
  configDir: string,
  profile: string,
  service: CredentialService,
  keyring?: Keyring,
): Promise<boolean> {
  const before = await replaceStored(configDir, profile, service, undefined)
  const older = keyringAccount(profile, service, before)
  if (older !== undefined) await forgetInKeyring(keyring, older, 'the token is no longer used')
  return before !== undefined
}

/** Replaces a credential, or removes it; returns the old one. */
async function replaceStored(
  configDir: string,
  profile: string,
  service: CredentialService,
  credential: StoredCredential | undefined,
): Promise<StoredCredential | undefined> {
  const [{changeProfileFile}, {setCredential}] = await Promise.all([import('./write.js'), import('./edit.js')])
  let before: StoredCredential | undefined
  await changeProfileFile(configDir, (file) => {
    before = profileNamed(file, profile)?.credentials?.[service]
    return before === undefined && credential === undefined ? file : setCredential(file, profile, service, credential)
  })
  return before
}

function keyringAccount(profile: string, service: CredentialService, stored: StoredCredential | undefined) {
  return stored?.store === 'keyring' ? account(profile, service, stored.origin) : undefined
}

async function openKeyring(): Promise<Keyring> {
  const {systemKeyring} = await import('./keyring.js')
  return systemKeyring()
}

async function forgetInKeyring(keyring: Keyring | undefined, name: string, done: string): Promise<void> {
  try {
    await (keyring ?? (await openKeyring())).delete(name)
  } catch {
    throw failureWith('configuration', `${done}, but the old one is still in the keyring`, {
      why: 'the keyring of this machine is not available',
      try: `remove the roomctl entry "${name}" by hand`,
    })
  }
}

/** The origin is a part of the name: a profile whose text was changed by hand finds no token for another origin. */
function account(profile: string, service: CredentialService, origin: string): string {
  return `${profile} ${service} ${originOf(origin)}`
}

function originOf(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return new URL(text).origin
  throw failureWith('configuration', 'the origin of a token must be an http or https address', {
    try: {command: ['config login']},
  })
}

/**
 * Throws Failure that begins with `subject` for what cannot be sent as a token: it is visible ASCII characters, which nothing can break
 * a header with. The text is never repeated.
 */
export function checkToken(text: string, subject: string, kind: 'usage' | 'configuration' = 'usage'): void {
  const why = tokenFault(text)
  if (why === undefined) return
  throw failureWith(kind, `${subject} cannot be used as a token`, {
    why,
    try: 'give the token alone, on one line, without quotes and without the word Bearer',
  })
}

function tokenFault(text: string): string | undefined {
  if (text.trim() === '') return 'it is blank'
  if (!/^[\x21-\x7e]+$/.test(text)) return 'it has a space, a line break or a character outside ASCII'
  if (/^["'`]|["'`]$/.test(text)) return 'it begins or ends with a quotation mark'
  if (/^(?:undefined|null|none|nil)$/i.test(text)) return 'it is what a program writes for a value that is missing'
  if (/^<.*>$|^\*+$/.test(text)) return 'it is what stands in the place of a token'
  // As a shell, a template of a pipeline, or cmd.exe would have replaced it.
  return /^\$(?:\w+$|[{(].*[})]$)|^%\w+%$|^\{\{.*\}\}$/.test(text)
    ? 'it is the name of a variable and not its value'
    : undefined
}
