import {createHash, randomBytes} from 'node:crypto'
import {type FileHandle, open, rm, unlink} from 'node:fs/promises'
import path from 'node:path'
import {type Failure, fileFailure} from '../../failure.js'
import {makeFolders, systemCode, systemReason} from '../../storage/disk/privateFile.js'
import {mayLive, renameFile, sweepLeft} from '../../storage/disk/replaceFile.js'
import {thisProcess} from '../ledger/claims.js'
import type {ByteSink} from './fetchBytes.js'

const {pid, host, namespace} = thisProcess()

/** Prefix of the part files of this machine or container: process ids are unique only within it. */
const partsHere = `.roomctl-${createHash('sha256').update(`${host} ${namespace}`).digest('hex').slice(0, 8)}`
const pidDigits = 8

/** Part files of this version (machine, then process id), and of 0.3.0. */
const partName = /^\.roomctl-(?:[0-9a-f]{24}\.part|[0-9a-f]{16}\.(?:part|proof)|[0-9a-f]{8}\.run)$/

/** A part without a write for this time is from a killed run: no download is silent for so long. */
const leftAfterMs = 24 * 60 * 60 * 1000

/** The path of a new part. */
export function newPart(folder: string): string {
  const process = pid.toString(16).padStart(pidDigits, '0')
  return path.join(folder, `${partsHere}${process}${randomBytes(4).toString('hex')}.part`)
}

/** Removes abandoned parts of killed runs from a folder. */
export function sweepParts(folder: string): void {
  sweepLeft(folder, leftAfterMs, (name) => partName.test(name))
  sweepLeft(folder, -1, (name) => {
    const process = name.slice(partsHere.length, partsHere.length + pidDigits)
    return partName.test(name) && name.startsWith(partsHere) && !mayLive(Number.parseInt(process, 16))
  })
}

interface PartOptions {
  readonly makeFolder: boolean
  readonly moved?: ((bytes: number) => void) | undefined
}

/** A file that gets its name once it is whole; the umask sets its mode. Throws Failure (file) naming the target. */
export class PartFile implements ByteSink {
  private constructor(
    private readonly target: string,
    private readonly part: string,
    private readonly handle: FileHandle,
    private readonly options: PartOptions,
  ) {}

  static async create(target: string, options: PartOptions): Promise<PartFile> {
    const folder = path.dirname(target)
    return reportWriteFailure(target, async () => {
      if (options.makeFolder) makeFolders(folder)
      const part = newPart(folder)
      return new PartFile(target, part, await open(part, 'ax'), options)
    })
  }

  async write(chunk: Uint8Array): Promise<boolean> {
    await reportWriteFailure(this.target, () => this.handle.appendFile(chunk))
    this.options.moved?.(chunk.length)
    return true
  }

  async restart(): Promise<void> {
    await reportWriteFailure(this.target, () => this.handle.truncate(0))
  }

  /** Puts the whole file on the disk and gives it its name; over another file only with `overwrite`. */
  async place({overwrite}: {readonly overwrite: boolean}): Promise<void> {
    await reportWriteFailure(this.target, async () => {
      await this.handle.sync()
      await this.handle.close()
      if (overwrite) renameFile(this.part, this.target)
      else await this.#placeBeside()
    })
  }

  /** Takes the name only if it is free, by an empty file (O_EXCL), which a download after a kill replaces. */
  async #placeBeside(): Promise<void> {
    const holder = await open(this.target, 'wx')
    await holder.close()
    try {
      renameFile(this.part, this.target)
    } catch (error) {
      await unlink(this.target)
      throw error
    }
  }

  /** Ends the work on it; removes it, unless it is placed. */
  async end(): Promise<void> {
    await this.handle.close().catch(() => undefined)
    await rm(this.part, {force: true}).catch(() => undefined)
  }
}

export function fileExists(target: string): Failure {
  return fileFailure(`${target} already exists`, {
    code: 'file-exists',
    try: 'add --overwrite to replace it, or choose another place with --dir or --to',
  })
}

async function reportWriteFailure<T>(target: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST') throw fileExists(target)
    const missing = code === 'ENOENT' ? `no such folder: ${path.dirname(target)}` : undefined
    const why = missing ?? systemReason(error)
    const advice = 'fix that, or choose another place with --dir or --to'
    throw fileFailure(`${target} cannot be written`, {why, try: advice}, {cause: error})
  }
}
