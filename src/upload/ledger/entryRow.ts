import type {LedgerEntry} from './entry.js'

/** An entry of the ledger as it is shown: without its digests and without the upload's address. */
export function entryRow(entry: LedgerEntry) {
  const {id, name, container, platform, description, link, size, begunAt, updatedAt, path, base, done} = entry
  const acked = done ? size : (entry.acked.at(-1)?.to ?? 0)
  return {
    id,
    file: name,
    container,
    platform,
    description,
    link: link ?? null,
    acked,
    bytes: size,
    percent: percentOf(acked, size, done !== undefined),
    begun_at: begunAt,
    updated_at: updatedAt,
    path,
    service: base,
    state: done ? ('done' as const) : ('unfinished' as const),
    uuid: done?.uuid ?? null,
    sha256: done?.sha256 ?? null,
  }
}

/** Rounded down: 100 is all of it. */
function percentOf(acked: number, size: number, isDone: boolean): number {
  if (size === 0) return isDone ? 100 : 0
  return Math.floor((acked / size) * 100)
}
