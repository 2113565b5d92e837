import type {Session} from '../../cli/session/session.js'
import {
  exportProfile,
  type ImportedChange,
  importedChanges,
  importProfile,
  placeImport,
  weakens,
} from '../../storage/profile/edit.js'
import {type Profile, type ProfileFile, profileNamed} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/resolve.js'
import {safeText} from '../../text/text.js'
import {askProfileName, nameWithHosts} from './askProfileName.js'
import {assertRouteForms, checkAddresses, editProfileFile, readTransfer} from './profileFile.js'

const exportAdvice = 'import what roomctl config profile export NAME prints: settings and routes, never credentials'

/** Stores an exported profile and shows its settings. A name confirms a weaker guard; `yes` answers it, unless the guard is `protected`. */
export async function importProfileFile(
  session: Session,
  path: string,
  {as, replace, yes, confirm}: {as?: string | undefined; replace: boolean; yes: boolean; confirm?: string | undefined},
): Promise<{readonly profile: string; readonly changes: readonly ImportedChange[]}> {
  const read = await readTransfer(session, path, exportAdvice, ({value}) => importProfile(value))
  const profile = as ?? read.name
  checkAddresses(read.profile, read.profile.allowHttp === true)
  assertRouteForms(read.profile)
  const place = (file: ProfileFile) => placeImport(file, {...read, name: profile}, {replace})
  const file = await openProfileFile(session.paths.config)
  place(file)
  const replaced = profileNamed(file, profile)
  const changes = importedChanges(replaced, read.profile)
  for (const change of changes) session.warn(describeImported(change))
  const weakened = replaced ? changes.filter(weakens) : []
  const unprotects = weakened.some(({key}) => key === 'protected')
  const isAnswered = confirm === undefined ? yes && !unprotects : confirm === profile
  if (weakened.length > 0 && !isAnswered) {
    const answer = unprotects ? `add --confirm ${profile}` : 'add --yes'
    await askProfileName(session, profile, {...weakenedQuestion(profile, weakened, replaced), answer})
  }
  await editProfileFile(session, place)
  return {profile, changes}
}

function describeImported({key, before, after}: ImportedChange): string {
  const text = (value: unknown) =>
    typeof value === 'string' ? value : value === null ? 'unset' : JSON.stringify(value)
  return safeText(before === null ? `${key}: ${text(after)}` : `${key}: ${text(before)} → ${text(after)}`)
}

function weakenedQuestion(profile: string, weakened: readonly ImportedChange[], replaced: Profile = {}) {
  const keys = weakened.map(({key, after}) => (after === true ? `sets ${key}` : `drops ${key}`)).join(', ')
  return {
    message: `profile ${profile} was not replaced: the import ${keys}; confirmation required`,
    text: `The import ${keys} of profile ${nameWithHosts(profile, replaced)}.`,
  }
}

/** A profile without its secrets. Throws Failure or a Failure (usage). */
export async function exportedProfile({paths}: Session, name: string) {
  const exported = exportProfile(await openProfileFile(paths.config), name)
  assertRouteForms(exported)
  return exported
}
