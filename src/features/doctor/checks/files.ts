import {lstatSync, readdirSync, type Stats} from 'node:fs'
import {join} from 'node:path'
import {fillAdvice} from '../../../api/rules/templates.js'
import type {User} from '../../../storage/disk/privateFile.js'
import type {Diagnosis} from '../../../view/tool/doctor.js'
import {fail, ok, warn} from './finding.js'

const check = 'files'

interface Kept {
  readonly path: string
  readonly kind: 'folder' | 'file'
  /** What others would have who could read it. */
  readonly holds: string
  /** Whether a symbolic link in its place is refused when it is used. */
  readonly refusesLinks: boolean
}

/**
 * Whether what roomctl keeps belongs to this user, and whether nobody else can read it or change it (product §5, §10). A line for
 * each that is not as it should be, else one for all. Changes nothing. On Windows there are no such modes, and no line.
 */
export function checkFiles(
  {config, state}: {readonly config: string; readonly state: string},
  user: User,
): Diagnosis[] {
  if (user === undefined) return []
  const kept = [...ofConfig(config), ...ofState(state)]
  const stats = kept.flatMap((one) => {
    const stat = statOf(one.path)
    return stat === undefined ? [] : [{...one, stat}]
  })
  const found = stats.flatMap((one) => verdict(one, one.stat, user) ?? [])
  if (found.length > 0) return found
  if (stats.length === 0) return [ok(check, 'nothing is kept on this machine yet')]
  return [ok(check, 'what is kept on this machine can be read by you alone', {paths: stats.map(({path}) => path)})]
}

function ofConfig(folder: string): Kept[] {
  const names = namesIn(folder).filter((name) => /^config\..*json$/u.test(name))
  return [
    {path: folder, kind: 'folder', holds: 'your profiles', refusesLinks: false},
    ...names.map((name): Kept => ({path: join(folder, name), kind: 'file', holds: 'tokens', refusesLinks: true})),
  ]
}

function ofState(folder: string): Kept[] {
  const holds = 'what was done from this machine'
  // The journal that is written, and those that were put aside. One that others share keeps the mode that they gave it.
  const journals = namesIn(folder).filter((name) => /^journal(?:\.\d+)?\.ndjson$/u.test(name))
  const files = [...journals, 'uploads/uploads.jsonl']
  const refusing = ['journal.ndjson', 'uploads/uploads.jsonl']
  return [
    {path: folder, kind: 'folder', holds, refusesLinks: false},
    ...files.map(
      (name): Kept => ({path: join(folder, name), kind: 'file', holds, refusesLinks: refusing.includes(name)}),
    ),
  ]
}

function verdict({path, kind, holds, refusesLinks}: Kept, stat: Stats, user: number): Diagnosis | undefined {
  if (stat.isSymbolicLink()) {
    if (kind === 'folder') return undefined
    const say = refusesLinks ? fail : warn
    const what = `${path} is a symbolic link${refusesLinks ? ', which is refused' : ''}`
    return say(
      check,
      what,
      fillAdvice('put the file itself there: cp --remove-destination "$(readlink -f {path})" {path}', {path}),
    )
  }
  if (kind === 'file' && !stat.isFile())
    return fail(check, `${path} is no ordinary file`, fillAdvice('mv {path} {path}.old', {path}))
  if (stat.uid !== user) {
    const what = `${path} belongs to another user (uid ${stat.uid}, you are ${user})`
    return fail(check, what, fillAdvice('sudo chown {user} {path}', {user, path}), {path, owner: stat.uid})
  }
  return looseMode({path, kind, holds}, stat.mode & 0o7777)
}

function looseMode({path, kind, holds}: Pick<Kept, 'path' | 'kind' | 'holds'>, mode: number): Diagnosis | undefined {
  if ((mode & 0o077) === 0) return undefined
  const details = {path, mode: octal(mode)}
  if (kind === 'folder' && (mode & 0o1000) !== 0) {
    const advice = 'set ROOMCTL_CONFIG_DIR and ROOMCTL_STATE_DIR to folders of your own'
    return fail(check, `${path} is a folder that all users share (mode ${octal(mode)})`, advice, details)
  }
  const can = (mode & 0o022) === 0 ? 'read' : 'change'
  const what = `other users of this machine can ${can} ${path} (mode ${octal(mode)}): it holds ${holds}`
  const leaked = holds === 'tokens' ? '; if they are not to be trusted, get new tokens: roomctl config login' : ''
  const close = fillAdvice('chmod {bits} {path}', {bits: kind === 'folder' ? '700' : '600', path})
  return warn(check, what, `${close}${leaked}`, details)
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0')
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
