import {createHash, randomBytes} from 'node:crypto'
import {rmSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {appendToLog, type LogForm, readAtOnce} from '../../storage/log/log.js'
import {getOrMake, unlessError} from '../../text/text.js'
import {readPart} from '../files/localFile.js'
import {mayRun, peerShape, thisProcess} from '../ledger/claims.js'

/** Bytes between two records: the most that a killed download receives again. */
export const recordBytes = 4 * 1024 * 1024

/** No record is further from the one before; more is damage. */
const mostBetween = 64 * 1024 * 1024

const originShape = z.object({
  name: z.string(),
  resource: z.string(),
  /** Their address without the query, whose signature changes each time. */
  place: z.string(),
})
export type PartOrigin = z.output<typeof originShape>

const recordShape = z.object({
  bytes: z.int().check(z.positive()),
  /** Of all bytes up to there. Hex. */
  sha256: z.string(),
  /** The strong entity tag of their answers, if any. */
  tag: z.optional(z.string()),
  total: z.optional(z.int()),
})

export type PartRecord = z.output<typeof recordShape>

const headShape = z.object({by: peerShape, ...originShape.shape})
const form = {shape: z.union([headShape, recordShape])}

/**
 * The log beside a part: its origin, its writer, and digests that prove after a kill or a power cut how much of it was received. It
 * begins with the first digest, so that a small file has none.
 */
export class PartProof {
  readonly #path: string
  #isBroken = false
  #bytes = 0

  constructor(
    part: string,
    private readonly origin: PartOrigin,
  ) {
    this.#path = proofOf(part)
  }

  get bytes(): number {
    return this.#bytes
  }

  /** If the log cannot be written, the download continues without it and starts over after a kill. */
  record(record: PartRecord): void {
    const head = this.#bytes === 0 ? [{by: thisProcess(), ...this.origin}] : []
    this.#isBroken ||= !isAppended(this.#path, form, [...head, record])
    this.#bytes = this.#isBroken ? 0 : record.bytes
  }

  restart(): void {
    this.remove()
    this.#isBroken = false
  }

  remove(): void {
    if (this.#bytes > 0 || this.#isBroken) rmSync(this.#path, {force: true})
    this.#bytes = 0
  }
}

function isAppended<T>(file: string, logForm: LogForm<T>, records: readonly T[]): boolean {
  return unlessError(() => {
    appendToLog(file, logForm, records)
    return true
  }, false)
}

const markForm = {shape: z.object({by: peerShape})}
const markName = /^\.roomctl-[0-9a-f]{8}\.run$/u

/** Removes the parts without a proof that killed runs left of small files. */
function sweepKilled(folder: string): void {
  const names = namesIn(folder)
  for (const mark of names.filter((name) => markName.test(name))) {
    const by = unlessError(() => readAtOnce(path.join(folder, mark), markForm).records[0]?.by, undefined)
    const isOfRun = (name: string) => name.endsWith('.part') && name.startsWith(mark.replace(/\.run$/u, ''))
    // Of a run that was killed before it wrote its mark there is no part.
    const parts = by ? names.filter((name) => isOfRun(name) && !names.includes(proofOf(name))) : []
    const own = [mark, ...parts].map((name) => path.join(folder, name))
    const touched = own.map((one) => statSync(one, {throwIfNoEntry: false})?.mtimeMs ?? 0)
    if (!by || !mayRun(by, Math.max(...touched))) for (const one of own) rmSync(one, {force: true})
  }
}

function proofOf(part: string): string {
  return part.replace(/\.part$/u, '.proof')
}

export type EarlierPart = NonNullable<ReturnType<PartFolders['find']>>

/**
 * The parts in the folders of a run: those that earlier runs left, and its own, beside which a mark shows the next run whose they are.
 * Each folder is read once: one that thousands of files come to is long.
 */
export class PartFolders {
  readonly #proofs = new Map<string, readonly Proof[]>()
  readonly #run = `.roomctl-${randomBytes(4).toString('hex')}`
  readonly #open = new Map<string, number>()

  /** The path of a new part in a folder that exists. */
  newPart(folder: string): string {
    const open = this.#open.get(folder) ?? 0
    // Without a mark, a part left by a kill is removed later, by its age.
    if (open === 0) isAppended(this.#markIn(folder), markForm, [{by: thisProcess()}])
    this.#open.set(folder, open + 1)
    return path.join(folder, `${this.#run}${randomBytes(4).toString('hex')}.part`)
  }

  /** A part was given its name, or removed. */
  closed(folder: string): void {
    const open = (this.#open.get(folder) ?? 1) - 1
    this.#open.set(folder, open)
    if (open === 0) rmSync(this.#markIn(folder), {force: true})
  }

  #markIn(folder: string): string {
    return path.join(folder, `${this.#run}.run`)
  }

  /** The longest part of the same resource. Without an entity tag of the same place it needs `hasDigest`, which shows a mixture. */
  find(folder: string, origin: PartOrigin, hasDigest: boolean) {
    const found = getOrMake(this.#proofs, folder, () => {
      sweepKilled(folder)
      return readProofs(folder)
    })
    const usable = found.flatMap((proof) => {
      const {head, records} = proof
      const last = records.at(-1)
      const isSamePlace = head.place === origin.place && last?.tag !== undefined
      return last && head.resource === origin.resource && (hasDigest || isSamePlace) ? [{...proof, last}] : []
    })
    const [best] = usable.sort((one, other) => other.last.bytes - one.last.bytes)
    if (best === undefined) return undefined
    const {tag, total} = best.last
    return {tag, total, read: () => readProven(best), remove: () => removePart(best)}
  }

  remove(folder: string, name: string): void {
    for (const proof of this.#proofs.get(folder) ?? []) if (proof.head.name === name) removePart(proof)
  }
}

type Proof = ReturnType<typeof readProof>[number]

function readProofs(folder: string): Proof[] {
  const names = namesIn(folder).filter((name) => /^\.roomctl-[0-9a-f]{16}\.proof$/u.test(name))
  return names.flatMap((name) => readProof(path.join(folder, name)))
}

/** None if it is damaged or another user's. */
function readProof(file: string) {
  try {
    const [head, ...lines] = readAtOnce(file, form).records
    const records = lines.filter((line) => 'bytes' in line)
    return head && 'by' in head ? [{file, part: file.replace(/\.proof$/u, '.part'), head, records}] : []
  } catch {
    return []
  }
}

/** Leaves the part of a process that may be alive. */
function removePart({file, part, head}: Proof): void {
  const written = statSync(part, {throwIfNoEntry: false})?.mtimeMs ?? 0
  if (!mayRun(head.by, written)) for (const own of [part, file]) rmSync(own, {force: true})
}

/** The bytes of a part up to the last record that they agree with, one piece for each. */
async function* readProven({part, records}: Proof): AsyncGenerator<Uint8Array> {
  const file = await open(part).catch(() => undefined)
  if (file === undefined) return
  const hash = createHash('sha256')
  try {
    let at = 0
    for (const {bytes, sha256} of records) {
      const length = bytes - at
      if (!(length > 0 && length <= mostBetween)) return
      const piece = await readPart(file, Buffer.allocUnsafe(length), at).catch(() => Buffer.alloc(0))
      if (piece.length < length || hash.update(piece).copy().digest('hex') !== sha256) return
      yield piece
      at = bytes
    }
  } finally {
    await file.close()
  }
}
