import {createHash} from 'node:crypto'
import {closeSync, rmSync} from 'node:fs'
import {open} from 'node:fs/promises'
import path from 'node:path'
import {appendLines, createPrivateFile, currentUser, readPrivateFile} from '../../storage/disk/privateFile.js'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {isRunning, peerIn, thisProcess} from '../ledger/claims.js'

/** How many bytes come between two records: what a killed download receives again at most. */
export const recordBytes = 4 * 1024 * 1024

/** No record is further from the one before; more is damage. */
const mostBetween = 64 * 1024 * 1024

const mostProof = 64 * 1024 * 1024

/** Which resource the bytes of a part are, and where they come from, without its query: a signature is another one each time. */
export interface PartOrigin {
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
  #isBroken = false

  constructor(part: string, origin: PartOrigin) {
    this.#path = proofOf(part)
    this.#origin = origin
  }

  /** How many bytes of the part are proven. */
  get bytes(): number {
    return this.#bytes
  }

  /** Adds a record. Where it cannot be written the download goes on, and begins again after a kill. */
  record({bytes, sha256, tag, total}: PartRecord): void {
    if (this.#isBroken) return
    try {
      if (this.#descriptor === undefined) {
        this.#descriptor = createPrivateFile(this.#path)
        appendLines(this.#descriptor, `${JSON.stringify({...thisProcess(), ...this.#origin, tag, total})}\n`)
      }
      appendLines(this.#descriptor, `${JSON.stringify({bytes, sha256})}\n`)
      this.#bytes = bytes
    } catch {
      this.#isBroken = true
      this.#bytes = 0
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }

  /** Forgets what was recorded. */
  remove(): void {
    this.close()
    this.#bytes = 0
    rmSync(this.#path, {force: true})
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
    const usable = found.filter(({head}) => {
      return head.resource === origin.resource && (hasDigest || (head.tag !== undefined && head.place === origin.place))
    })
    return furthest(usable)
  }
}

function readProofs(folder: string): Proof[] {
  const names = namesIn(folder).filter((name) => /^\.roomctl-[0-9a-f]{16}\.proof$/u.test(name))
  return names.flatMap((name) => readProof(path.join(folder, name)) ?? [])
}

function furthest(usable: readonly Proof[]): EarlierPart | undefined {
  const [best] = [...usable].sort((one, other) => (other.records.at(-1)?.bytes ?? 0) - (one.records.at(-1)?.bytes ?? 0))
  if (best === undefined) return undefined
  const part = best.path.replace(/\.proof$/u, '.part')
  return {
    tag: best.head.tag,
    total: best.head.total,
    read: () => readProven(part, best.records),
    remove: () => {
      if (mayRun(best.head.line)) return
      for (const file of [part, best.path]) rmSync(file, {force: true})
    },
  }
}

function mayRun(line: string): boolean {
  const peer = peerIn(line)
  return peer === undefined || peer.machine !== thisProcess().machine || isRunning(peer) !== false
}

type Mark = Pick<PartRecord, 'bytes' | 'sha256'>

interface Proof {
  readonly path: string
  readonly head: {readonly line: string; readonly resource: unknown; readonly place: unknown} & Pick<
    PartRecord,
    'tag' | 'total'
  >
  readonly records: readonly Mark[]
}

/** A proof of this user; undefined for any other file. A last line that a kill cut off is left out. */
function readProof(file: string): Proof | undefined {
  try {
    const rules = {maxBytes: mostProof, owner: currentUser(), looseMode: 'refuse'} as const
    const [line = '', ...lines] = (readPrivateFile(file, rules)?.toString() ?? '').split('\n').slice(0, -1)
    const {resource, place, tag, total} = JSON.parse(line)
    const head = {line, resource, place, tag, total}
    return {path: file, head, records: lines.map((one) => JSON.parse(one))}
  } catch {
    return undefined
  }
}

/** The bytes of a part up to the last record that they agree with, one piece for each. */
async function* readProven(part: string, records: readonly Mark[]): AsyncGenerator<Uint8Array> {
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
