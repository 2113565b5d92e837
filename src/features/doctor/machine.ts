import {existsSync, readFileSync, statSync} from 'node:fs'
import {basename, isAbsolute} from 'node:path'
import {version} from 'node:process'
import {fillAdvice} from '../../api/rules/templates.js'
import type {Environment, Runtime} from '../../cli/runtime/runtime.js'
import {currentUser, type User} from '../../storage/disk/privateFile.js'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {places} from '../../storage/profile/environment.js'
import {type Diagnosis, fail, hint, ok, warn} from '../../view/tool/doctor.js'
import {scriptLocation} from '../completion/install.js'
import {checkKeptFiles, checkStorage, inspectProfile} from './files.js'

/**
 * Checks what lies on this machine, before anything is opened: opening tightens a loose mode and repairs a damaged profile, which
 * could then not be told. `file` is the profile file as it was found.
 */
export function checkMachine({env, home, platform, now}: Runtime) {
  const {config, state, cache} = places(env, home, platform)
  const user = currentUser()
  const {file, found: profile} = inspectProfile(config)
  const found: Diagnosis[] = [
    profile,
    ...checkKeptFiles({config, state}, user),
    checkNode(version, now()),
    ...checkEnvironment(env),
    checkStorage(state),
    checkCodeCache({env, folder: cache}, version, user),
    ...checkCompletion({env, home, platform}),
  ]
  return {file, found}
}

const nodeCheck = 'node'

/** The oldest Node that roomctl runs on. */
const oldestNode = [20, 19] as const

/** The day from which on the even lines of Node get no more fixes, by Node's own plan of releases. */
const endOfLife: Readonly<Record<number, string>> = {20: '2026-05-01', 22: '2027-05-01', 24: '2028-05-01'}

/** Whether this Node (`v20.19.1`) is new enough, and whether it still gets fixes. */
export function checkNode(version: string, now: Date): Diagnosis {
  const [major = 0, minor = 0] = version.replace(/^v/u, '').split('.').map(Number)
  const details = {version}
  if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
    const what = `Node ${version} is not supported`
    return fail(nodeCheck, what, `install Node ${oldestNode.join('.')} or later, preferably an LTS release`, details)
  }
  const end = endOfLife[major] ?? (major % 2 === 1 ? '' : undefined)
  if (end === '')
    return hint(nodeCheck, `Node ${version} is not an LTS release`, 'install the latest LTS release', details)
  if (end === undefined || now.getTime() < Date.parse(end)) return ok(nodeCheck, `Node ${version}`, details)
  const what = `Node ${version} is end of life since ${end}`
  return hint(nodeCheck, what, 'install Node 24 or later', details)
}

const environmentCheck = 'environment'

/** The variables that change, outside of roomctl's own settings, how it is run or how it connects. */
export function checkEnvironment(env: Environment): Diagnosis[] {
  const found = [allProxy(env), unverified(env), debugging(env), extraCaFile(env)].flatMap((one) => one ?? [])
  return found.length > 0 ? found : [ok(environmentCheck, 'no environment variable overrides the connection')]
}

function allProxy({ALL_PROXY, all_proxy}: Environment): Diagnosis | undefined {
  if (!ALL_PROXY && !all_proxy) return undefined
  const name = all_proxy ? 'all_proxy' : 'ALL_PROXY'
  return warn(environmentCheck, `${name} is set, but roomctl ignores it`, 'set HTTPS_PROXY (and NO_PROXY) instead')
}

function unverified({NODE_TLS_REJECT_UNAUTHORIZED: value}: Environment): Diagnosis | undefined {
  if (value !== '0') return undefined
  const what = 'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: roomctl still checks certificates, other Node programs do not'
  return warn(
    environmentCheck,
    what,
    'unset NODE_TLS_REJECT_UNAUTHORIZED, and trust the CA: roomctl config set caFile FILE',
  )
}

function debugging({NODE_DEBUG: value}: Environment): Diagnosis | undefined {
  if (!value) return undefined
  const what = 'NODE_DEBUG is set: Node logs internals such as URLs to stderr, unmasked'
  return warn(environmentCheck, what, 'unset NODE_DEBUG; --debug shows the requests with their secrets masked')
}

