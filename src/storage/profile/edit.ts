import {isAbsolute} from 'node:path'
import * as z from 'zod/mini'
import {type Failure, failureWith} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {parseJson} from '../document.js'
import {
  type CredentialService,
  checkOwnProfileName,
  defaultName,
  isOperationId,
  type Profile,
  type ProfileFile,
  profileNamed,
  routesShape,
  type StoredCredential,
  sandboxName,
  settingsShape,
} from './file.js'
import {parseSetting, retiredSetting, settingByKey, settings} from './settings.js'

// Every function here takes a profile file and gives back the changed one; what it was given stays as it is.

/** The profile must exist; `default` is made when it is first set. Raises a Failure (usage). */
export function setValue(file: ProfileFile, profile: string, key: string, text: string): ProfileFile {
  const setting = settingByKey(key)
  const value = parseSetting(setting, text)
  return withProfile(file, profile, {...profileToChange(file, profile), [setting.key]: value})
}

/** Forgets a setting of a profile, so that the default holds again; the same file where it was not set. */
export function unsetValue(file: ProfileFile, profile: string, key: string): ProfileFile {
  const known = key === retiredSetting ? key : settingByKey(key).key
  const before = profileToChange(file, profile)
  return before[known] === undefined ? file : withProfile(file, profile, without(before, known))
}

/** Adds a profile without settings. The first one becomes the one that is used. */
export function addProfile(file: ProfileFile, name: string): ProfileFile {
  checkOwnProfileName(name)
  if (profileNamed(file, name)) {
    throw failureWith('usage', `profile ${name} already exists`, {
      try: `roomctl config profile use ${name}`,
    })
  }
  const isFirst = Object.keys(file.profiles).length === 0 && file.current === undefined
  return {...withProfile(file, name, {}), ...(isFirst ? {current: name} : {})}
}

/** Its credentials in the keyring must be removed before (`removeCredential`). */
export function removeProfile(file: ProfileFile, name: string): ProfileFile {
  existing(file, name)
  const {current, ...rest} = file
  const kept = {...rest, profiles: without(file.profiles, name)}
  return current === undefined || current === name ? kept : {...kept, current}
}

/** Chooses the profile that is used where neither a flag nor the environment names one; the sandbox too. */
export function useProfile(file: ProfileFile, name: string): ProfileFile {
  if (name !== sandboxName) existing(file, name)
  return {...file, current: name}
}

/** Sets the route of an operation: `METHOD /path`, or JSON, kept as an object. That it is one of the operation is for the caller to check. */
export function setRoute(file: ProfileFile, profile: string, operationId: string, text: string): ProfileFile {
  checkOperationId(operationId)
  const route = text.startsWith('{') ? JSON.parse(text) : text
  const before = profileToChange(file, profile)
  return withProfile(file, profile, {...before, routes: {...before.routes, [operationId]: route}})
}

/** Forgets the route of an operation, so that the built-in one holds again; the same file where none was set. */
export function unsetRoute(file: ProfileFile, profile: string, operationId: string): ProfileFile {
  checkOperationId(operationId)
  const before = profileToChange(file, profile)
  if (before.routes?.[operationId] === undefined) return file
  return withProfile(file, profile, {...before, routes: without(before.routes, operationId)})
}

export function setCredential(
  file: ProfileFile,
  profile: string,
  service: CredentialService,
  credential: StoredCredential | undefined,
): ProfileFile {
  const before = profileToChange(file, profile)
  const others = without(before.credentials ?? {}, service)
  const credentials = credential === undefined ? others : {...others, [service]: credential}
  return withProfile(file, profile, {...before, credentials})
}

/** Puts a profile into the file under a name, whatever was there. The name must have been checked. */
export function withProfile(file: ProfileFile, name: string, profile: Profile): ProfileFile {
  return {...file, profiles: {...file.profiles, [name]: profile}}
}

/** The profile of that name. Raises a Failure of kind `usage` where there is none, with the nearest name. */
export function existing(file: ProfileFile, name: string): Profile {
  checkOwnProfileName(name)
  const profile = profileNamed(file, name)
  if (profile) return profile
  const meant = nearest(name, Object.keys(file.profiles))
  throw failureWith('usage', `unknown profile ${name}`, {
    try: meant
      ? `did you mean ${meant}?`
      : `roomctl config profile list shows the profiles; roomctl config profile add ${name} creates this one`,
  })
}

