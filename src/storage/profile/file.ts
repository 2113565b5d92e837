import {join} from 'node:path'
import * as z from 'zod/mini'
import {isOperationId, isProfileName, sandboxName} from './names.js'

/** The three services; each has its own address and credential. */
export type CredentialService = 'room' | 'asset' | 'push'

const origin = z.string()

/** A credential and the origin that it is for: it is never sent to another one (product §10). */
const credential = z.discriminatedUnion('store', [
  z.strictObject({store: z.literal('file'), origin, token: z.string()}),
  z.strictObject({store: z.literal('keyring'), origin}),
  z.strictObject({store: z.literal('command'), origin, command: z.array(z.string()).check(z.minLength(1))}),
])
export type StoredCredential = z.output<typeof credential>

const settingValues = {
  'room.url': z.optional(z.string()),
  'asset.url': z.optional(z.string()),
  'push.url': z.optional(z.string()),
  applicationId: z.optional(z.string()),
  bizId: z.optional(z.string()),
  requester: z.optional(z.string()),
  output: z.optional(z.string()),
  tz: z.optional(z.string()),
  timeout: z.optional(z.string()),
  retries: z.optional(z.number()),
  concurrency: z.optional(z.number()),
  caFile: z.optional(z.string()),
  allowHttp: z.optional(z.boolean()),
  protected: z.optional(z.boolean()),
  readOnly: z.optional(z.boolean()),
  tokenStore: z.optional(z.string()),
  updateRequesterField: z.optional(z.string()),
  pager: z.optional(z.string()),
  'asset.headerEncoding': z.optional(z.string()),
  'push.dispatchDateFormat': z.optional(z.string()),
  'push.authScheme': z.optional(z.string()),
  'journal.path': z.optional(z.string()),
}

const operationId = z.string().check(z.refine(isOperationId))

/** The settings alone, as an export holds them. */
export const settingsShape = z.strictObject(settingValues)

/**
 * The routes by operation id, each `METHOD /path` or an object. Whether one has the form of a route is looked at when it is
 * used: a slip in one does not make the whole file a damaged one.
 */
export const routesShape = z.record(operationId, z.union([z.string(), z.record(z.string(), z.unknown())]))

const profileShape = z.strictObject({
  ...settingValues,
  credentials: z.optional(
    z.strictObject({room: z.optional(credential), asset: z.optional(credential), push: z.optional(credential)}),
  ),
  routes: z.optional(routesShape),
})

/** What one profile keeps: the settings that are set, the credentials by service, the routes by operation id. */
export type Profile = z.output<typeof profileShape>

const ownName = z.string().check(z.refine((name) => isProfileName(name) && name !== sandboxName))

/**
 * The shape of `config.json`. Unknown keys are refused, so that a misspelt `protected` never goes unnoticed; a new key
 * needs a new version.
 */
export const fileShape = z.strictObject({
  version: z.literal(1),
  current: z.optional(z.string().check(z.refine(isProfileName))),
  profiles: z.record(ownName, profileShape),
})

/** The whole profile file: the profiles by name, and which one is used where none is chosen. */
export type ProfileFile = z.output<typeof fileShape>

/** The version that this program reads and writes. */
const knownVersion = 1

/** What a text turned out to be. `newer`: a later version of the program wrote it, which is no damage. */
export type Reading = {state: 'whole'; file: ProfileFile} | {state: 'newer'; version: number} | {state: 'damaged'}

/** Reads the bytes of a profile file. Never throws: the message of a JSON error would quote the file, tokens included. */
export function readBytes(bytes: Uint8Array): Reading {
  try {
    const raw = parseJson(new TextDecoder('utf-8', {fatal: true}).decode(bytes))
    const version = versionOf(raw)
    if (version > knownVersion) return {state: 'newer', version}
    const checked = fileShape.safeParse(raw)
    return checked.success ? {state: 'whole', file: checked.data} : {state: 'damaged'}
  } catch {
    return {state: 'damaged'}
  }
}

/** As JSON.parse, but raises a ReservedKey for `__proto__`, which would otherwise vanish or change what an object inherits. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value) => {
    if (key === '__proto__') throw new ReservedKey()
    return value
  })
}

/** A JSON text names `__proto__`. */
export class ReservedKey extends Error {}

function versionOf(raw: unknown): number {
  if (typeof raw !== 'object' || raw === null || !('version' in raw)) return 0
  return Number.isSafeInteger(raw.version) ? Number(raw.version) : 0
}

/** A file without profiles, as it is before the first one is made. */
export function emptyFile(): ProfileFile {
  return {version: knownVersion, profiles: {}}
}

/** The profile of that name; undefined where the file has none, whatever every object inherits. */
export function profileNamed(file: ProfileFile, name: string): Profile | undefined {
  return Object.hasOwn(file.profiles, name) ? file.profiles[name] : undefined
}

/** Where the profile file of a config folder is. */
export function profilePath(configDir: string): string {
  return join(configDir, 'config.json')
}

/** Where the last good copy of it is. */
export function backupPath(configDir: string): string {
  return join(configDir, 'config.backup.json')
}
