import {createHash} from 'node:crypto'
import {rmSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import path from 'node:path'
import * as z from 'zod/mini'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {appendToLog, readAtOnce} from '../../storage/log/log.js'
import {getOrMake} from '../../text/text.js'
import {mayRun, peerShape, thisProcess} from '../ledger/claims.js'
import {readPart} from '../source/localFile.js'

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

/** The log beside a part: its origin, its writer, and digests that prove after a kill or a power cut how much of it was received. */
export class PartProof {
  readonly #path: string
  readonly #origin: PartOrigin
  #isBroken = false
  #bytes = 0

  constructor(part: string, origin: PartOrigin) {
    this.#path = part.replace(/\.part$/u, '.proof')
    this.#origin = origin
    this.restart()
  }

  get bytes(): number {
    return this.#bytes
  }

  record(record: PartRecord): void {
    if (!this.#isBroken) this.#append(record)
    this.#bytes = this.#isBroken ? 0 : record.bytes
  }

  restart(): void {
    this.remove()
    this.#isBroken = false
    this.#append({by: thisProcess(), ...this.#origin})
  }

  remove(): void {
    this.#bytes = 0
    rmSync(this.#path, {force: true})
  }

  /** If the log cannot be written, the download continues without it and starts over after a kill. */
  #append(line: z.output<typeof form.shape>): void {
    try {
      appendToLog(this.#path, form, [line])
    } catch {
      this.#isBroken = true
    }
  }
}

export type EarlierPart = NonNullable<ReturnType<EarlierParts['find']>>

/** The parts that earlier runs left. Each folder is read once: one that thousands of files come to is long. */
export class EarlierParts {
  readonly #proofs = new Map<string, readonly Proof[]>()

  /** The longest part of the same resource. Without an entity tag of the same place it needs `hasDigest`, which shows a mixture. */
  find(folder: string, origin: PartOrigin, hasDigest: boolean) {
    const found = getOrMake(this.#proofs, folder, () => readProofs(folder))
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
