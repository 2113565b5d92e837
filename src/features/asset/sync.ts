import {statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import {presentList} from '../../cli/output/present.js'
import {confirmChange, questionOn, requireText} from '../../cli/prompts/confirm.js'
import type {Session} from '../../cli/session/session.js'
import {fileFailure, wrongUsage} from '../../failure.js'
import {Interrupted} from '../../terminal/questions.js'
import {counted, fileSize, grouped, safeText, tally} from '../../text/text.js'
import {isListedAs, type ListedResources, spellingsOf} from '../../upload/download/presence.js'
import type {Ledger} from '../../upload/ledger/ledger.js'
import type {FileList} from '../../upload/model/job.js'
import {completeFiles, type FlagValues, readFileList} from '../../upload/sync/fileList.js'
import {ignoreRules, patternsOf, unmatchedNote} from '../../upload/sync/ignoreRules.js'
import {syncDifferenceRows, syncPlanRows} from '../../upload/sync/plan.js'
import {ignoreFile} from '../../upload/sync/scan.js'
import type {shardFilter} from '../../upload/sync/shard.js'
import {actionWords, syncDifferences, syncPlan, syncResults} from '../../view/asset/transfers.js'
import {containersToCreate, createMissing, isTop} from './containers.js'
import {containerOf, parseContainer} from './paths.js'
import {listExisting, listToCompare, planUploads, sendFiles} from './runUploads.js'
import {type SendOptions, withLedger} from './uploadFlags.js'

export interface SyncRequest {
  readonly typed: {readonly container?: string | undefined; readonly from?: string | undefined}
  readonly filling: FlagValues
  readonly except: readonly string[]
  readonly exclude?: readonly string[] | undefined
  readonly inShard: ReturnType<typeof shardFilter>
  /** Creates a missing container. */
  readonly create: boolean
}

type SyncPlace = Awaited<ReturnType<typeof readSyncPlace>>

/** Shows the plan of a sync, for `--dry-run`; sends nothing. Throws Failure (missing, file, interrupted). */
export async function presentSyncPlan(session: Session, options: SendOptions, request: SyncRequest): Promise<void> {
  const place = await readOwnFiles(session, options, request)
  const {container, files} = place
  const plan = async (ledger: Ledger) => {
    const listed = await listForSync(session, options, request, container)
    if (!listed) {
      for (const path of await containersToCreate(session, container)) {
        const condition = isTop(path) ? ', if the service creates containers at the top' : ''
        session.warn(`would create container ${safeText(path)}${condition}`)
      }
    }
    return planUploads(session, options, ledger, {...place, listed: listed ?? new Map()})
  }
  const rows = files.length === 0 ? [] : syncPlanRows(await withLedger(session, options.stateDir, plan))
  const sent = rows.filter(({action}) => action !== 'skip')
  const isTable = session.output.format === 'table'
  // As in the results of a run, unchanged files are no rows.
  const shown = isTable && rows.length - sent.length > 1 ? sent : rows
  if (shown.length > 0 || rows.length === 0) await presentList(session, shown, syncPlan)
  if (!isTable || rows.length === 0) return
  const left = sent.reduce((sum, {bytes, from}) => sum + bytes - from, 0)
  const actions = tally(rows.map(actionWords)).join(', ')
  session.warn(`${questionOn(session, 'asset', counted(rows.length, 'file'))}: ${actions}, ${fileSize(left)} to send`)
}

/** Compares a sync with the container by its plan, for `--check`; sends nothing. Ends with `found` if they differ. Throws Failure. */
export async function presentSyncCheck(session: Session, options: SendOptions, request: SyncRequest): Promise<void> {
  const place = await readOwnFiles(session, options, request)
  const {container, files, all} = place
  const listed = await listToCompare(session, options.settings, container)
  const plan = await withLedger(session, options.stateDir, (ledger) =>
    planUploads(session, options, ledger, {...place, listed}),
  )
  const rows = syncDifferenceRows(plan)
  const wanted = grouped(all, ({name}) => name)
  const others = [...listed.values()].filter((resource) => {
    const alike = spellingsOf(resource.name).flatMap((name) => wanted.get(name) ?? [])
    return !alike.some((file) => isListedAs(resource, file))
  })
  const isTable = session.output.format === 'table'
  if (rows.length > 0 || !isTable) await presentList(session, rows, syncDifferences)
  if (others.length > 0) {
    session.warn(`note: ${safeText(container)} has ${counted(others.length, 'file')} that the folder does not have`)
  }
  const counts = tally(rows.map(({difference}) => difference))
  const sum = counts.length === 0 ? 'no differences' : counts.join(', ')
  if (isTable) session.warn(`checked ${counted(files.length, 'file')}: ${sum}`)
  if (rows.length > 0) session.endWith('found')
}

/** Syncs files, those that others link to first, and shows the outcome of each. Throws Failure before anything is sent. */
export async function syncFiles(session: Session, options: SendOptions, request: SyncRequest): Promise<void> {
  const place = await readOwnFiles(session, options, request)
  const {container, files} = place
  options.report.expect(files)
  const what = `sync ${counted(files.length, 'file')} to ${safeText(container)}`
  await confirmChange(session, options.answers, 'asset', what)
  const list = async () =>
    (await listForSync(session, options, request, container)) ?? createForSync(session, options, place)
  // A shard without files has nothing to ask for.
  const uploaded = files.length === 0 ? [] : await sendFiles(session, options, {...place, list})
  await options.report.present(uploaded, syncResults)
}

/** The contents of the container; undefined if it is missing and may be created. Throws the Failure of a missing one. */
async function listForSync(
  session: Session,
  {settings}: SendOptions,
  {create}: SyncRequest,
  container: string,
): Promise<ListedResources | undefined> {
  if (!create) return listToCompare(session, settings, container, 'add --create, which creates it')
  const listed = await listExisting(session, container)
  return listed && settings.fresh ? new Map() : listed
}

/** Creates the container. Throws Failure. */
async function createForSync(
  session: Session,
  {settings}: SendOptions,
  {container}: SyncPlace,
): Promise<ListedResources> {
  const createdByOther = await createMissing(session, container)
  return createdByOther ? listToCompare(session, settings, container) : new Map()
}

/** Container and source of a sync, asked for on a terminal. Throws Failure (usage, configuration). */
async function readSyncPlace(session: Session, {typed}: SyncRequest) {
  const which = typed.container === undefined ? 'CONTAINER and DIR|MANIFEST are' : 'DIR|MANIFEST is'
  const missing = () => wrongUsage(`${which} missing`, {try: {command: ['asset sync', '--help']}})
  const to = {given: typed.container, label: 'Container (path)', missing}
  const container = await requireText(session, 'asset', to)
  const source = {given: typed.from, label: 'Folder or manifest to sync', isPath: true, missing}
  const from = await requireText(session, 'asset', source)
  const {base} = await session.api.access('asset')
  return {container: parseContainer(container, base), from, base}
}

/** The files of a sync, of all shards, with warnings. Throws Failure (file). */
async function readSyncFiles(
  session: Session,
  {except, exclude}: SyncRequest,
  {container, from, base}: SyncPlace,
): Promise<FileList> {
  const {isExcluded, unmatched} = readExclusions(session, from, exclude)
  const list = await readFileList(from, except, isExcluded)
  assertManifestContainer(container, list, base)
  for (const note of list.notes) session.warn(safeText(note))
  for (const glob of unmatched()) session.warn(`warning: ${safeText(unmatchedNote(glob))}`)
  return list
}

async function readOwnFiles(session: Session, {settings}: SendOptions, request: SyncRequest) {
  const place = await readSyncPlace(session, request)
  const files = await readSyncFiles(session, request, place)
  const all = completeFiles(files, request.filling, settings.headerEncoding)
  return {...place, all, files: request.inShard(all)}
}

/** Compares the container of a manifest with the typed one. Throws Failure (file). */
function assertManifestContainer(
  container: string,
  {source, container: meant}: {readonly source: string; readonly container?: string},
  base: URL,
): void {
  if (meant === undefined || containerOf(meant, base) === container) return
  throw fileFailure(`the manifest ${source} is for ${meant}, not ${container}; nothing was sent`, {
    code: 'manifest',
    try: 'sync to that container, or remove container from the manifest',
  })
}

// All patterns of a file are tried on every path: these bound what a stranger's file can cost.
const fileLimits = {maxBytes: 64 * 1024, most: '64 KiB', ifLarger: 'use fewer patterns; a pattern may match a folder'}
const longestPattern = 4096

/**
 * Excluded by the ignore file of the folder, or of the manifest's, and then by `--exclude`, both patterns of .gitignore; in
 * `--exclude` a `#` and ending spaces belong to the pattern. Throws Failure (usage, file); what it returns throws Interrupted.
 */
function readExclusions({runtime}: Session, source: string, globs: readonly string[] = []) {
  if (globs.some((glob) => glob.trim() === '')) throw wrongUsage('--exclude is empty')
  const folder = statSync(source, {throwIfNoEntry: false})?.isDirectory() ? source : dirname(source)
  const {isExcluded, unmatched} = ignoreRules(readIgnoreFile(join(folder, ignoreFile)), globs)
  const guarded = (key: string) => {
    if (runtime.signal.aborted) throw new Interrupted()
    return isExcluded(key)
  }
  return {isExcluded: guarded, unmatched}
}

function readIgnoreFile(file: string): string[] {
  if (statSync(file, {throwIfNoEntry: false}) === undefined) return []
  const text = decodeText(readSmallFile(file, fileLimits).bytes, file)
  const long = text.split('\n').findIndex((line) => Buffer.byteLength(line.replace(/\r$/u, '')) > longestPattern)
  if (long < 0) return patternsOf(text)
  const why = `line ${long + 1} is longer than 4 KiB`
  throw fileFailure(`cannot read ${file}`, {why, try: fileLimits.ifLarger})
}
