#!/usr/bin/env node
'use strict'

// CommonJS, and one file: every start of the tool pays for each that is loaded.
// Why, and what each line saves: docs/decisions/0001-one-bundle.md.

const fs = require('node:fs')
const path = require('node:path')

const {argv} = process

/**
 * The files of the package, which may be below a folder or inside the executable (bin/single.cjs). `packageFile` returns the bytes of
 * the one of that name, such as `dist/main.cjs`; `root` is where they are, for the system and for stack traces.
 */
function filesBelow(root) {
  return {root, packageFile: (name) => fs.readFileSync(path.join(root, name))}
}

/** Runs the command line of the process. */
function runProgram(files) {
  if (argv.length === 3 && argv[2] === '--version') return printVersion(files)
  ensureHome()
  return start(files)
}

/** Says what `roomctl --version` says, before anything is loaded; with more arguments oclif prints the same. */
function printVersion({packageFile}) {
  const {name, version} = JSON.parse(packageFile('package.json'))
  const line = `${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`
  try {
    // Opening process.stdout would cost more than everything else here.
    fs.writeSync(1, line)
  } catch (error) {
    if (error.code === 'EAGAIN') process.stdout.write(line)
    else if (error.code !== 'EPIPE') cannotWrite(error)
  }
}

/**
 * An empty or relative home would mean the working folder, whose profile names programs to run: the account's
 * home takes its place. The root stands for a home if there is none, as in a container whose user has no entry anywhere: the
 * system's answer is an error then, which a library of the bundle asks for as it is loaded.
 */
function ensureHome() {
  const name = process.platform === 'win32' ? 'USERPROFILE' : 'HOME'
  if (path.isAbsolute(process.env[name] ?? '')) return
  delete process.env[name]
  try {
    process.env[name] = require('node:os').homedir()
  } catch {
    process.env[name] = '/'
  }
}

/** As src/terminal/output.ts says it: 14 is the exit code of a file that cannot be written. */
function cannotWrite({code}) {
  const reason = code === 'ENOSPC' ? 'the disk is full' : `the operating system refused it (${code})`
  process.stderr.write(`error: cannot write to stdout: ${reason}\n`)
  process.exitCode = 14
}

/**
 * Runs the bundle. The exit code is only set, never forced, so that pending output is written. It is 1 until then: Node ends a process
 * that waits for a promise that is never settled, with 0 by default.
 */
async function start(files) {
  process.exitCode = 1
  const {main, published} = loadBundle('dist/main.cjs', files, cacheFolder(process.env, process.platform))
  process.exitCode = await main(argv.slice(2), published(files))
}

/*
 * The bundle is loaded through a cache of its compiled code, which halves the time of a start.
 *
 * Node's own `module.enableCompileCache` is not in Node 20, and keeps functions only as they were at load: what a
 * command compiles later is compiled again each time. This one is written when the process ends, and again when a
 * command ran that it does not contain.
 *
 * The file is run as code, so it is used only in a folder of this user that no other user can
 * write to. V8 does not notice damaged code (it crashes), so the code is stored twice and both copies must be equal.
 * Every trouble with the cache is silent: the bundle then loads without it.
 */

/**
 * The cache folder of src/storage/profile/resolve.ts, which is not loaded yet. Undefined if there is no
 * home, and if it would be relative: code from the working folder must not run.
 */
function cacheFolder(env, platform) {
  if (env.ROOMCTL_CACHE_DIR) return absolute(env.ROOMCTL_CACHE_DIR)
  if (platform === 'win32') {
    return path.win32.isAbsolute(env.LOCALAPPDATA ?? '') ? path.join(env.LOCALAPPDATA, 'roomctl', 'cache') : undefined
  }
  const base = absolute(env.XDG_CACHE_HOME) ?? absolute(underHome(env))
  return base && path.join(base, 'roomctl')
}

function absolute(folder) {
  return folder && path.isAbsolute(folder) ? folder : undefined
}

function underHome({HOME}) {
  if (absolute(HOME)) return path.join(HOME, '.cache')
  try {
    return path.join(require('node:os').homedir(), '.cache')
  } catch {
    return undefined // no HOME, and no entry in the password file
  }
}

/** The bundles that this process has loaded, by name. */
const bundles = new Map()

/**
 * Returns the exports of a file that begins with `//` and a hash of the build, and is a function of the parameters of a CommonJS module
 * (scripts/bundle.ts): wrapping it here would cost a second copy of the text. A file required by a
 * relative path is of the same form. The first one of a process exports the loaded commands, for the cache.
 */
