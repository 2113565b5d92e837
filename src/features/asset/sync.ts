import type {Listing} from '../../api/contract/assetShapes.js'
import {Failure, withFacts} from '../../api/contract/failure.js'
import {type ConfirmFlags, requireText} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {syncPlanRows} from '../../upload/sync/plan.js'
import {createMissing, missingContainers} from './containers.js'
import {parseContainer} from './paths.js'
import {listToCompare, planUploads, type SyncRun} from './planUploads.js'
import {uploadFiles} from './runUploads.js'
import {type SendOptions, withLedger} from './uploadFlags.js'

interface SyncArgs {
  readonly container?: string | undefined
  readonly from?: string | undefined
}

const usage = 'roomctl asset sync CONTAINER DIR, or roomctl asset sync --init DIR'

/** A sync, which with `create` makes the container where it is missing. */
type CreatingRun = SyncRun & {readonly create: boolean}

/** The plan of a sync as rows, for `--dry-run`; sends nothing. Raises a Failure (missing, file, interrupted). */
export async function previewSync(session: Session, options: SendOptions, run: CreatingRun) {
  if (run.files.length === 0) return []
  const noteMissing = async () => {
    const paths = await missingContainers(session, run.container)
    for (const path of paths) session.warn(`would create container ${safeText(path)}`)
    return {}
  }
  const whenMissing = run.create ? noteMissing : undefined
  return withLedger(session, options.stateDir, async (ledger) =>
    syncPlanRows(await planUploads(session, options, ledger, {...run, whenMissing})),
  )
}

/** Syncs files, as `uploadFiles`; each outcome tells the role of its file. */
export async function syncFiles(
  session: Session,
  options: SendOptions & {readonly answers: ConfirmFlags},
  run: CreatingRun,
) {
  const {files, base, container, create} = run
  const make = async (): Promise<Listing> => {
    const isByAnother = await createMissing(session, container, base)
    return isByAnother ? listToCompare(session, options.settings, container) : {}
  }
  const roles = new Map(files.map(({key, role}) => [key, role]))
  const uploaded = await uploadFiles(session, options, {...run, whenMissing: create ? make : undefined})
  return uploaded.map((one) => ({...one, role: roles.get(one.job.key)}))
}

/** Both arguments of a sync, asked for on a terminal. Raises a Failure (usage). */
export async function readSyncArgs(session: Session, {container, from}: SyncArgs) {
  const both = container === undefined ? 'CONTAINER and DIR|MANIFEST are' : 'DIR|MANIFEST is'
  const missing = () => missingArgs(both)
  return {
    container: await requireText(session, 'asset', {given: container, label: 'Container (path)', missing}),
    from: await requireText(session, 'asset', {
      given: from,
      label: 'Folder or manifest to sync',
      isPath: true,
      missing,
    }),
  }
}

/**
 * The arguments of `--init`: the folder comes last, and alone where the container is left out; asked for on a terminal. Raises a
 * Failure (usage).
 */
export async function readInitArgs(session: Session, {container, from}: SyncArgs) {
  if (from !== undefined) return {container, folder: from}
  const needed = {given: container, label: 'Folder', isPath: true, missing: () => missingArgs('DIR is')}
  return {container: undefined, folder: await requireText(session, 'asset', needed)}
}

function missingArgs(which: string): Failure {
  return new Failure({exit: 'usage', message: `${which} missing`, try: usage})
}

/** Holds the container that a manifest is meant for to the one that was typed. Raises a Failure (file). */
export function assertManifestContainer(
  container: string,
  {source, container: meant}: {readonly source: string; readonly container?: string},
  base: URL,
): void {
  if (meant === undefined || readManifestContainer(meant, source, base) === container) return
  throw new Failure({
    exit: 'file',
    code: 'manifest',
    message: `the manifest ${source} is for ${meant}, not ${container}; nothing was sent`,
    try: `sync to ${meant}, or remove container from the manifest`,
  })
}

function readManifestContainer(text: string, source: string, base: URL): string {
  try {
    return parseContainer(text, base)
  } catch (error) {
    throw withFacts(error, ({message}) => ({
      exit: 'file',
      code: 'manifest',
      message: `cannot use the manifest ${source}: container: ${message}`,
    }))
  }
}
