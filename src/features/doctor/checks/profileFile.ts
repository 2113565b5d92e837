import {readFileSync, statSync} from 'node:fs'
import {fillAdvice} from '../../../api/rules/templates.js'
import {reasonOf} from '../../../storage/disk/reason.js'
import {describeDamage} from '../../../storage/profile/damage.js'
import {backupPath, emptyFile, type ProfileFile, profilePath, readBytes} from '../../../storage/profile/file.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, hint, ok} from './finding.js'

/** The profile file as it is, and what there is to say of it. */
interface LookedAt {
  /** A file without profiles where it cannot be used. */
  readonly file: ProfileFile
  readonly found: Diagnosis
}

const check = 'profile'

/** Looks at the profile file of a config folder and leaves all as it is: other commands close a loose mode and repair damage. */
export function lookAtProfile(configDir: string): LookedAt {
  const path = profilePath(configDir)
  let bytes: Buffer | undefined
  try {
    // What is no file (a pipe) must not be waited for.
    const stat = statSync(path, {throwIfNoEntry: false})
    if (stat && !stat.isFile())
      return unusable(fail(check, `${path} is not a file`, fillAdvice('mv {path} {path}.old', {path})))
    bytes = stat && readFileSync(path)
  } catch (error) {
    const why = reasonOf(error) ?? 'the system refused it'
    return unusable(
      fail(check, `${path} cannot be read: ${why}`, fillAdvice('see who may read it: ls -ld {path}', {path})),
    )
  }
  if (bytes === undefined) return unusable(hint(check, `there is no profile file yet (${path})`, 'roomctl config init'))
  const reading = readBytes(bytes)
  if (reading.state === 'damaged') return unusable(damaged(configDir, bytes))
  if (reading.state === 'newer') {
    const what = `${path} was written by a newer roomctl: it has version ${reading.version}, this one knows version 1`
    return unusable(fail(check, what, 'update roomctl, or set ROOMCTL_CONFIG_DIR to another folder'))
  }
  const names = Object.keys(reading.file.profiles)
  const what = `${path} is whole: version 1, ${names.length} profile${names.length === 1 ? '' : 's'}`
  return {file: reading.file, found: ok(check, what, {path, version: 1, profiles: names})}
}

function unusable(found: Diagnosis): LookedAt {
  return {file: emptyFile(), found}
}

function damaged(configDir: string, bytes: Uint8Array): Diagnosis {
  const path = profilePath(configDir)
  const copiedAt = wholeBackup(configDir)
  const what = `${path} is damaged: it ${describeDamage(bytes)}`
  return copiedAt === undefined
    ? fail(
        check,
        `${what}; there is no good copy of it`,
        fillAdvice('repair it by hand, or mv {path} {path}.old and roomctl config init', {path}),
      )
    : fail(
        check,
        `${what}; the last good copy is of ${copiedAt.toISOString()}`,
        'roomctl config list puts the copy back and keeps the damaged file beside it',
        {path, backup_of: copiedAt.toISOString()},
      )
}

/** When the last good copy was made. */
function wholeBackup(configDir: string): Date | undefined {
  try {
    const path = backupPath(configDir)
    const stat = statSync(path)
    return stat.isFile() && readBytes(readFileSync(path)).state === 'whole' ? stat.mtime : undefined
  } catch {
    return undefined
  }
}
