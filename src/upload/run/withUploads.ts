import type {UploadContext, Uploader} from '../engine/context.js'
import {openUploader} from '../engine/uploader.js'
import {type Ledger, openLedger} from '../ledger/ledger.js'

/** What a run of uploads works with; the ledger is opened for it in `stateDir`, where it is not open yet. */
export interface UploadWorld extends Omit<UploadContext, 'ledger'> {
  readonly stateDir: string
  readonly ledger?: Ledger
}

/**
 * Opens the ledger and an uploader for one run and closes both, however it ends: what the ledger was told is then on the disk.
 * Raises what the work raises, and a Failure (file) of the ledger.
 */
export async function withUploads<T>(
  world: UploadWorld,
  work: (tools: {readonly ledger: Ledger; readonly uploader: Uploader}) => Promise<T>,
): Promise<T> {
  const {stateDir, now, emit} = world
  const ledger = world.ledger ?? (await openLedger(stateDir, {now, warn: (text) => emit({kind: 'warned', text})}))
  try {
    const uploader = openUploader({...world, ledger})
    try {
      return await work({ledger, uploader})
    } finally {
      await uploader.close()
    }
  } finally {
    await ledger.close()
  }
}
