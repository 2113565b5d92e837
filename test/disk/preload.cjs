'use strict'

/**
 * Intercepts the tool's file calls (`node --require`). Of the calls that change something below the folders of FAULT_BELOW it
 * counts each, and at the one of the number FAULT_AT it does what FAULT says:
 *
 * - `kill`: the process is killed before the call; a write has then written half of its bytes.
 * - `full`: the disk is full from this call on, and what takes room fails with ENOSPC; a rename fails this once.
 * - `short`: as `full`, but this write takes half of its bytes first, and says so, as a disk does that is nearly full.
 *
 * The call is recorded in the file FAULT_LOG, for messages of tests. A line that is run in the same process after another
 * one has variables of its own, and its calls are counted from the first.
 */

const fs = require('node:fs')
const path = require('node:path')
const process = require('node:process')

const real = {appendFileSync: fs.appendFileSync, writeSync: fs.writeSync}
const names = new Map()
let met = ''
let below = []
let count = 0
let isFull = false

function readVariables() {
  const {FAULT, FAULT_BELOW = '', FAULT_AT} = process.env
  const variables = `${FAULT} ${FAULT_AT} ${FAULT_BELOW}`
  if (variables === met) return
  met = variables
  below = FAULT_BELOW.split(':').filter((folder) => folder !== '')
  count = 0
  isFull = false
}

const isWatched = (file) => below.some((folder) => file === folder || file.startsWith(`${folder}${path.sep}`))

/** The path that a call would change; undefined if it is not ours. */
function subject(argument) {
  const file = typeof argument === 'number' ? names.get(argument) : path.resolve(String(argument ?? ''))
  return file !== undefined && isWatched(file) ? file : undefined
}

/** Whether an open makes or changes a file. */
function isWriting(flags) {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
  return /[wa+]/.test(String(flags ?? 'r'))
}

/** An existing folder, which `mkdir` with `recursive` does not change, and a file that is opened to be read. */
function changesNothing(name, args, file) {
  if (name === 'mkdir') return args[1]?.recursive === true && fs.existsSync(file)
  return name === 'open' && !isWriting(args[1])
}

/** Whether a full disk refuses the call; making room, closing and renaming it lets pass. */
const takesRoom = new Set(['open', 'write', 'mkdir', 'copyFile', 'link', 'symlink', 'writeFile'])

/** `pass`, `half` (a write takes half and says so), `halfAndDie`, or the error that the call ends with. */
function verdict(name, file, opensThere) {
  const needsRoom = takesRoom.has(name) && !opensThere
  if (isFull && needsRoom) return refusal(name, file)
  count += 1
  const {FAULT, FAULT_AT, FAULT_LOG} = process.env
  if (count !== Number(FAULT_AT)) return 'pass'
  if (FAULT_LOG) real.appendFileSync(FAULT_LOG, `${name} ${path.basename(file)}\n`)
  return FAULT === 'kill' ? killed(name) : filled(name, file, needsRoom, FAULT === 'short')
}

function killed(name) {
  return name === 'write' ? 'halfAndDie' : die()
}

function filled(name, file, needsRoom, takesHalf) {
  isFull = name !== 'rename'
  if (name === 'write' && takesHalf) return 'half'
  return needsRoom || name === 'rename' ? refusal(name, file) : 'pass'
}

function die() {
  process.kill(process.pid, 'SIGKILL')
}

function refusal(name, file) {
  const text = `ENOSPC: no space left on device, ${name} '${file}'`
  return Object.assign(new Error(text), {code: 'ENOSPC', errno: -28, syscall: name, path: file})
}

/** The bytes of a write, and where they go. */
function bytesOf([, content, second, third, fourth]) {
  if (typeof content === 'string') return {bytes: Buffer.from(content, third ?? 'utf8'), position: second}
  const whole = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  if (typeof second === 'object' && second !== null) {
    const {offset = 0, length = whole.length - offset, position} = second
    return {bytes: whole.subarray(offset, offset + length), position}
  }
  const offset = second ?? 0
  return {bytes: whole.subarray(offset, offset + (third ?? whole.length - offset)), position: fourth}
}