function profileToChange(file: ProfileFile, name: string): Profile {
  return name === defaultName ? (profileNamed(file, name) ?? {}) : existing(file, name)
}

function checkOperationId(operationId: string): void {
  if (isOperationId(operationId)) return
  throw failureWith('usage', 'an operation id must be two words with a dot, like room.update', {
    try: 'roomctl config route list shows every id',
  })
}

function without<T extends object>(record: T, key: keyof T): T {
  const copy = {...record}
  delete copy[key]
  return copy
}

const exportShape = z.strictObject({
  kind: z.literal('roomctl-profile'),
  version: z.literal(1),
  name: z.string(),
  settings: settingsShape,
  routes: z.optional(routesShape),
})

type ExportedProfile = z.output<typeof exportShape>

/**
 * A profile without secrets, to be written as JSON: no credentials, no command, no pager, which runs a program. The caller checks
 * the routes. Raises a Failure.
 */
export function exportProfile(file: ProfileFile, name: string): ExportedProfile {
  const {credentials: _, routes, pager: __, [retiredSetting]: ___, ...values} = existing(file, name)
  checkSettings(values)
  return {kind: 'roomctl-profile', version: 1, name, settings: values, ...(routes ? {routes} : {})}
}

/**
 * Reads what `exportProfile` gave. An import brings no credentials and no pager: they would run programs or send secrets as somebody
 * else chose. The caller checks the routes. Raises a Failure (usage) that repeats no value.
 */
export function importProfile(text: string): {name: string; profile: Profile} {
  const read = exportShape.safeParse(rawOf(text))
  if (!read.success) throw unreadable(keyOf(read.error.issues[0]))
  const {name, settings: values, routes} = read.data
  checkOwnProfileName(name)
  if (values.pager !== undefined) throw unreadable('"pager", which an import cannot set')
  // Whoever prepares the working folder must not choose what is trusted.
  if (values.caFile !== undefined && !isAbsolute(values.caFile))
    throw unreadable('"caFile", which is not an absolute path')
  checkSettings(values)
  return {name, profile: {...values, ...(routes ? {routes} : {})}}
}

/** Adds an imported profile. With `replace` one of that name loses its credentials, since the new routes decide what a token is used for. */
export function placeImport(
  file: ProfileFile,
  {name, profile}: {name: string; profile: Profile},
  options: {replace?: boolean} = {},
): ProfileFile {
  checkOwnProfileName(name)
  if (profileNamed(file, name) && options.replace !== true) {
    throw failureWith('usage', `profile ${name} already exists`, {
      try: 'import it under another name, or replace it; its tokens must then be entered again',
    })
  }
  return withProfile(file, name, profile)
}

/** One setting or route that an import changes; null for what is not set. */
export type ImportedChange = ReturnType<typeof importedChanges>[number]

/** What an imported profile sets, and takes away of the one that it replaces: settings, then routes as `route.room.end`. */
export function importedChanges(before: Profile | undefined, after: Profile) {
  const [old, fresh] = [flatValues(before ?? {}), flatValues(after)]
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((key) => ({key, before: old.get(key) ?? null, after: fresh.get(key) ?? null}))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

function flatValues({credentials: _, routes = {}, ...values}: Profile): Map<string, unknown> {
  const named = Object.entries(routes).map(([id, route]): [string, unknown] => [`route.${id}`, route])
  return new Map<string, unknown>([...Object.entries(values), ...named])
}

/** Whether a change takes a guard away that the replaced profile had. */
export function weakens({key, before, after}: ImportedChange): boolean {
  return key === 'allowHttp' ? after === true : (key === 'protected' || key === 'readOnly') && before === true
}

function rawOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw unreadable('JSON')
  }
}

function keyOf(issue: {path: PropertyKey[]; keys?: string[]} | undefined): string {
  const keys = [...(issue?.path ?? []), ...(issue?.keys?.slice(0, 1) ?? [])]
  return keys.length === 0 ? 'its content' : JSON.stringify(keys.map(String).join('.').slice(0, 80))
}

function unreadable(what: string): Failure {
  return failureWith('usage', `not an exported profile: invalid ${what}`, {
    why: 'an export contains settings and routes, never credentials',
    try: 'roomctl config profile export NAME',
  })
}

function checkSettings(values: z.output<typeof settingsShape>): void {
  for (const setting of settings) {
    const value = values[setting.key]
    if (value !== undefined) parseSetting(setting, String(value))
  }
}
