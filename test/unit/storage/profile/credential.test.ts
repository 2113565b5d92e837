import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readCredential, removeCredential, storeCredential} from '../../../../src/storage/profile/credential.js'
import {type ProfileFile, readProfileFile, type StoredCredential} from '../../../../src/storage/profile/file.js'
import type {Keyring} from '../../../../src/storage/profile/keyring.js'
import {type Resolved, resolveProfile} from '../../../../src/storage/profile/resolve.js'
import {newConfigDir, rejectionOf, textOf} from './folder.js'

const origin = 'https://a.example'

/** A keyring in memory; `entries` is its content. */
function memoryKeyring(): Keyring & {entries: Map<string, string>} {
  const entries = new Map<string, string>()
  return {
    entries,
    get: async (account) => entries.get(account),
    set: async (account, secret) => {
      entries.set(account, secret)
    },
    delete: async (account) => entries.delete(account),
  }
}

function withRoom(credential: StoredCredential | undefined, env: Record<string, string> = {}): Resolved {
  const file: ProfileFile = {version: 2, profiles: {default: credential ? {credentials: {room: credential}} : {}}}
  return resolveProfile({flags: {}, env, file})
}

async function neverRun(): Promise<string> {
  throw new Error('no program may be run')
}

const inFile = {store: 'file', origin, token: 'stored-token'} as const

describe('reading', () => {
  test('a token in the file is given for its own origin only', async () => {
    const resolved = withRoom(inFile)
    const given = {token: 'stored-token', source: 'file'}
    expect(await readCredential(resolved, 'room', origin, {run: neverRun})).toEqual(given)
    expect(await readCredential(resolved, 'room', 'HTTPS://A.example:443/media', {run: neverRun})).toEqual(given)
    expect(await readCredential(resolved, 'push', origin, {run: neverRun})).toBeUndefined()
  })

  test.each(['https://b.example', 'http://a.example', 'https://a.example:8443', 'https://a.example.evil.example'])(
    'it is refused for the origin %s',
    async (other) => {
      const problem = await rejectionOf(readCredential(withRoom(inFile), 'room', other, {run: neverRun}))
      expect(problem.facts.exit).toBe('configuration')
      expect(problem.message).toBe(`the token stored for https://a.example is not sent to ${other}`)
      expect(problem.facts.why).toContain('a token is bound to an origin')
      expect(problem.facts.try).toBe('roomctl config login room')
      expect(textOf(problem)).not.toContain('stored-token')
    },
  )

  test('for another origin neither the keyring nor a program is asked', async () => {
    const keyring = memoryKeyring()
    keyring.get = neverRun
    const stored: StoredCredential[] = [
      {store: 'keyring', origin},
      {store: 'command', origin, command: ['pass']},
    ]
    for (const credential of stored) {
      const problem = await rejectionOf(
        readCredential(withRoom(credential), 'room', 'https://b.example', {run: neverRun, keyring}),
      )
      expect(problem.message).toContain('is not sent to https://b.example')
    }
  })

  test.each([
    ['nothing', async () => '', 'printed nothing'],
    ['an empty line', async () => '\n', 'printed nothing'],
    ['two lines', async () => 'hunter2\nhunter2\n', 'more than one line'],
    ['a failure', async () => Promise.reject(new Error('stderr: hunter2')), 'failed or could not be started'],
  ])('a command that prints %s is an error that repeats none of it', async (_, run, why) => {
    const resolved = withRoom({store: 'command', origin, command: ['op', 'hunter2-argument']})
    const problem = await rejectionOf(readCredential(resolved, 'room', origin, {run}))
    expect(problem.facts.exit).toBe('configuration')
    expect(problem.facts.why).toContain(why)
    expect(problem.facts.why).toContain('op ')
    expect(`${textOf(problem)}${String(problem.cause)}`).not.toContain('hunter2')
  })

  test('a keyring without the entry is reported as locked or empty, not as a missing login', async () => {
    const resolved = withRoom({store: 'keyring', origin})
    const problem = await rejectionOf(
      readCredential(resolved, 'room', origin, {run: neverRun, keyring: memoryKeyring()}),
    )
    expect(problem.facts.why).toContain('the keyring is locked, or the entry')
  })
})

describe('storing', () => {
  test('a token in the keyring is in no file, and comes back from there', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin}, 'ring-token', keyring)
    const texts = readdirSync(configDir).map((name) => readFileSync(join(configDir, name), 'utf8'))
    expect(texts.join()).not.toContain('ring-token')
    const resolved = resolveProfile({flags: {}, env: {}, file: readProfileFile(configDir)})
    expect(await readCredential(resolved, 'room', origin, {run: neverRun, keyring})).toEqual({
      token: 'ring-token',
      source: 'keyring',
    })
  })

  test('profiles, services and origins have entries of their own in the keyring', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin}, 'one', keyring)
    await storeCredential(configDir, 'default', 'push', {store: 'keyring', origin}, 'two', keyring)
    expect([...keyring.entries.values()]).toEqual(['one', 'two'])
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin: 'https://b.example'}, 'new', keyring)
    expect([...keyring.entries.values()].sort()).toEqual(['new', 'two'])
    await storeCredential(
      configDir,
      'default',
      'room',
      {store: 'keyring', origin: 'https://b.example'},
      'newer',
      keyring,
    )
    expect([...keyring.entries.values()].sort()).toEqual(['newer', 'two'])
  })

  test('a keyring entry is deleted if a file or a command replaces it', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin}, 'old', keyring)
    await storeCredential(configDir, 'default', 'room', inFile, undefined, keyring)
    expect([...keyring.entries]).toEqual([])
  })

  test('an entry edited by hand to another origin finds no token in the keyring', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin}, 'old', keyring)
    const edited = withRoom({store: 'keyring', origin: 'https://evil.example'})
    const problem = await rejectionOf(readCredential(edited, 'room', 'https://evil.example', {run: neverRun, keyring}))
    expect(problem.message).toContain('no token for the')
  })

  test('an invalid origin is refused before anything is stored', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    const storing = storeCredential(configDir, 'default', 'room', {...inFile, origin: 'nowhere'}, undefined, keyring)
    expect((await rejectionOf(storing)).message).toContain('origin')
    expect(readProfileFile(configDir)).toEqual({version: 2, profiles: {}})
    expect([...keyring.entries]).toEqual([])
  })
})

describe('removing', () => {
  test('a token is removed from the keyring, too', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin}, 'ring-token', keyring)
    expect(await removeCredential(configDir, 'default', 'room', keyring)).toBe(true)
    expect([...keyring.entries]).toEqual([])
  })

  test('a keyring that cannot be used is reported, and the token is no longer used', async () => {
    const configDir = newConfigDir()
    const keyring = memoryKeyring()
    await storeCredential(configDir, 'default', 'room', {store: 'keyring', origin}, 'ring-token', keyring)
    keyring.delete = () => Promise.reject(new Error('locked'))
    const problem = await rejectionOf(removeCredential(configDir, 'default', 'room', keyring))
    expect(problem.message).toBe('the token is no longer used, but the old one is still in the keyring')
    expect(readProfileFile(configDir).profiles.default?.credentials).toEqual({})
  })
})
