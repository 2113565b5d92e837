import {existsSync, lstatSync} from 'node:fs'
import {join} from 'node:path'
import type {Advice} from '../../advice.js'
import {shellWord} from '../../advice.js'
import {currentUser} from '../../storage/disk/privateFile.js'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {emptyFile, profilePath, readProfileFile} from '../../storage/profile/file.js'
import {goodCopy, unusableProfile} from '../../storage/profile/unusable.js'
import {counted, unlessError} from '../../text/text.js'
import {type Diagnosis, fail, hint, ok, warn} from '../../view/system/doctor.js'

const profileCheck = 'profile'

/** Reads the profile file as a command would, without changing anything: other commands restrict its mode. */
export function inspectProfile(configDir: string) {
  const path = profilePath(configDir)
  const others = filesOfOthers(configDir)
  try {
    const file = readProfileFile(configDir, {leavesMode: true})
    if (!existsSync(path)) {
      return {
        file,
        diagnoses: [hint(profileCheck, `no profile file yet (${path})`, {command: ['config init']}), ...others],
      }
    }
    const [{version}, profiles] = [file, Object.keys(file.profiles)]
    const what = `${path} is valid: version ${version}, ${counted(profiles.length, 'profile')}`
    return {file, diagnoses: [ok(profileCheck, what, {path, version, profiles}), ...others]}
  } catch (error) {
    const {message, facts} = unusableProfile(configDir, error)
    const copiedAt = goodCopy(configDir)
    const details = copiedAt ? {path, backup_of: copiedAt.toISOString()} : null
    // It always advises.
    return {file: emptyFile(), diagnoses: [fail(profileCheck, message, facts.try ?? '', details), ...others]}
  }
}

/** The profile file and its copies that others can read or change. Windows has no such modes. */
function filesOfOthers(folder: string): Diagnosis<Advice>[] {
  if (currentUser() === undefined) return []
  const paths = namesIn(folder).filter((name) => /^config\..*json$/u.test(name))
  return paths.flatMap((name) => {
    const path = join(folder, name)
    const mode = unlessError(() => lstatSync(path), undefined)?.mode ?? 0
    if ((mode & 0o077) === 0) return []
    const can = (mode & 0o022) === 0 ? 'read' : 'change'
    const octal = (mode & 0o7777).toString(8).padStart(4, '0')
    const what = `other users of this machine can ${can} ${path} (mode ${octal}): it contains tokens`
    const advice: Advice = {
      sentence: `chmod 600 ${shellWord(path)}; if you do not trust them, get new tokens`,
      command: ['config login'],
    }
    return [warn(profileCheck, what, advice, {path, mode: octal})]
  })
}

/** The records that `push rotate` of 0.3.0 left. */
export function inspectLeftovers(stateDir: string): Diagnosis<Advice>[] {
  const path = join(stateDir, 'rotations')
  const records = namesIn(path).filter((name) => name.endsWith('.json'))
  if (records.length === 0) return []
  const what = `${path} has ${counted(records.length, 'record')} of push rotate, which 0.4.0 removed; push show says what is registered`
  return [hint('leftovers', what, `rm -r ${shellWord(path)}`)]
}
