import type {Profile, ProfileFile} from '../../storage/profile/file.js'
import {openProfileFile} from '../../storage/profile/open.js'
import {settingByKey} from '../../storage/profile/settings.js'

/**
 * The profile file, or `file` where it was read already. `editing`: without what the profiles set, so that a command can put a
 * wrong setting right; what was done with a profile stays where it is kept.
 */
export async function settingsFile(
  folder: string,
  {editing, file}: {readonly editing?: boolean; readonly file?: ProfileFile},
): Promise<ProfileFile> {
  const found = file ?? (await openProfileFile(folder))
  if (!editing) return found
  const {profiles, ...rest} = found
  const bare = Object.entries(profiles).map(([name, profile]) => [name, withoutSettings(profile)])
  return {...rest, profiles: Object.fromEntries(bare)}
}

function withoutSettings({credentials, allowHttp, 'journal.path': journal}: Profile): Profile {
  return {
    ...(credentials ? {credentials} : {}),
    ...(allowHttp === undefined ? {} : {allowHttp}),
    ...(journal !== undefined && settingByKey('journal.path').read(journal) ? {'journal.path': journal} : {}),
  }
}
