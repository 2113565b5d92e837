import {lstatSync} from 'node:fs'
import {join} from 'node:path'
import {fillAdvice} from '../../api/contract/operation.js'
import {readRegularFile, type User} from '../../storage/disk/privateFile.js'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {emptyFile, parseProfileFile, profilePath} from '../../storage/profile/file.js'
import {goodCopy, unusableProfile} from '../../storage/profile/unusable.js'
import {counted} from '../../text/text.js'
import {type Diagnosis, fail, hint, ok, warn} from '../../view/system/doctor.js'

const profileCheck = 'profile'

/** Inspects the profile file without changing anything: other commands restrict its mode. */
export function inspectProfile(configDir: string) {
  const path = profilePath(configDir)
  try {
    const bytes = readRegularFile(path, Number.POSITIVE_INFINITY)
    if (bytes === undefined) return unusable(hint(profileCheck, `no profile file yet (${path})`, 'roomctl config init'))
    const file = parseProfileFile(bytes)
    const [{version}, profiles] = [file, Object.keys(file.profiles)]
    const what = `${path} is valid: version ${version}, ${counted(profiles.length, 'profile')}`
    return {file, found: ok(profileCheck, what, {path, version, profiles})}
  } catch (error) {
    const {message, facts} = unusableProfile(configDir, error, path)
    const copiedAt = goodCopy(configDir)
    const details = copiedAt ? {path, backup_of: copiedAt.toISOString()} : null
    // It always advises.
    return unusable(fail(profileCheck, message, facts.try ?? '', details))
  }
}

function unusable(found: Diagnosis) {
  return {file: emptyFile(), found}
}

const filesCheck = 'files'

/** Whether local files belong to this user alone (product §5, §10): a finding each, or one ok. Windows has no such modes. */
export function checkKeptFiles(
  {config, state}: {readonly config: string; readonly state: string},
  user: User,
): Diagnosis[] {
  if (user === undefined) return []
  const kept = [
    ...keptIn(config, 'your profiles', 'tokens', /^config\..*json$/u),
    ...keptIn(state, changes, changes, /^journal(?:\.\d+)?\.ndjson$/u, ['uploads/uploads.jsonl']),
  ]
  const found = kept.flatMap((one) => keptFileFault(one, user) ?? [])
  if (found.length > 0) return found
  if (kept.length === 0) return [ok(filesCheck, 'no local files yet')]
  return [ok(filesCheck, 'local files are readable only by you', {paths: kept.map(({path}) => path)})]
}

const changes = 'what you changed from this machine'

/** The folder and its existing files of these names; `holds`: their contents, in words. */
function keptIn(folder: string, folderHolds: string, holds: string, names: RegExp, others: readonly string[] = []) {
  const files = [...namesIn(folder).filter((name) => names.test(name)), ...others].map((name) => join(folder, name))
  const kept = [
    {path: folder, isFolder: true, holds: folderHolds},
    ...files.map((path) => ({path, isFolder: false, holds})),
  ]
  return kept.flatMap((one) => {
    try {
      return [{...one, stat: lstatSync(one.path)}]
    } catch {
      return []
    }
  })
}

function keptFileFault(
  {path, isFolder, holds, stat}: ReturnType<typeof keptIn>[number],
  user: number,
): Diagnosis | undefined {
  if (stat.isSymbolicLink()) {
    const advice = 'put the file itself there: cp {path} {path}.new && mv {path}.new {path}'
    return isFolder ? undefined : fail(filesCheck, `${path} is a symbolic link`, fillAdvice(advice, {path}))
  }
  if (!isFolder && !stat.isFile())
    return fail(filesCheck, `${path} is not a regular file`, fillAdvice('mv {path} {path}.old', {path}))
  if (stat.uid !== user) {
    const what = `${path} belongs to another user (uid ${stat.uid}, you are ${user})`
    return fail(filesCheck, what, fillAdvice('sudo chown {user} {path}', {user, path}), {path, owner: stat.uid})
  }
  const mode = stat.mode & 0o7777
  if ((mode & 0o077) === 0) return undefined
  const details = {path, mode: octal(mode)}
  if (isFolder && (mode & 0o1000) !== 0) {
    const advice = 'set ROOMCTL_CONFIG_DIR and ROOMCTL_STATE_DIR to folders of your own'
    return fail(filesCheck, `${path} is a folder shared by all users (mode ${octal(mode)})`, advice, details)
  }
  const can = (mode & 0o022) === 0 ? 'read' : 'change'
  const what = `other users of this machine can ${can} ${path} (mode ${octal(mode)}): it contains ${holds}`
  const leaked = holds === 'tokens' ? '; if you do not trust them, get new tokens: roomctl config login' : ''
  const close = fillAdvice('chmod {bits} {path}', {bits: isFolder ? '700' : '600', path})
  return warn(filesCheck, what, `${close}${leaked}`, details)
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}