function writeHalf(descriptor, args) {
  const {bytes, position} = bytesOf(args)
  return real.writeSync(descriptor, bytes.subarray(0, Math.floor(bytes.length / 2)), 0, undefined, position ?? null)
}

/** Applies the fault to a call. `fail` and `give` end it in the way of its kind. */
function meet(name, args, {descriptor, go, fail, give}) {
  readVariables()
  const file = subject(descriptor ?? args[0])
  if (file === undefined || changesNothing(name, args, file)) return go()
  const what = verdict(name, file, name === 'open' && fs.existsSync(file))
  if (what === 'pass' || what === undefined) return go()
  if (typeof what === 'object') return fail(what)
  const written = writeHalf(descriptor ?? args[0], args)
  return what === 'half' ? give(written) : die()
}

/** The name of a call without what says how it is made: `writeSync` is a write, `fdatasync` a sync. */
const plain = {
  appendFile: 'writeFile',
  fdatasync: 'sync',
  fsync: 'sync',
  datasync: 'sync',
  futimes: 'utimes',
  ftruncate: 'truncate',
  fchmod: 'chmod',
  rmdir: 'rm',
  unlink: 'rm',
}
const calls = 'open write mkdir rename link symlink copyFile rm rmdir unlink chmod fchmod utimes futimes truncate'
  .concat(' ftruncate fsync fdatasync')
  .split(' ')

for (const call of calls) {
  const name = plain[call] ?? call
  const sync = fs[`${call}Sync`]
  if (sync) {
    fs[`${call}Sync`] = (...args) => {
      const give = (value) => value
      const fail = (error) => {
        throw error
      }
      const result = meet(name, args, {go: () => sync(...args), fail, give})
      if (name === 'open') names.set(result, path.resolve(String(args[0])))
      return result
    }
  }
  const later = fs[call]
  if (later) {
    fs[call] = (...args) => {
      const done = args.at(-1)
      if (name === 'open') {
        args[args.length - 1] = (error, descriptor) => {
          if (!error) names.set(descriptor, path.resolve(String(args[0])))
          done(error, descriptor)
        }
      }
      const soon = (...results) => process.nextTick(() => done(...results))
      meet(name, args, {go: () => later(...args), fail: soon, give: (written) => soon(null, written, args[1])})
    }
  }
  const promised = fs.promises[call]
  if (promised && name !== 'open') {
    fs.promises[call] = (...args) =>
      meet(name, args, {go: () => promised(...args), fail: (error) => Promise.reject(error), give: () => undefined})
  }
}

const {open} = fs.promises
fs.promises.open = (...args) => {
  const go = async () => {
    const handle = await open(...args)
    names.set(handle.fd, path.resolve(String(args[0])))
    guard(Object.getPrototypeOf(handle))
    return handle
  }
  return meet('open', args, {go, fail: (error) => Promise.reject(error), give: () => undefined})
}

let isGuarded = false

/** The members of every handle that change its file. */
function guard(prototype) {
  if (isGuarded) return
  isGuarded = true
  for (const call of ['write', 'writeFile', 'truncate', 'sync', 'datasync', 'chmod', 'utimes']) {
    const member = prototype[call]
    prototype[call] = function (...args) {
      return meet(plain[call] ?? call, [this.fd, ...args], {
        descriptor: this.fd,
        go: () => member.apply(this, args),
        fail: (error) => Promise.reject(error),
        give: (bytesWritten) => Promise.resolve({bytesWritten, buffer: args[0]}),
      })
    }
  }
}

const {writeFile} = fs.promises
fs.promises.writeFile = (file, ...rest) =>
  typeof file === 'string'
    ? meet('writeFile', [file], {
        go: () => writeFile(file, ...rest),
        fail: (error) => Promise.reject(error),
        give: () => undefined,
      })
    : writeFile(file, ...rest)

const {writeFileSync} = fs
fs.writeFileSync = (file, content, ...rest) => {
  if (typeof file === 'string') return writeFileSync(file, content, ...rest)
  // By way of a write that is met, also where Node takes a shorter one.
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(file, bytes, done)
}
