import {statSync} from 'node:fs'
import {dirname} from 'node:path'
import * as z from 'zod/mini'
import {platforms} from '../../api/contract/assetShapes.js'
import {roomStates} from '../../api/contract/states.js'
import {type Failure, type FailureFacts, failureWith, fileFailure} from '../../failure.js'
import {whileFileLocked} from '../../storage/disk/lock.js'
import {closeFolder, makePrivateFolder, readPrivateFile, reasonOf} from '../../storage/disk/privateFile.js'
import {DamagedDocument, parseDocument, writeDocument} from '../../storage/document.js'
import {type Choices, defaultChoices, type World} from './world.js'

/** The bytes of uploads are in files of their own. */
const maxBytes = 256 * 1024 * 1024

/** Enough for many processes at once, and longer than a lock lasts that a killed one left. */
const patienceMs = 30_000

/** The names of the sandbox's files; a folder with others is the user's own, and keeps its mode. */
const own = /^(?:world\.json.*|files)$/

/** Trusted: only the sandbox writes it. */
const resourceShape = z.looseObject({uuid: z.string(), container: z.string(), name: z.string(), size: z.number()})
const things = z.array(z.looseObject({}))
const worldShape = z.looseObject({
  version: z.literal(3),
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
  containers: z.array(z.looseObject({path: z.string()})),
  resources: z.array(resourceShape),
  push: z.looseObject({
    users: z.array(z.looseObject({user_id: z.string(), tokens: z.array(z.unknown())})),
    requests: things,
    transactions: things,
    applications: things,
  }),
})

/** The sidecar of an unfinished upload, with the used fields of its create request. */
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

/** @throws Failure */
export function readWorld(file: string): World | undefined {
  try {
    const bytes = readPrivateFile(file, {maxBytes})
    if (bytes === undefined) return undefined
    // The shape checks what a damaged or older file lacks, not every member.
    const world = parseDocument(bytes, {shape: worldShape, version: 3}) as unknown as World
    world.choices = knownChoices(world.choices)
    return world
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
    try: {sentence: 'start over, with the same --data if one was given', command: ['sandbox reset']},
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

/** Changes when the file is replaced; empty if it does not exist. @throws Failure */
export function worldIdentity(file: string): string {
  try {
    const stat = statSync(file, {bigint: true, throwIfNoEntry: false})
    return stat ? `${stat.ino} ${stat.mtimeNs} ${stat.size}` : ''
  } catch (error) {
    throw notRead(file, error)
  }
}

/** Runs `work` while no other process changes the same world. Throws Failure. */
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
  return problem(`cannot keep the sandbox's state in ${where}`, error, {
    sentence: 'fix that, or keep the state of a sandbox elsewhere',
    command: ['sandbox start', '--data', 'DIR'],
  })
}

function problem(what: string, error: unknown, advice: FailureFacts['try']): Failure {
  const reason = reasonOf(error) ?? 'the system gave no reason'
  return failureWith('configuration', `${what}: ${reason}`, {try: advice}, {cause: error})
}
