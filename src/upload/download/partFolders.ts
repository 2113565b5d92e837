import {randomBytes} from 'node:crypto'
import {rmSync, statSync} from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import {namesIn} from '../../storage/disk/replaceFile.js'
import {appendToLog, readAtOnce} from '../../storage/log/log.js'
import {unlessError} from '../../text/text.js'
import {mayRun, peerShape, thisProcess} from '../ledger/claims.js'

const markForm = {shape: z.object({by: peerShape})}
const markName = /^\.roomctl-[0-9a-f]{8}\.run$/u

/** Removes the parts that killed runs left, and those that 0.3.0 kept beside a proof. */
function sweepKilled(folder: string): void {
  const names = namesIn(folder)
  for (const mark of names.filter((name) => markName.test(name))) {
    const by = unlessError(() => readAtOnce(path.join(folder, mark), markForm).records[0]?.by, undefined)
    const run = mark.replace(/\.run$/u, '')
    // Of a run that was killed before it wrote its mark there is no part.
    const parts = by ? names.filter((name) => name.startsWith(run) && /\.(?:part|proof)$/u.test(name)) : []
    const own = [mark, ...parts].map((name) => path.join(folder, name))
    const touched = own.map((file) => statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? 0)
    if (!by || !mayRun(by, Math.max(...touched))) for (const file of own) rmSync(file, {force: true})
  }
}

/** The parts of a run in its folders. A mark in each folder names the process, so that the next run can remove what a kill left. */
export class PartFolders {
  readonly #run = `.roomctl-${randomBytes(4).toString('hex')}`
  readonly #open = new Map<string, number>()

  /** The path of a new part in a folder that exists. */
  newPart(folder: string): string {
    const open = this.#open.get(folder)
    // Once for each folder: one with thousands of files is long.
    if (open === undefined) sweepKilled(folder)
    // Without a mark, a part left by a kill is removed later, by its age.
    if (!open) unlessError(() => appendToLog(this.#markIn(folder), markForm, [{by: thisProcess()}]), undefined)
    this.#open.set(folder, (open ?? 0) + 1)
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
}