function loadBundle(file, files, folder) {
  const known = bundles.get(file)
  if (known) return known.module.exports
  const source = files.packageFile(file).latin1Slice() // the bundle is ASCII: nothing to decode
  const build = source.slice(2, source.indexOf('\n'))
  const name = `code-${build}-${process.version}-${process.arch}${flagged()}-${path.basename(file, '.cjs')}.bin`
  const location = folder && {folder, build, name}
  const cached = location && readCache(location)
  const filename = path.join(files.root, file)
  const script = new (require('node:vm').Script)(source, {filename, cachedData: cached?.code})
  const head = cached && !script.cachedDataRejected ? cached.head : {commands: [], tag: versionTag()}
  const module = {exports: {}}
  if (location && bundles.size === 0) process.once('exit', updateCaches)
  bundles.set(file, {module, location, script, head})
  const requireBeside = (id) =>
    id.startsWith('.') ? loadBundle(path.posix.join(path.posix.dirname(file), id), files, folder) : require(id)
  script.runInThisContext()(module.exports, requireBeside, module, filename, path.dirname(filename))
  return module.exports
}

/** V8 rejects code that was compiled under other flags: runs with flags of any kind keep a cache beside that of the others. */
function flagged() {
  return process.execArgv.length > 0 || process.env.NODE_OPTIONS ? '-flags' : ''
}

/** V8's conditions for accepting code: its version, its flags, the processor. Computed only if there is no cache. */
function versionTag() {
  return require('node:v8').cachedDataVersionTag()
}

/**
 * The head says which commands' code is in the cache, and the version tag of the process that made it. It is padded, so
 * that the code after it is aligned for V8.
 */
const headSize = 8192

/** Above every cache; a larger file is not read. */
const maxCacheBytes = 64 * 1024 * 1024

/** O_NONBLOCK: a pipe of that name must not hang the program. Windows has neither. */
const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0)

function readCache({folder, name}) {
  try {
    if (!isPrivate(fs.statSync(folder))) return undefined
    const descriptor = fs.openSync(path.join(folder, name), openFlags)
    try {
      const stat = fs.fstatSync(descriptor)
      const isCache = stat.isFile() && isPrivate(stat) && stat.size <= maxCacheBytes
      return isCache ? parseCache(fs.readFileSync(descriptor)) : undefined
    } finally {
      fs.closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}

/** Head, code, and the code once more. */
function parseCache(bytes) {
  const head = JSON.parse(bytes.latin1Slice(0, headSize))
  const middle = headSize + (bytes.length - headSize) / 2
  const code = bytes.subarray(headSize, middle)
  return code.length > 0 && code.equals(bytes.subarray(middle)) ? {head, code} : undefined
}

/** Owned by this user, and not writable by others. Windows has no such bits; there the folder is the user's own. */
function isPrivate({uid, mode}) {
  return process.platform === 'win32' || (uid === process.getuid() && (mode & 0o022) === 0)
}

function updateCaches() {
  const [first] = bundles.values()
  for (const bundle of bundles.values()) updateCache(bundle, first.module.exports.loadedCommands)
}

/** Writes the cache if this run loaded a command that is not in it; a run without one only showed help. */
function updateCache({location, script, head: {commands, tag}}, loaded) {
  const all = new Set([...commands, ...(loaded.size > 0 ? loaded : ['help'])])
  if (all.size === commands.length) return
  try {
    makeFolder(location.folder)
    // After a change of V8's flags (src/api/http/transports/pooled.ts) the next start would reject the code.
    if (!isPrivate(fs.statSync(location.folder)) || tag !== versionTag()) return
    writeCache(location, JSON.stringify({commands: [...all], tag}), script)
    removeOthers(location)
  } catch {
    // read-only, full, or another user's: the next start is as slow as this one
  }
}

/** Creates the folder, but not below a folder of another user: `sudo` with the caller's HOME would lock them out. */
function makeFolder(folder) {
  const missing = []
  let existing = folder
  for (; !fs.existsSync(existing); existing = path.dirname(existing)) missing.unshift(existing)
  const mayMake = process.platform === 'win32' || fs.statSync(existing).uid === process.getuid()
  // One by one: mkdir's own recursion never ends below /proc.
  if (mayMake) for (const one of missing) fs.mkdirSync(one, {mode: 0o700})
}

/** A process that is killed here leaves a part file, never half a cache. */
function writeCache({folder, name}, head, script) {
  const part = path.join(folder, `${name}.${process.pid}.part`)
  const descriptor = fs.openSync(part, 'wx', 0o600) // before the code is made: a read-only folder ends it cheaply
  try {
    const code = script.createCachedData()
    for (const piece of [Buffer.from(head.padEnd(headSize), 'latin1'), code, code]) fs.writeFileSync(descriptor, piece)
    fs.renameSync(part, path.join(folder, name))
  } catch (error) {
    fs.rmSync(part, {force: true})
    throw error
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Removes the caches of other builds and forgotten part files; other versions of Node keep theirs. */
function removeOthers({folder, build}) {
  for (const file of fs.readdirSync(folder)) {
    const isOfThisBuild = file.startsWith(`code-${build}-`) && file.endsWith('.bin')
    if (file.startsWith('code-') && !isOfThisBuild) fs.rmSync(path.join(folder, file), {force: true})
  }
}

module.exports = {cacheFolder, filesBelow, loadBundle, runProgram}

if (require.main === module) runProgram(filesBelow(path.dirname(__dirname)))
