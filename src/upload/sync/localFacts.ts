import {stat} from 'node:fs/promises'
import {Failure} from '../../api/contract/failure.js'
import {mapConcurrently} from '../../selection/pool.js'
import {systemReason} from '../../storage/disk/reason.js'
import type {LedgerEntry} from '../ledger/entry.js'
import {sampleOf} from '../source/fileProof.js'
import {digestOf} from '../source/localFile.js'
import type {LocalFacts} from './plan.js'
import {mustCompare, placeOf, type Remembered} from './present.js'
import type {SyncFile} from './syncFile.js'

/** Files that are read at once. */
const atOnce = 4

interface Memory {
  readonly remembered: Remembered
  /** Uploads that may be taken up. */
  readonly unfinished: Iterable<LedgerEntry>
  readonly signal: AbortSignal
}

/** A file that is to be compared. */
type Compared = Pick<SyncFile, 'key' | 'path' | 'name' | 'platform' | 'description' | 'sha256'>

/**
 * What the plan has to know of each file, by its key: the size, and what there is something to be compared with. Raises a
 * Failure: `file` for one that cannot be read or is not what the manifest says it must be, `interrupted`.
 */
export async function localFacts(
  files: readonly Compared[],
  {remembered, unfinished, signal}: Memory,
): Promise<ReadonlyMap<string, LocalFacts>> {
  const begun = new Set([...unfinished].map((entry) => `${placeOf(entry)} ${entry.size}`))
  const factsOf = async (file: Compared): Promise<[string, LocalFacts]> => {
    if (signal.aborted) throw interrupted()
    const size = await sizeOf(file)
    const mustHash = file.sha256 !== undefined || mustCompare(remembered, file, size)
    return [
      file.key,
      {
        size,
        ...(begun.has(`${placeOf(file)} ${size}`) ? {sample: await sampleOf(file.path, size)} : {}),
        ...(mustHash ? {sha256: await hashOf(file, signal)} : {}),
      },
    ]
  }
  const facts = new Map(await mapConcurrently(files, atOnce, factsOf))
  assertAsDemanded(files, facts)
  return facts
}

async function sizeOf({key, path}: Compared): Promise<number> {
  const cannot = (why: string) => new Failure({exit: 'file', message: `cannot read ${key}`, why})
  const stats = await stat(path).catch((error: unknown) => {
    throw cannot(systemReason(error))
  })
  if (!stats.isFile()) throw cannot('it is no file')
  return stats.size
}

async function hashOf({path}: Compared, signal: AbortSignal): Promise<string> {
  try {
    return await digestOf(path, signal)
  } catch (error) {
    throw signal.aborted ? interrupted() : error
  }
}

function interrupted(): Failure {
  return new Failure({exit: 'interrupted', message: 'interrupted, nothing was sent'})
}

/** A manifest can say what a file must be: a wrong one is not to reach the service. */
function assertAsDemanded(files: readonly Compared[], facts: ReadonlyMap<string, LocalFacts>): void {
  const wrong = files.filter(({key, sha256}) => sha256 !== undefined && facts.get(key)?.sha256 !== sha256)
  const [first] = wrong
  if (first === undefined) return
  const others = wrong.length === 1 ? '' : ` and ${wrong.length - 1} more`
  throw new Failure({
    exit: 'file',
    code: 'bytes-differ',
    message: `${first.key}${others} is not the file that the manifest names, nothing was sent`,
    why: `its sha256 is ${facts.get(first.key)?.sha256}, not ${first.sha256}`,
    try: 'build the file anew, or correct its sha256 in the manifest',
  })
}
