import {createHash} from 'node:crypto'
import {closeSync, rmSync, statSync} from 'node:fs'
import {open} from 'node:fs/promises'
import path from 'node:path'
import {appendLines, createPrivateFile, currentUser, readPrivateFile} from '../../storage/disk/privateFile.js'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {mayRun, peerIn, thisProcess} from '../ledger/peer.js'

/** How many bytes come between two records: what a killed download receives again at most. */
export const recordBytes = 4 * 1024 * 1024

/** No record is further from the one before; more is damage. */
const mostBetween = 64 * 1024 * 1024

const mostProof = 64 * 1024 * 1024

/**
 * The name that a part is to get, which resource its bytes are, and where they come from, without its query: a signature is another
 * one each time.
 */
export interface PartOrigin {
  readonly name: string
  readonly resource: string
  readonly place: string
}

/** How far a part has come. */
export interface PartRecord {
  readonly bytes: number
  /** Of all bytes up to there. Hex. */
  readonly sha256: string
  /** The strong entity tag of the answers that they came from, where they had one. */
  readonly tag: string | undefined
  /** How many bytes the whole has, where the answers said so. */
  readonly total: number | undefined
}

/** The name of the proof of a part. */
function proofOf(part: string): string {
  return part.replace(/\.part$/u, '.proof')
}

/**
 * A log beside a part: what it is a part of, who writes it, and the digest of its bytes at every few of them. After a kill, or a
 * loss of power that left holes in it, it tells how much of the part is what was received. Private, so that it can be believed.
 */
export class PartProof {
  readonly #path: string
  readonly #origin: PartOrigin
  #descriptor: number | undefined
  #bytes = 0

  constructor(part: string, origin: PartOrigin) {
    this.#path = proofOf(part)
    this.#origin = origin
    this.#begin()
  }

  /** How many bytes of the part are proven. */
  get bytes(): number {
    return this.#bytes
  }

  record(record: PartRecord): void {
    if (this.#descriptor === undefined) return
    this.#append(record)
    this.#bytes = this.#descriptor === undefined ? 0 : record.bytes
  }

  /** Forgets what was recorded. */
  restart(): void {
    this.remove()
    this.#begin()
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  remove(): void {
    this.close()
    this.#bytes = 0
    rmSync(this.#path, {force: true})
  }

  #begin(): void {
    this.#unlessBroken(() => {
      this.#descriptor = createPrivateFile(this.#path)
    })
    this.#append({...thisProcess(), ...this.#origin})
  }

  #append(line: object): void {
    this.#unlessBroken(() => {
      if (this.#descriptor !== undefined) appendLines(this.#descriptor, `${JSON.stringify(line)}\n`)
    })
  }

  /** Where the log cannot be written the download continues without it, and starts over after a kill. */
  #unlessBroken(work: () => void): void {
    try {
      work()
    } catch {
      this.close()
    }
  }
}

/** A part that a download which has ended left, of the same resource. */
export interface EarlierPart {
  readonly tag: string | undefined
  readonly total: number | undefined
  /** Its bytes, as far as they are proven to be those that were received. */
  readonly read: () => AsyncGenerator<Uint8Array>
  /** Takes it away, unless the process that made it may be alive. */
  readonly remove: () => void
}

/** The parts that earlier runs left. Each folder is read once: one that thousands of files come to is long. */
export class EarlierParts {
  readonly #proofs = new Map<string, readonly Proof[]>()

  /**
   * The part in a folder that has come furthest, of those of the same resource; undefined where there is none. Without an entity
   * tag of the same place it is of use only where `hasDigest`: the digest of the whole is known, and tells a mixture.
   */
  find(folder: string, origin: PartOrigin, hasDigest: boolean): EarlierPart | undefined {
    const found = this.#proofs.get(folder) ?? readProofs(folder)
    this.#proofs.set(folder, found)
    const usable = found.filter(({head, records}) => {
      const isSamePlace = head.place === origin.place && records.at(-1)?.tag !== undefined
      return head.resource === origin.resource && records.length > 0 && (hasDigest || isSamePlace)
    })
    return furthest(usable)
  }

  /** Takes away what ended downloads left of a file that is whole by now. */
  remove(folder: string, name: string): void {
    for (const proof of this.#proofs.get(folder) ?? []) if (proof.head.name === name) removePart(proof)
  }
}

function readProofs(folder: string): Proof[] {
  const names = namesIn(folder).filter((name) => /^\.roomctl-[0-9a-f]{16}\.proof$/u.test(name))
  return names.flatMap((name) => readProof(path.join(folder, name)) ?? [])
}

function furthest(usable: readonly Proof[]): EarlierPart | undefined {
  const [best] = [...usable].sort((one, other) => (other.records.at(-1)?.bytes ?? 0) - (one.records.at(-1)?.bytes ?? 0))
  const record = best?.records.at(-1)
  if (best === undefined || record === undefined) return undefined
  return {
    tag: record.tag,
    total: record.total,
    read: () => readProven(partOf(best), best.records),
    remove: () => removePart(best),
  }
}

function partOf({path: proof}: Proof): string {
  return proof.replace(/\.proof$/u, '.part')
}

/** Leaves the part of a process that may be alive. */
function removePart(proof: Proof): void {
  const part = partOf(proof)
  const written = statSync(part, {throwIfNoEntry: false})?.mtimeMs ?? 0
  if (!mayRun(peerIn(proof.head.line), written)) for (const file of [part, proof.path]) rmSync(file, {force: true})
}

interface Proof {
  readonly path: string
  readonly head: {readonly line: string; readonly name: unknown; readonly resource: unknown; readonly place: unknown}
  readonly records: readonly PartRecord[]
}

/** A proof of this user; undefined for any other file. A last line that a kill cut off is left out. */
function readProof(file: string): Proof | undefined {
  try {
    const rules = {maxBytes: mostProof, owner: currentUser(), looseMode: 'refuse'} as const
    const [line = '', ...lines] = (readPrivateFile(file, rules)?.toString() ?? '').split('\n').slice(0, -1)
    const {name, resource, place} = JSON.parse(line)
    return {path: file, head: {line, name, resource, place}, records: lines.map((one) => JSON.parse(one))}
  } catch {
    return undefined
  }
}

/** The bytes of a part up to the last record that they agree with, one piece for each. */
async function* readProven(part: string, records: readonly PartRecord[]): AsyncGenerator<Uint8Array> {
  const file = await open(part).catch(() => undefined)
  if (file === undefined) return
  const hash = createHash('sha256')
  try {
    let at = 0
    for (const {bytes, sha256} of records) {
      const length = bytes - at
      if (!(length > 0 && length <= mostBetween)) return
      const piece = Buffer.allocUnsafe(length)
      if (!(await readWhole(file, piece, at))) return
      if (hash.update(piece).copy().digest('hex') !== sha256) return
      yield piece
      at = bytes
    }
  } finally {
    await file.close()
  }
}

async function readWhole(file: Awaited<ReturnType<typeof open>>, piece: Buffer, from: number): Promise<boolean> {
  for (let done = 0; done < piece.length; ) {
    const {bytesRead} = await file.read(piece, done, piece.length - done, from + done).catch(() => ({bytesRead: 0}))
    if (bytesRead === 0) return false
    done += bytesRead
  }
  return true
}
