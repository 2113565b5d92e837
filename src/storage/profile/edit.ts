import {isAbsolute} from 'node:path'
import * as z from 'zod/mini'
import {failureWith} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {checkDocument, ForeignDocument} from '../document.js'
import {
  type CredentialService,
  checkOwnProfileName,
  defaultName,
  type Profile,
  type ProfileFile,
  profileNamed,
  routesShape,
  type StoredCredential,
  sandboxName,
} from './file.js'
import {parseSetting, retiredSetting, settingByKey, settingShapes, settings} from './settings.js'

// Every function here takes a profile file and returns a changed copy.

/** Throws Failure (usage) for an unknown profile or setting, and a wrong value. */
export function setValue(file: ProfileFile, profile: string, key: string, text: string): ProfileFile {
  const setting = settingByKey(key)
  const value = parseSetting(setting, text)
  return edited(file, profile, (before) => ({...before, [setting.key]: value}))
}

/** Removes a setting of a profile; the same file if it was not set. */
export function unsetValue(file: ProfileFile, profile: string, key: string): ProfileFile {
  const known = key === retiredSetting ? key : settingByKey(key).key
  return edited(file, profile, (before) => (before[known] === undefined ? before : without(before, known)))
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

/** Sets the default profile, for commands without a flag or variable that names one; the sandbox too. */
export function useProfile(file: ProfileFile, name: string): ProfileFile {
  if (name !== sandboxName) existing(file, name)
  return {...file, current: name}
}

/** Sets the route of an operation. That `METHOD /path` is one of the operation is for the caller to check. */
export function setRoute(file: ProfileFile, profile: string, operationId: string, route: string): ProfileFile {
  return edited(file, profile, (before) => ({...before, routes: {...before.routes, [operationId]: route}}))
}

/** Removes the route of an operation; the same file if none was set. */
export function unsetRoute(file: ProfileFile, profile: string, operationId: string): ProfileFile {
  return edited(file, profile, (before) => {
    return before.routes?.[operationId] === undefined
      ? before
      : {...before, routes: without(before.routes, operationId)}
  })
}

export function setCredential(
  file: ProfileFile,
  profile: string,
  service: CredentialService,
  credential: StoredCredential | undefined,
): ProfileFile {
  return edited(file, profile, (before) => {
    const others = without(before.credentials ?? {}, service)
    return {...before, credentials: credential === undefined ? others : {...others, [service]: credential}}
  })
}

/** The file with a changed profile, or the same one; `default` is made when it is first set. Throws Failure (usage) for an unknown name. */
function edited(file: ProfileFile, name: string, change: (profile: Profile) => Profile): ProfileFile {
  const before = name === defaultName ? (profileNamed(file, name) ?? {}) : existing(file, name)
  const after = change(before)
  return after === before ? file : withProfile(file, name, after)
}

/** Puts a profile into the file under a name, whatever was there. The name must have been checked. */
export function withProfile(file: ProfileFile, name: string, profile: Profile): ProfileFile {
  return {...file, profiles: {...file.profiles, [name]: profile}}
}

/** The profile of that name. Throws Failure (usage) with the nearest name for an unknown profile. */
export function existing(file: ProfileFile, name: string): Profile {
  checkOwnProfileName(name)
  const profile = profileNamed(file, name)
  if (profile) return profile
  const meant = nearest(name, Object.keys(file.profiles))
  throw failureWith('usage', `unknown profile ${name}`, {
    try: meant
      ? `did you mean ${meant}?`
      : `to see the profiles: roomctl config profile list; to create this one: roomctl config profile add ${name}`,
  })
}

function without<T extends object>(record: T, key: keyof T): T {
  const copy = {...record}
  delete copy[key]
  return copy
}

// A pager runs a program.
const {pager: _, ...portableShapes} = settingShapes

const exportShape = z.strictObject({
  kind: z.literal('roomctl-profile'),
  version: z.literal(1),
  name: z.string(),
  settings: z.strictObject(portableShapes),
  routes: z.optional(routesShape),
})

/** A profile without secrets and programs, to be written as JSON. The caller checks the routes. Throws Failure. */
export function exportProfile(file: ProfileFile, name: string): z.output<typeof exportShape> {
  const {credentials: _, routes, pager: __, [retiredSetting]: ___, ...values} = existing(file, name)
  checkSettings(values)
  return {kind: 'roomctl-profile', version: 1, name, settings: values, ...(routes ? {routes} : {})}
}

/**
 * Reads the content of an export, without credentials and pager: they would run programs or send secrets as its author
 * chose. The caller checks the routes. Throws a ForeignDocument that quotes no value, and Failure (usage).
 */
export function importProfile(content: unknown): {name: string; profile: Profile} {
  const {name, settings: values, routes} = checkDocument(content, {shape: exportShape, version: 1})
  checkOwnProfileName(name)
  // The author of the working folder must not choose the trusted authorities.
  if (values.caFile !== undefined && !isAbsolute(values.caFile)) {
    throw new ForeignDocument('has a caFile that is not an absolute path')
  }
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

/** One setting or route that an import changes; null: not set. */
export type ImportedChange = ReturnType<typeof importedChanges>[number]

/** The changes of an import to the replaced profile: settings, then routes as `route.room.end`. */
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

/** Whether a change removes a guard of the replaced profile. */
export function weakens({key, before, after}: ImportedChange): boolean {
  return key === 'allowHttp' ? after === true : (key === 'protected' || key === 'readOnly') && before === true
}

function checkSettings(values: Profile): void {
  for (const setting of settings) {
    const value = values[setting.key]
    if (value !== undefined) parseSetting(setting, String(value))
  }
}
