import {setTimeout as pause} from 'node:timers/promises'
import {Failure} from '../../api/contract/failure.js'
import {systemCode} from '../../storage/disk/reason.js'
import {compact, isUntidy} from './compact.js'
import type {LedgerFile} from './ledgerFile.js'
import type {Presence} from './presence.js'

/** What a process holds while it writes the ledger anew; no upload has such an id. */
const tidying = '*'
const tidyingMs = 10_000

/** Waits until nobody writes the ledger anew. Raises a Failure (state) that says who does, when that takes too long. */
export async function untilTidied(presence: Presence): Promise<void> {
  const giveUpAt = performance.now() + tidyingMs
  for (;;) {
    const tidier = presence.others().find(({holds}) => holds.has(tidying))
    if (!tidier) return
    if (performance.now() > giveUpAt) {
      throw new Failure({
        exit: 'state',
        message: 'another roomctl has been tidying up the ledger of uploads for too long',
        why: `process ${tidier.pid} on ${tidier.host} holds it`,
        try: 'end that process, then run the command again',
        retryable: true,
      })
    }
    await pause(10)
  }
}

/** Writes the ledger anew where that is worth it and nobody else works with it. Where it fails, it is as it was. */
export function tidy(presence: Presence, file: LedgerFile): void {
  try {
    const {size} = file.read()
    if (!isUntidy(file.counts, size)) return
    presence.hold(tidying)
    if (presence.others().length === 0) compact(file.path)
  } catch (error) {
    if (!(error instanceof Failure) && systemCode(error) === undefined) throw error
  }
}
