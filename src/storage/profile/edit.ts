import * as z from 'zod/mini'
import {failureWith} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
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
import {parseSetting, retiredShapes, settingByKey, settingShapes, settings} from './settings.js'

// Every function here takes a profile file and returns a changed copy.

/** Throws Failure (usage) for an unknown profile or setting, and a wrong value. */
export function setValue(file: ProfileFile, profile: string, key: string, text: string): ProfileFile {
  const setting = settingByKey(key)
  const value = parseSetting(setting, text)
  return edited(file, profile, (before) => ({...before, [setting.key]: value}))
}

/** Removes a setting of a profile; the same file if it was not set. */
export function unsetValue(file: ProfileFile, profile: string, key: string): ProfileFile {
  const known = key in retiredShapes ? (key as keyof typeof retiredShapes) : settingByKey(key).key // `in` does not narrow
  return edited(file, profile, (before) => (before[known] === undefined ? before : without(before, known)))
}

/** Adds a profile without settings. The first one becomes the one that is used. */
export function addProfile(file: ProfileFile, name: string): ProfileFile {
  checkOwnProfileName(name)
  if (profileNamed(file, name)) {
    throw failureWith('usage', `profile ${name} already exists`, {
      try: {command: ['config profile use', name]},
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

/** Sets routes by operation id. That each `METHOD /path` is one of its operation is for the caller to check. */
export function setRoutes(file: ProfileFile, profile: string, routes: Readonly<Record<string, string>>): ProfileFile {
  return edited(file, profile, (before) => ({...before, routes: {...before.routes, ...routes}}))
}

/** Removes the route of an operation; the same file if none was set. */
export function unsetRoute(file: ProfileFile, profile: string, operationId: string): ProfileFile {
  return edited(file, profile, (before) =>
    before.routes?.[operationId] === undefined ? before : {...before, routes: without(before.routes, operationId)},
  )
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
      : {sentence: 'create it with config profile add, or see the profiles', command: ['config profile list']},
  })
}

function without<T extends object>(record: T, key: keyof T): T {
  const copy = {...record}
  delete copy[key]
  return copy
}

// Without credentials: they would send secrets or run programs as the author of the file chose.
export const exportShape = z.strictObject({
  kind: z.literal('roomctl-profile'),
  version: z.literal(1),
  name: z.string(),
  settings: z.strictObject({...settingShapes, 'journal.keep': retiredShapes['journal.keep']}),
  routes: z.optional(routesShape),
})

export type ExportedProfile = z.output<typeof exportShape>

/** Throws Failure (usage) for a wrong value. */
export function checkSettings(profile: Profile): void {
  for (const setting of settings) {
    const value = profile[setting.key]
    if (value !== undefined) parseSetting(setting, String(value))
  }
}
