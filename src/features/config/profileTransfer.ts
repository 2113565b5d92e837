import {isAbsolute} from 'node:path'
import {readBytesInput} from '../../cli/input/readIds.js'
import {parseOwnRoute} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {type Failure, wrongUsage} from '../../failure.js'
import {DamagedDocument, parseDocument} from '../../storage/document.js'
import {checkSettings, type ExportedProfile, existing, exportShape, withProfile} from '../../storage/profile/edit.js'
import {
  checkOwnProfileName,
  type Profile,
  type ProfileFile,
  profileNamed,
  routeTextOf,
} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/resolve.js'
import {retiredShapes} from '../../storage/profile/settings.js'
import {safeText} from '../../text/text.js'
import {checkAddresses, editProfileFile} from './profileFile.js'
import {askProfileName, nameWithHosts} from './profiles.js'
import {knownOperation} from './routes.js'

/** A profile without secrets and programs, to be written as JSON. Throws Failure. */
export async function exportedProfile({paths}: Session, name: string): Promise<ExportedProfile> {
  const profile = existing(await openProfileFile(paths.config), name)
  const {credentials: _, routes, ...settings} = profile
  const values = withoutRetired(settings)
  checkSettings(values)
  return {kind: 'roomctl-profile', version: 1, name, settings: values, ...(routes ? {routes} : {})}
}

function withoutRetired(settings: ExportedProfile['settings'] & Profile): ExportedProfile['settings'] {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !(key in retiredShapes)))
}

const exportAdvice = 'import what config profile export prints: settings and routes, never credentials'

export interface ProfileExport {
  readonly name: string
  readonly profile: Profile
}

/** The profile of an exported file, `-` for stdin, without credentials. Throws Failure: file, or usage for its content. */
export async function readExport(session: Session, path: string): Promise<ProfileExport> {
  const refuse = (what: string) => wrongUsage(`cannot import ${safeText(path)}: ${what}`, {try: exportAdvice})
  const {name, settings, routes} = parseExport(await readBytesInput(session, path), refuse)
  const values = withoutRetired(settings)
  checkOwnProfileName(name)
  // The author of the working folder must not choose the trusted authorities.
  if (values.caFile !== undefined && !isAbsolute(values.caFile)) {
    throw refuse('it has a caFile that is not an absolute path')
  }
  checkSettings(values)
  checkAddresses(values, values.allowHttp === true)
  for (const [id, route] of Object.entries(routes ?? {})) parseOwnRoute(knownOperation(id), routeTextOf(route))
  return {name, profile: {...values, ...(routes ? {routes} : {})}}
}

function parseExport(bytes: Uint8Array, refuse: (what: string) => Failure): ExportedProfile {
  try {
    return parseDocument(bytes, {shape: exportShape, version: 1})
  } catch (error) {
    throw error instanceof DamagedDocument ? refuse(`it ${error.message}`) : error
  }
}

/**
 * Stores an exported profile and shows its settings. A name confirms a weaker guard; `yes` answers it, unless the guard is `protected`.
 * A profile that is replaced loses its credentials, since the new routes decide what a token is used for.
 */
export async function importProfileFile(
  session: Session,
  path: string,
  {
    as,
    overwrite,
    yes,
    confirm,
  }: {as?: string | undefined; overwrite: boolean; yes: boolean; confirm?: string | undefined},
): Promise<{readonly profile: string; readonly changes: readonly ImportedChange[]}> {
  const read = await readExport(session, path)
  const profile = as ?? read.name
  checkOwnProfileName(profile)
  const place = (file: ProfileFile) => {
    if (overwrite || !profileNamed(file, profile)) return withProfile(file, profile, read.profile)
    const advice =
      'import it with --as under another name, or replace it with --overwrite; its tokens must then be entered again'
    throw wrongUsage(`profile ${profile} already exists`, {try: advice})
  }
  const file = await openProfileFile(session.paths.config)
  place(file)
  const replaced = profileNamed(file, profile)
  const changes = importedChanges(replaced ?? {}, read.profile)
  showImported(session, changes)
  const weakened = replaced ? changes.filter(weakens) : []
  const unprotects = weakened.some(({key}) => key === 'protected')
  const isAnswered = confirm === undefined ? yes && !unprotects : confirm === profile
  if (replaced && weakened.length > 0 && !isAnswered) {
    const keys = weakened.map(({key, after}) => (after === true ? `sets ${key}` : `drops ${key}`)).join(', ')
    await askProfileName(session, profile, {
      message: `profile ${profile} was not replaced: the import ${keys}; confirmation required`,
      text: `The import ${keys} of profile ${nameWithHosts(profile, replaced)}.`,
      answer: unprotects ? `add --confirm ${profile}` : 'add --yes',
    })
  }
  await editProfileFile(session, place)
  return {profile, changes}
}

/** One setting or route that an import changes; null: not set. */
type ImportedChange = ReturnType<typeof importedChanges>[number]

/** The changes of an import to the replaced profile: settings, then routes as `route.room.end`. */
export function importedChanges(before: Profile, after: Profile) {
  const [old, fresh] = [flatValues(before), flatValues(after)]
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((key) => ({key, before: old.get(key) ?? null, after: fresh.get(key) ?? null}))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after))
}

function flatValues({credentials: _, routes = {}, ...values}: Profile): Map<string, unknown> {
  const named = Object.entries(routes).map(([id, route]): [string, unknown] => [`route.${id}`, route])
  return new Map<string, unknown>([...Object.entries(values), ...named])
}

/** Whether a change removes a guard of the replaced profile. */
function weakens({key, before, after}: ImportedChange): boolean {
  return key === 'allowHttp' ? after === true : (key === 'protected' || key === 'readOnly') && before === true
}

/** A line on stderr for each setting and route that an import brings. */
export function showImported({warn}: Session, changes: readonly ImportedChange[]): void {
  for (const change of changes) warn(describeImported(change))
}

function describeImported({key, before, after}: ImportedChange): string {
  const text = (value: unknown) =>
    typeof value === 'string' ? value : value === null ? 'unset' : JSON.stringify(value)
  return safeText(before === null ? `${key}: ${text(after)}` : `${key}: ${text(before)} → ${text(after)}`)
}
