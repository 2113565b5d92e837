import {readdirSync, statSync} from 'node:fs'
import {isAbsolute} from 'node:path'
import {fillAdvice} from '../../../api/rules/templates.js'
import type {Environment} from '../../../cli/runtime/runtime.js'
import type {User} from '../../../storage/disk/privateFile.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {hint, ok, warn} from './finding.js'

const check = 'cache'
const slower = 'each start takes about twice as long'

/**
 * Whether the cache of compiled code can be used (bin/codeCache.cjs, whose rules these are): code is taken only from a folder
 * of this user that nobody else can write to.
 */
export function checkCodeCache(
  {env, folder}: {readonly env: Environment; readonly folder: string},
  version: string,
  user: User,
): Diagnosis {
  const given = env.ROOMCTL_CACHE_DIR
  if (given && !isAbsolute(given)) {
    const what = `ROOMCTL_CACHE_DIR is no absolute path, so compiled code is not kept: ${slower}`
    return warn(check, what, 'set ROOMCTL_CACHE_DIR to an absolute path, or unset it')
  }
  const unsafe = user === undefined ? undefined : unsafeFolder(folder, user)
  if (unsafe) return unsafe
  const kept = namesIn(folder).some((name) => name.startsWith('code-') && name.includes(`-${version}-`))
  if (kept) return ok(check, `compiled code is kept in ${folder}`, {path: folder})
  return hint(
    check,
    `no compiled code is kept in ${folder} yet`,
    'nothing to do: the next start uses what this one keeps',
  )
}

function unsafeFolder(folder: string, user: number): Diagnosis | undefined {
  const stat = statSync(folder, {throwIfNoEntry: false})
  if (stat === undefined) return undefined
  if (stat.uid !== user) {
    const what = `the cache folder ${folder} belongs to another user (uid ${stat.uid}), so it is not used: ${slower}`
    return warn(check, what, fillAdvice('sudo chown -R {user} {folder}', {user, folder}))
  }
  if ((stat.mode & 0o022) === 0) return undefined
  const what = `other users can write to the cache folder ${folder}, so it is not used: ${slower}`
  return warn(check, what, fillAdvice('chmod go-w {folder}', {folder}))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
