import {createHash} from 'node:crypto'
import {statSync, unlinkSync} from 'node:fs'
import {dirname} from 'node:path'
import * as z from 'zod/mini'
import {platforms} from '../../api/contract/assetShapes.js'
import {roomStates} from '../../api/contract/room.js'
import {type Failure, failureWith, fileFailure} from '../../failure.js'
import {whileFileLocked} from '../../storage/disk/lock.js'
import {closeFolder, makePrivateFolder, readPrivateFile, reasonOf} from '../../storage/disk/privateFile.js'
import {DamagedDocument, parseDocument, writeDocument} from '../../storage/document.js'
import {appendToLog, type LogFold, type LogForm, replaceLog, SharedLog} from '../../storage/log/log.js'
import {type Choices, defaultChoices} from './choices.js'
import type {StoredResource, World} from './world.js'

/** The bytes of uploads are in files of their own. */
const maxBytes = 256 * 1024 * 1024

/** Enough for many processes at once, and longer than a lock lasts that a killed one left. */
const patienceMs = 30_000

/** The names of the sandbox's files; a folder with others is the user's own, and keeps its mode. */
const own = /^(?:world\.json.*|files)$/

/** What every rule relies on: nobody but the sandbox writes it. */
const resourceShape = z.looseObject({uuid: z.string(), container: z.string(), name: z.string(), size: z.number()})
const things = z.array(z.looseObject({}))
const worldShape = z.looseObject({
  version: z.literal(2),
  applicationToken: z.string(),
  tokenSecret: z.string(),
  choices: z.looseObject({}),
  rooms: z.array(
    z.looseObject({
      room_id: z.string(),
      name: z.string(),
      room_status: z.enum(roomStates),
      files: z.array(z.unknown()),
      attendees: z.array(z.looseObject({user_id: z.string()})),
    }),
  ),
  messages: z.array(z.unknown()),
  events: z.array(z.unknown()),
  containers: z.array(z.looseObject({path: z.string()})),
  resources: z.array(resourceShape),
  push: z.looseObject({
    users: z.array(z.looseObject({user_id: z.string(), tokens: z.array(z.unknown())})),
    requests: things,
    transactions: things,
    applications: things,
  }),
})

/** The file beside the bytes of an unfinished upload: of what its create request says, as much as the sandbox goes by. */
export const uploadShape = z.object({
  size: z.number(),
  metadata: z.object({
    container: z.string(),
    name: z.string(),
    platform: z.enum(platforms),
    description: z.string(),
    link: z.exactOptional(z.string()),
  }),
})

/** The world of a file, and the digest of that file. Raises a Failure. */
export function readWorld(file: string): {readonly world: World; readonly digest: string} | undefined {
  try {
    const bytes = readPrivateFile(file, {maxBytes})
    if (bytes === undefined) return undefined
    // The shape checks what a damaged or older file lacks, not every member.
    const world = parseDocument(bytes, {shape: worldShape, version: 2}) as unknown as World
    world.choices = knownChoices(world.choices)
    return {world, digest: createHash('sha256').update(bytes).digest('hex')}
  } catch (error) {
    throw error instanceof DamagedDocument ? damaged(file, error) : notRead(file, error)
  }
}

/** A world of another version may lack choices, or have some that no rule reads. */
function knownChoices(choices: Choices): Choices {
  const known = Object.entries(choices).filter(([name]) => name in defaultChoices)
  return {...defaultChoices, ...Object.fromEntries(known)}
}

function damaged(file: string, {message}: DamagedDocument): Failure {
  return fileFailure(`the sandbox's state in ${file} is damaged, or of another version of roomctl`, {
    why: `it ${message}`,
    try: 'start over: roomctl sandbox reset, with the same --data where one was given',
  })
}

export function notRead(file: string, error: unknown): Failure {
  return problem(`cannot read the sandbox's state in ${file}`, error, 'fix that, or move the file away')
}

export function writeWorld(file: string, world: World): void {
  writing(file, () => writeDocument(file, world))
}

function writing(where: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw stateNotWritten(where, error)
  }
}

/** Changes when the file is replaced; empty where there is none. Raises a Failure. */
export function worldIdentity(file: string): string {
  try {
    const stat = statSync(file, {bigint: true, throwIfNoEntry: false})
    return stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : ''
  } catch (error) {
    throw notRead(file, error)
  }
}

/** The first line is the digest of the world that the log extends. */
type LogLine = {readonly world: string} | StoredResource

const logForm: LogForm<LogLine> = {
  // As for the world.
  shape: z.union([z.strictObject({world: z.string()}), resourceShape]) as unknown as LogForm<LogLine>['shape'],
  folderHolds: own,
}

/** The files that were uploaded since the world was written. The log of another world, left by a kill, is ignored. */
export class ResourceLog implements LogFold<LogLine> {
  readonly #log: SharedLog<LogLine>
  #isOurs = false
  readonly #unread: StoredResource[] = []

  constructor(
    private readonly world: string,
    private readonly digest: string,
  ) {
    this.#log = new SharedLog(logFile(world), logForm, this)
  }

  take(line: LogLine): boolean {
    if ('world' in line) this.#isOurs = line.world === this.digest
    else if (this.#isOurs) this.#unread.push(line)
    return true
  }

  restart(): void {
    this.#isOurs = false
  }

  /** The lines appended since the last call; a damaged one is skipped. Raises a Failure. */
  unread(): StoredResource[] {
    try {
      this.#log.read()
      return this.#unread.splice(0)
    } catch (error) {
      throw notRead(logFile(this.world), error)
    } finally {
      this.#log.close()
    }
  }

  /** To be called under the lock, with nothing unread. Raises a Failure. */
  append(resources: readonly StoredResource[]): void {
    if (resources.length === 0) return
    writing(this.world, () => {
      if (!this.#isOurs) replaceLog(logFile(this.world), [{world: this.digest}, ...resources])
      else appendToLog(logFile(this.world), logForm, resources)
    })
  }
}

/** Removes the log of a world that has taken it in. One that cannot be removed belongs to an earlier world. */
export function removeResourceLog(file: string): void {
  try {
    unlinkSync(logFile(file))
  } catch {
    // Mostly: there is none.
  }
}

function logFile(file: string): string {
  return `${file}.uploads`
}

/** Runs `work` while no other process changes the same world. Raises a Failure. */
export function withWorldLock<T>(file: string, work: () => T): Promise<T> {
  makeFolder(dirname(file))
  closeFolder(dirname(file), (name) => own.test(name))
  const lockedOut = (lockFolder: string) =>
    failureWith('temporary', `the sandbox's state in ${file} is in use by another process`, {
      why: `its lock ${lockFolder} was there for ${patienceMs / 1000} s`,
      try: 'run the command again in a moment',
    })
  const cannotLock = (error: unknown) => stateNotWritten(file, error)
  return whileFileLocked(file, work, {waitMs: patienceMs, lockedOut, cannotLock})
}

export function makeFolder(dir: string): void {
  writing(dir, () => makePrivateFolder(dir))
}

/** `error` is the system's. */
export function stateNotWritten(where: string, error: unknown): Failure {
  return problem(
    `cannot keep the sandbox's state in ${where}`,
    error,
    'fix that, or keep the state of a sandbox elsewhere: roomctl sandbox start --data DIR',
  )
}

function problem(what: string, error: unknown, advice: string): Failure {
  const reason = reasonOf(error) ?? 'the system gave no reason'
  return failureWith('configuration', `${what}: ${reason}`, {try: advice}, {cause: error})
}
