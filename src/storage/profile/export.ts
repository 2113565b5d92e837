import * as z from 'zod/mini'
import {existing, withProfile} from './edit.js'
import {type Profile, type ProfileFile, parseJson, profileNamed, routesShape, settingsShape} from './file.js'
import {checkOwnProfileName} from './names.js'
import {ProfileProblem} from './problem.js'
import {routeForm, routeTextOf, type StoredRoute} from './routeText.js'
import {settings} from './settings.js'

const exportShape = z.strictObject({
  kind: z.literal('roomctl-profile'),
  version: z.literal(1),
  name: z.string(),
  settings: settingsShape,
  routes: z.optional(routesShape),
})

/** A profile as it is handed to somebody else. */
type ExportedProfile = z.output<typeof exportShape>

/**
 * A profile without secrets, to be written as JSON: its settings and routes. The credentials stay, a command too, and so
 * does the pager, which names a program of this machine. Raises a ProfileProblem where there is no such profile.
 */
export function exportProfile(file: ProfileFile, name: string): ExportedProfile {
  const {credentials: _, routes, pager: __, ...values} = existing(file, name)
  checkSettings(values)
  checkRoutes(routes ?? {})
  return {kind: 'roomctl-profile', version: 1, name, settings: values, ...(routes ? {routes} : {})}
}

/**
 * Reads what `exportProfile` gave, checked like everything that is set by hand. An import brings no credentials and no
 * pager: both would run programs or send secrets that somebody else chose. Raises a ProfileProblem of kind `usage`; its
 * texts never repeat a value.
 */
export function importProfile(text: string): {name: string; profile: Profile} {
  const read = exportShape.safeParse(rawOf(text))
  if (!read.success) throw unreadable(keyOf(read.error.issues[0]))
  const {name, settings: values, routes} = read.data
  checkOwnProfileName(name)
  if (values.pager !== undefined) throw unreadable('"pager", which an import cannot set')
  checkSettings(values)
  checkRoutes(routes ?? {})
  return {name, profile: {...values, ...(routes ? {routes} : {})}}
}

/**
 * Puts an imported profile into the file. One of that name is replaced only where `replace` says so, and then loses its
 * credentials: an import brings none and keeps none, for its routes decide what a token is used for.
 */
export function placeImport(
  file: ProfileFile,
  {name, profile}: {name: string; profile: Profile},
  options: {replace?: boolean} = {},
): ProfileFile {
  checkOwnProfileName(name)
  if (profileNamed(file, name) && options.replace !== true) {
    throw new ProfileProblem('usage', `there is a profile ${name} already`, {
      advice: 'import it under another name, or say that it shall be replaced; its tokens are then asked for anew',
    })
  }
  return withProfile(file, name, profile)
}

function rawOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    throw unreadable('its text, which is not JSON')
  }
}

function keyOf(issue: {path: PropertyKey[]; keys?: string[]} | undefined): string {
  const keys = [...(issue?.path ?? []), ...(issue?.keys?.slice(0, 1) ?? [])]
  return keys.length === 0 ? 'its content' : JSON.stringify(keys.map(String).join('.').slice(0, 80))
}

function unreadable(what: string): ProfileProblem {
  return new ProfileProblem('usage', `this is no exported profile: there is something wrong with ${what}`, {
    why: 'an export holds settings and routes, never credentials',
    advice: 'roomctl config profile export NAME makes one',
  })
}

function checkSettings(values: z.output<typeof settingsShape>): void {
  for (const setting of settings) {
    const value = values[setting.key]
    if (value !== undefined) setting.parse(String(value))
  }
}

function checkRoutes(routes: Readonly<Record<string, StoredRoute>>): void {
  for (const [id, route] of Object.entries(routes)) {
    if (routeTextOf(route) === undefined) throw new ProfileProblem('usage', `the route of ${id} must be ${routeForm}`)
  }
}
