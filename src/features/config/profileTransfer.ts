import {isAbsolute} from 'node:path'
import {readTextInput} from '../../cli/input/readIds.js'
import {parseOwnRoute} from '../../cli/session/routes.js'
import type {Session} from '../../cli/session/session.js'
import {Failure, wrongUsage} from '../../failure.js'
import {checkDocument, DamagedDocument} from '../../storage/document.js'
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
import {readYaml, YamlFault, type YamlText} from '../../text/yaml.js'
import {checkAddresses, editProfileFile} from './profileFile.js'
import {askProfileName, nameWithHosts} from './profiles.js'
import {knownOperation} from './routes.js'

type Refuse = (what: string, facts?: Partial<Failure['facts']>) => Failure

/**
 * Reads a file that brings a profile, `-` for stdin: YAML 1.2, which includes JSON; a repeated name is an error in both. What
 * `take` throws about its form becomes a Failure, too. Throws Failure: file, or usage with the line if there is one.
 */
async function readTransfer<T>(
  session: Session,
  path: string,
  take: (text: YamlText, refuse: Refuse) => T,
): Promise<T> {
  const refuse: Refuse = (what, facts = {}) =>
    wrongUsage(`cannot import ${safeText(path)}: ${what}`, {try: exportAdvice, ...facts})
  const text = await readTextInput(session, path)
  try {
    return take(await readYaml(text), refuse)
  } catch (error) {
    if (error instanceof YamlFault) throw refuse(safeText(error.message))
    throw error instanceof DamagedDocument ? refuse(`it ${error.message}`) : error
  }
}

/** The routes by operation id; `at`: where they are in the text. */
function readRoutes(routes: object, {lineOf}: YamlText, refuse: Refuse, at: readonly string[]) {
  return Object.entries(routes).map(([id, route]) => {
    try {
      return {id, route: parseOwnRoute(knownOperation(id), routeTextOf(route))}
    } catch (error) {
      const facts = error instanceof Failure ? error.facts : {}
      throw refuse(`line ${lineOf([...at, id])}: ${safeText(id)}: ${(error as Error).message}`, facts)
    }
  })
}

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

/** An exported profile, without credentials. Throws Failure as `readTransfer`. */
export function readExport(session: Session, path: string): Promise<ProfileExport> {
  return readTransfer(session, path, (text, refuse) => {
    const {name, settings, routes} = checkDocument(text.value, {shape: exportShape, version: 1})
    const values = withoutRetired(settings)
    checkOwnProfileName(name)
    // The author of the working folder must not choose the trusted authorities.
    if (values.caFile !== undefined && !isAbsolute(values.caFile)) {
      throw refuse('it has a caFile that is not an absolute path')
    }
    checkSettings(values)
    checkAddresses(values, values.allowHttp === true)
    readRoutes(routes ?? {}, text, refuse, ['routes'])
    return {name, profile: {...values, ...(routes ? {routes} : {})}}
  })
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
