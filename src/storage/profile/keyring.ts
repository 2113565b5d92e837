import {once} from 'node:events'
import {Failure, failureWith} from '../../failure.js'

/** The keyring of the operating system. An account names one secret of this tool. */
export interface Keyring {
  /** The secret; undefined if an unlocked keyring lacks it. */
  get(account: string): Promise<string | undefined>
  set(account: string, secret: string): Promise<void>
  /** Whether there was one. */
  delete(account: string): Promise<boolean>
}

export interface KeyringEntry {
  getPassword(signal: AbortSignal): Promise<string | null>
  setPassword(secret: string, signal: AbortSignal): Promise<void>
  deletePassword(signal: AbortSignal): Promise<boolean>
}

const keyringService = 'roomctl'

/**
 * The keyring of this machine. Calls end after `limitMs`: a locked keyring may wait for an unseen window. `openEntry` rejects if the
 * machine has no keyring. Throws Failure (configuration).
 */
export function systemKeyring(limitMs = 3000, openEntry = openSystemEntry): Keyring {
  const ask = async <T>(
    account: string,
    call: (entry: KeyringEntry, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const entry = await openEntry(account).catch((error: unknown) => {
      throw error instanceof Failure
        ? error
        : unusableKeyring('no secret service is running, as on a machine without a desktop')
    })
    return withinLimit(limitMs, (signal) => call(entry, signal))
  }
  return {
    get: async (account) => (await ask(account, (entry, signal) => entry.getPassword(signal))) ?? undefined,
    set: (account, secret) => ask(account, (entry, signal) => entry.setPassword(secret, signal)),
    delete: (account) => ask(account, (entry, signal) => entry.deletePassword(signal)),
  }
}

/** Pinned: unpinned it falls back to the kernel's keyring on Linux without a word, which a reboot empties. */
async function openSystemEntry(account: string): Promise<KeyringEntry> {
  const {AsyncEntry} = await import('@napi-rs/keyring').catch(() => {
    const why = 'the optional package @napi-rs/keyring is missing; the single file of roomctl cannot load it'
    throw unusableKeyring(why, 'install roomctl from npm together with @napi-rs/keyring')
  })
  return new AsyncEntry(keyringService, account, {linux: {store: 'secret-service'}})
}

async function withinLimit<T>(limitMs: number, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = unusableKeyring(`it did not answer within ${limitMs / 1000} s; it may be waiting to be unlocked`)
  const control = new AbortController()
  const timer = setTimeout(() => control.abort(late), limitMs)
  const aborted = once(control.signal, 'abort').then(() => Promise.reject(late))
  try {
    return await Promise.race([call(control.signal), aborted])
  } catch (error) {
    // Omit the keyring's own message, which may contain anything.
    throw error instanceof Failure ? error : unusableKeyring('access was refused; it is probably locked')
  } finally {
    clearTimeout(timer)
  }
}

function unusableKeyring(why: string, mend = 'unlock it and try again'): Failure {
  return failureWith('configuration', 'the keyring of this machine is not available', {
    why,
    try: {sentence: `${mend}, or`, command: ['config set', 'tokenStore', 'file'], next: ['config login']},
  })
}
