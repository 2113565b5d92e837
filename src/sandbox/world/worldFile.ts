import {accessSync, constants} from 'node:fs'
import {dirname, join} from 'node:path'
import {whileFileLocked} from '../../storage/disk/lock.js'
import {closeFolder, makePrivateFolder, readRegularFile} from '../../storage/disk/privateFile.js'
import {reasonOf} from '../../storage/disk/reason.js'
import {replaceFile, sweepLeft} from '../../storage/disk/replaceFile.js'
import {SandboxProblem} from './problem.js'

/** No world comes near it: the bytes of uploads lie in files of their own. */
const maxBytes = 256 * 1024 * 1024

/** Enough for many processes that all want to change it at once, and longer than a lock lasts that a killed one left. */
const patienceMs = 30_000

/** The file of a world in its folder. */
export function worldFile(dir: string): string {
  return join(dir, 'world.json')
}

/** The text of the file, or undefined where there is none yet. Raises a SandboxProblem for one that cannot be read. */
export function readWorld(file: string): string | undefined {
  try {
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch (error) {
    throw problem(`cannot read the sandbox's state in ${file}`, error, 'put that right, or move the file away')
  }
}

/** Puts the text in place as a whole, for the user alone. Raises a SandboxProblem. */
export function writeWorld(file: string, text: string): void {
  try {
    replaceFile(file, Buffer.from(text))
  } catch (error) {
    throw stateNotWritten(file, error)
  }
}

/** Does `work` while no other process does any on the same world; makes its folder. Raises a SandboxProblem. */
export function withWorldLock<T>(file: string, work: () => T): Promise<T> {
  keepFolder(dirname(file))
  const lockedOut = (lockFolder: string) =>
    new SandboxProblem(`the sandbox's state in ${file} is in use by another process`, undefined, {
      exit: 'temporary',
      why: `its lock ${lockFolder} was there for ${patienceMs / 1000} s`,
      try: 'run the command again in a moment',
    })
  const cannotLock = (error: unknown) => stateNotWritten(file, error)
  return whileFileLocked(file, work, {waitMs: patienceMs, lockedOut, cannotLock})
}

/** Makes a folder for the user alone, where it is not there yet. Raises a SandboxProblem. */
export function makeFolder(dir: string): void {
  try {
    makePrivateFolder(dir)
  } catch (error) {
    throw stateNotWritten(dir, error)
  }
}

/** That something of the sandbox could not be written. `error` is the system's; the folder is asked where that is not known. */
export function stateNotWritten(where: string, error: unknown = whyNot(where)): SandboxProblem {
  return problem(
    `cannot keep the sandbox's state in ${where}`,
    error,
    'put that right, or keep the state of a sandbox elsewhere: roomctl sandbox start --data DIR',
  )
}

function whyNot(folder: string): unknown {
  try {
    accessSync(folder, constants.W_OK)
    return undefined
  } catch (error) {
    return error
  }
}

function problem(what: string, error: unknown, advice: string): SandboxProblem {
  const reason = reasonOf(error) ?? 'its disk may be full'
  return new SandboxProblem(`${what}: ${reason}`, undefined, {exit: 'configuration', try: advice, cause: error})
}

/** The names of what a sandbox keeps; beside others the folder is somebody's own, and its mode is theirs to say. */
const own = /^(?:world\.json.*|files)$/

/** Drafts of versions that named them otherwise. */
const oldDraft = /^world\.json\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function keepFolder(dir: string): void {
  makeFolder(dir)
  sweepLeft(dir, 60_000, (name) => oldDraft.test(name))
  closeFolder(dir, (name) => own.test(name))
}
