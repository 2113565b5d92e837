import {join} from 'node:path'
import * as z from 'zod/mini'
import {failureWith} from '../../failure.js'
import {currentUser, keepPrivateFolder, readPrivateFile} from '../disk/privateFile.js'
import {parseDocument} from '../document.js'
import {retiredShapes, settingShapes} from './settings.js'

/** The three services; each has its own address and credential. */
export type CredentialService = 'room' | 'asset' | 'push'

// Shapes are made when a file is first read: a start without one needs none of them.

/** A credential and the origin that it is for: it is never sent to another one. */
const credentialShape = z.lazy(() =>
  z.discriminatedUnion('store', [
    z.strictObject({store: z.literal('file'), origin: z.string(), token: z.string()}),
    z.strictObject({store: z.literal('keyring'), origin: z.string()}),
    z.strictObject({
      store: z.literal('command'),
      origin: z.string(),
      command: z.array(z.string()).check(z.minLength(1)),
    }),
  ]),
)
export type StoredCredential = z.output<typeof credentialShape>

/** The routes by operation id. Their form is checked when they are used: a slip in one does not make the whole file a damaged one. */
export const routesShape = z.lazy(() =>
  z.record(z.string().check(z.refine(isOperationId)), z.union([z.string(), z.record(z.string(), z.unknown())])),
)

const profileShape = z.lazy(() => {
  const credential = z.optional(credentialShape)
  return z.strictObject({
    ...settingShapes,
    ...retiredShapes,
    credentials: z.optional(z.strictObject({room: credential, asset: credential, push: credential})),
    routes: z.optional(routesShape),
  })
})

export type Profile = z.output<typeof profileShape>

/** The version that is written: increment it with each new key. */
export const profileVersion = 2

/**
 * Version 1 was written by every release before 0.4; those from 0.3 on wrote `asset.containerPath` into it, which earlier ones refuse.
 * Unknown keys are refused, so that a misspelt `protected` never goes unnoticed.
 */
export const fileShape = z.lazy(() =>
  z.strictObject({
    version: z.literal([1, profileVersion]),
    current: z.optional(z.string().check(z.refine(isProfileName))),
    profiles: z.record(z.string().check(z.refine((name) => isProfileName(name) && name !== sandboxName)), profileShape),
  }),
)

export type ProfileFile = z.output<typeof fileShape>

/** Reads the bytes of a profile file. Throws a DamagedDocument or a ForeignDocument. */
export function parseProfileFile(bytes: Uint8Array): ProfileFile {
  return parseDocument(bytes, {shape: fileShape, version: profileVersion})
}

export function emptyFile(): ProfileFile {
  return {version: profileVersion, profiles: {}}
}

/** The profile of that name; undefined if the file has none, whatever every object inherits. */
export function profileNamed(file: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined
}

export function profilePath(configDir: string): string {
  return join(configDir, 'config.json')
}

/** The path of the backup. */
export function backupPath(configDir: string): string {
  return join(configDir, 'config.backup.json')
}

/** The built-in profile: always there, never in the file (docs/sandbox.md). */
export const sandboxName = 'sandbox'

export const defaultName = 'default'

const inherited = new Set(['__proto__', 'constructor', 'prototype'])

/** Whether a text can name a profile: `sandbox` can, names that every object inherits cannot. */
export function isProfileName(text: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(text) && !inherited.has(text)
}

export function isOperationId(text: string): boolean {
  return /^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$/.test(text)
}

/** Throws Failure of kind `usage` that begins with `subject` unless the text can name a profile. */
export function checkProfileName(text: string, subject = 'a profile name'): void {
  if (isProfileName(text)) return
  throw failureWith(
    'usage',
    `${subject} must be 1 to 64 letters, digits, dots, underscores or hyphens, beginning with a letter, digit or underscore`,
  )
}

/** As `checkProfileName`, and refuses the built-in profile too. */
export function checkOwnProfileName(text: string): void {
  checkProfileName(text)
  if (text !== sandboxName) return
  throw failureWith('usage', 'the profile name sandbox is reserved for the built-in sandbox', {
    why: 'the sandbox needs no settings and no login',
    try: 'use the sandbox with -p sandbox, or choose another name',
  })
}

/** The text of a stored route, up to 0.3 also an object with `send` and `rename`; if it is not a route, that is reported when it is used. */
export function routeTextOf(route: unknown): string {
  if (typeof route === 'string') return route
  const {method, path, ...more} = Object(route)
  const isPlain = typeof method === 'string' && typeof path === 'string' && Object.keys(more).length === 0
  return isPlain ? `${method} ${path}` : JSON.stringify(route)
}

/** More than any profile file has. */
export const mostProfileBytes = 16 * 1024 * 1024

/**
 * Reads the profile file of a config folder, and creates nothing. Every command does this, so it is one read and one check, and
 * loads nothing to write or explain with (unusable.ts). Looser modes are tightened, unless `leavesMode`. Throws as `parseProfileFile`, an UnusableFile and
 * the system's error.
 */
export function readProfileFile(configDir: string, {leavesMode = false} = {}): ProfileFile {
  const rules = {owner: currentUser(), leavesMode}
  if (!keepPrivateFolder(configDir, rules)) return emptyFile()
  const bytes = readPrivateFile(profilePath(configDir), {...rules, maxBytes: mostProfileBytes})
  return bytes === undefined ? emptyFile() : parseProfileFile(bytes)
}

/** The tokens that a profile file holds itself. */
export function tokensIn({profiles}: ProfileFile): Set<string> {
  const credentials = Object.values(profiles).flatMap((profile) => Object.values(profile.credentials ?? {}))
  return new Set(credentials.flatMap((credential) => (credential?.store === 'file' ? [credential.token] : [])))
}