/** Node warns of such a file once, when it starts, and continues without it. */
function extraCaFile({NODE_EXTRA_CA_CERTS: path}: Environment): Diagnosis | undefined {
  if (!path) return undefined
  try {
    if (readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----')) return undefined
    return fail(
      environmentCheck,
      `NODE_EXTRA_CA_CERTS names ${path}, which contains no PEM certificate`,
      'name a PEM file',
    )
  } catch {
    return fail(
      environmentCheck,
      `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read`,
      'name a PEM file that can be read',
    )
  }
}

const cacheCheck = 'cache'
const slower = 'each start takes about twice as long'

/**
 * Whether the cache of compiled code can be used (bin/run.cjs, whose rules these are): code is taken only from a folder
 * of this user that nobody else can write to.
 */
export function checkCodeCache(
  {env, folder}: {readonly env: Environment; readonly folder: string},
  version: string,
  user: User,
): Diagnosis {
  const given = env.ROOMCTL_CACHE_DIR
  if (given && !isAbsolute(given)) {
    const what = `ROOMCTL_CACHE_DIR is not an absolute path, so compiled code is not cached: ${slower}`
    return warn(cacheCheck, what, 'set ROOMCTL_CACHE_DIR to an absolute path, or unset it')
  }
  const unsafe = user === undefined ? undefined : unsafeFolder(folder, user)
  if (unsafe) return unsafe
  const kept = namesIn(folder).some((name) => name.startsWith('code-') && name.includes(`-${version}-`))
  if (kept) return ok(cacheCheck, `compiled code is cached in ${folder}`, {path: folder})
  return hint(cacheCheck, `no compiled code is cached in ${folder} yet`, 'nothing to do: the next start uses the cache')
}

function unsafeFolder(folder: string, user: number): Diagnosis | undefined {
  const stat = statSync(folder, {throwIfNoEntry: false})
  if (stat === undefined) return undefined
  if (stat.uid !== user) {
    const what = `the cache folder ${folder} belongs to another user (uid ${stat.uid}), so it is not used: ${slower}`
    return warn(cacheCheck, what, fillAdvice('sudo chown -R {user} {folder}', {user, folder}))
  }
  if ((stat.mode & 0o022) === 0) return undefined
  const what = `other users can write to the cache folder ${folder}, so it is not used: ${slower}`
  return warn(cacheCheck, what, fillAdvice('chmod go-w {folder}', {folder}))
}

const completionCheck = 'completion'

/** Where a package, or whoever rules the machine, puts the script for all users. */
const systemWideScripts = {
  bash: ['/usr/share/bash-completion/completions/roomctl', '/etc/bash_completion.d/roomctl'],
  zsh: ['/usr/local/share/zsh/site-functions/_roomctl', '/usr/share/zsh/site-functions/_roomctl'],
  fish: ['/usr/share/fish/vendor_completions.d/roomctl.fish'],
} as const

/** Whether the user's shell completes roomctl's words. No line for a shell that is not known. */
export function checkCompletion(runtime: Pick<Runtime, 'env' | 'home' | 'platform'>): Diagnosis[] {
  const name = basename(runtime.env.SHELL ?? '')
  const shell = (['bash', 'zsh', 'fish'] as const).find((one) => one === name)
  if (shell === undefined) return []
  const {file, startFile, line} = scriptLocation(shell, runtime)
  const path = [file, ...systemWideScripts[shell]].find((one) => existsSync(one))
  const details = {shell, path: path ?? null}
  if (path === undefined) {
    return [
      hint(
        completionCheck,
        `shell completion is not installed for ${shell}`,
        `roomctl completion ${shell} --install`,
        details,
      ),
    ]
  }
  // Bash reads that folder by itself with bash-completion, which nearly every system has; zsh never does.
  if (shell === 'zsh' && path === file && startFile && line && !mentions(startFile, 'site-functions')) {
    const what = `completion for zsh is at ${path}, but its folder is missing in ${startFile}`
    return [hint(completionCheck, what, `add to ${startFile}: ${line}`, details)]
  }
  return [ok(completionCheck, `completion for ${shell} is installed`, details)]
}

function mentions(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8').includes(text)
  } catch {
    return false
  }
}
