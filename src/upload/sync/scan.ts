import {type Dirent, openSync, readdirSync, readSync} from 'node:fs'
import {readdir} from 'node:fs/promises'
import path from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {manifestNames, type Role} from '../../api/contract/manifest.js'
import {fileFailure} from '../../failure.js'
import {systemReason, thenClose} from '../../storage/disk/privateFile.js'
import {draftEnd} from '../../storage/disk/replaceFile.js'
import {journalStart} from '../../storage/journal.js'
import {compareText, grouped, someOf, unlessError} from '../../text/text.js'
import {monotonicMs} from '../../text/time.js'
import {ledgerLineStart} from '../ledger/entry.js'
import {isOfLedger, ledgerFileName} from '../ledger/ledger.js'
import {type FileList, type ListedFile, linkedFile} from '../model/job.js'
import type {IsExcluded} from './ignoreRules.js'

interface ScanResult {
  readonly files: ListedFile[]
  /** Files that patterns exclude, without those in folders that are excluded whole. */
  readonly excluded: ListedFile[]
  /** Skipped entries by reason; paths below the folder. */
  readonly left: Map<string, string[]>
  readonly refused: {readonly key: string; readonly why: string}[]
}

const namesShown = 5

/**
 * What a folder without a manifest holds, sorted by path, without hidden files, links, `except` (absolute paths) and what roomctl
 * wrote. `*.bundle` are bundles, `catalog*.json`, `.hash` and `.bin` catalogs, the rest assets. Throws Failure (file).
 */
export async function scanFolder(
  folder: string,
  except: readonly string[] = [],
  isExcluded: IsExcluded = () => false,
): Promise<FileList> {
  const result: ScanResult = {files: [], excluded: [], left: new Map(), refused: []}
  const root = path.resolve(folder)
  const pause = pauses()
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    const all = await entriesOf(path.join(root, below), folder)
    const unreadable = all.some(({name}) => name.includes('\ufffd')) ? namesBeyondUtf8(path.join(root, below)) : []
    const entries = all.filter(({name}) => !unreadable.some((bytes) => bytes.toString() === name))
    result.refused.push(...refusedNames(unreadable, below, isExcluded))
    const ledger = entries.find(({name}) => name === ledgerFileName)
    const isLedger = ledger !== undefined && startsAs(path.join(root, below, ledger.name), [ledgerLineStart])
    for (const entry of entries) {
      await pause()
      const key = path.posix.join(below, entry.name)
      if (except.includes(path.join(root, key))) continue
      const startsWith = (starts: readonly RegExp[]) => entry.isFile() && startsAs(path.join(root, key), starts)
      const ownKind = () => {
        if ((isLedger && isOfLedger(entry.name)) || startsWith(ownStarts)) return 'files written by roomctl'
        return startsWith([lockStart]) ? 'locks of roomctl 0.3.0, which nothing reads any more' : undefined
      }
      if (addEntry(result, entry, {key, root, isExcluded, ownKind})) waiting.push(key)
    }
  }
  const sorted = result.files.sort((one, other) => compareText(one.key, other.key))
  const files = linkBundles(sorted, result.excluded)
  assertLinksKept(folder, files, new Set(result.excluded.map(({key}) => key)))
  return {
    source: folder,
    isFolder: true,
    files,
    refused: result.refused,
    notes: [...leftNotes(result.left), ...linkNote(files)],
  }
}

interface EntryFacts {
  readonly key: string
  readonly root: string
  readonly isExcluded: IsExcluded
  /** What roomctl wrote it as, if it did. */
  readonly ownKind: () => string | undefined
}

/** Sorts an entry; true for a folder to descend into. */
function addEntry(
  {files, excluded, left}: ScanResult,
  entry: Dirent,
  {key, root, isExcluded, ownKind}: EntryFacts,
): boolean {
  const isMatched = isExcluded(entry.isDirectory() ? `${key}/` : key)
  const isOut = isMatched && !entry.name.startsWith('.')
  const why = isOut ? excludedEntries : reasonToLeave(entry, ownKind)
  if (why === undefined && entry.isDirectory()) return true
  const file = {key, path: path.join(root, key), role: roleOf(entry.name), name: entry.name.normalize('NFC')}
  if (why === undefined) files.push(file)
  else if (key !== ignoreFile) left.set(why, [...(left.get(why) ?? []), key])
  if (isOut && entry.isFile()) excluded.push(file)
  return false
}

/** The ignore file of a folder, in the form of .gitignore. */
export const ignoreFile = '.roomctlignore'

const excludedEntries = 'excluded entries'

/** A list without what patterns exclude. Throws Failure (file) if a bundle that is left links to an excluded file. */
export async function withoutExcluded(list: FileList, isExcluded: IsExcluded): Promise<FileList> {
  const excluded = new Set<string>()
  const pause = pauses()
  for (const {key} of list.files) {
    await pause()
    if (isExcluded(key)) excluded.add(key)
  }
  if (excluded.size === 0) return list
  const files = list.files.filter(({key}) => !excluded.has(key))
  assertLinksKept(list.source, files, excluded)
  return {...list, files, notes: [...list.notes, ...leftNotes(new Map([[excludedEntries, [...excluded]]]))]}
}

/** Gives signals a turn of the event loop after every 50 ms of work: many patterns and long paths can take minutes. */
function pauses(): () => Promise<void> | undefined {
  let last = monotonicMs()
  return () => {
    if (monotonicMs() - last < 50) return undefined
    last = monotonicMs()
    return setImmediate()
  }
}

/** Without its asset a bundle would be uploaded with no link, or the wrong one. */
function assertLinksKept(source: string, files: readonly ListedFile[], excluded: ReadonlySet<string>): void {
  for (const file of files) {
    const link = linkedFile(file)
    if (link === undefined || !excluded.has(link)) continue
    throw fileFailure(`cannot sync ${source}: ${file.key} needs ${link}, which is excluded; nothing was sent`, {
      code: 'excluded',
      try: `exclude ${file.key} too, or do not exclude ${link}`,
    })
  }
}

export function roleOf(name: string): Role {
  if (/\.bundle$/iu.test(name)) return 'bundle'
  return /^catalog.*\.(?:json|hash|bin)$/iu.test(name) ? 'catalog' : 'asset'
}

/** Names that Node shows with U+FFFD, by which no file can be opened. */
function namesBeyondUtf8(folder: string): Buffer[] {
  return readdirSync(folder, {encoding: 'buffer'}).filter((name) => !Buffer.from(name.toString()).equals(name))
}

function refusedNames(names: readonly Buffer[], below: string, isExcluded: IsExcluded): ScanResult['refused'] {
  return names.flatMap((name) => {
    const key = path.posix.join(below, name.toString())
    if (name.toString().startsWith('.') || isExcluded(key) || isExcluded(`${key}/`)) return []
    const escaped = name.toString('latin1').replace(/[^ -~]/gu, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`)
    return {key: path.posix.join(below, escaped), why: 'its name is not UTF-8'}
  })
}

async function entriesOf(folder: string, name: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, {withFileTypes: true})
  } catch (error) {
    throw fileFailure(`cannot read the folder ${name}`, {why: `${folder}: ${systemReason(error)}`}, {cause: error})
  }
}

function reasonToLeave(entry: Dirent, ownKind: () => string | undefined): string | undefined {
  if (entry.name.startsWith('.')) return 'hidden entries'
  if (entry.isSymbolicLink()) return 'symbolic links'
  const own = ownKind()
  if (own !== undefined) return own
  if (entry.isDirectory()) return undefined
  if (!entry.isFile()) return 'special files'
  if (draftEnd.test(entry.name)) return 'incomplete manifests'
  return (manifestNames as readonly string[]).includes(entry.name) ? 'manifests of another folder' : undefined
}

/**
 * A bundle is linked only to the one asset beside it with its name: another guess could be wrong. An excluded asset counts if it is
 * the only one.
 */
function linkBundles(files: readonly ListedFile[], excluded: readonly ListedFile[]): ListedFile[] {
  const byStem = (all: readonly ListedFile[]) =>
    grouped(
      all.filter(({role}) => role === 'asset').map(({key}) => key),
      stemOf,
    )
  const [assets, others] = [byStem(files), byStem(excluded)]
  return files.map((file) => {
    const stem = stemOf(file.key)
    const [asset, another] = file.role === 'bundle' ? (assets.get(stem) ?? others.get(stem) ?? []) : []
    return asset !== undefined && another === undefined ? {...file, link: {file: asset}} : file
  })
}

function stemOf(key: string): string {
  return key.slice(0, key.length - path.posix.extname(key).length)
}

function leftNotes(left: ReadonlyMap<string, readonly string[]>): string[] {
  return [...left].map(([why, keys]) => `ignored ${why}: ${someOf(keys.toSorted(compareText), namesShown)}`)
}

function linkNote(files: readonly ListedFile[]): string[] {
  const alone = files.filter(({role, link}) => role === 'bundle' && link === undefined).map(({key}) => key)
  if (alone.length === 0) return []
  const has = alone.length === 1 ? 'has' : 'have'
  return [`${someOf(alone.toSorted(compareText), namesShown)} ${has} no asset link; set it in the manifest`]
}

/** The start of a result file of `--result` (features/asset/uploadReport.ts). */
export const resultStart = /^\[\n {2}\{\n {4}"file": "(?:[^"\\]|\\.)*",\n {4}"uuid": /u

const head = Buffer.allocUnsafe(32 * 1024)

/** Of a result or a journal of roomctl. */
const ownStarts = [resultStart, journalStart]
/** `--lock` of roomctl 0.3.0 wrote it. */
const lockStart = /^# roomctl lock \S+ ./u

/** Whether a file is of a kind, by its content; false if it cannot be read. */
function startsAs(path: string, starts: readonly RegExp[]): boolean {
  const beginning = unlessError(() => beginningOf(path), '')
  return starts.some((start) => start.test(beginning))
}

function beginningOf(path: string): string {
  return thenClose(openSync(path, 'r'), (file) => {
    // The first byte is enough for most files.
    if (readSync(file, head, 0, 1, 0) === 0 || !/[#[{]/u.test(head.toString('latin1', 0, 1))) return ''
    return head.toString('utf8', 0, readSync(file, head, 0, head.length, 0))
  })
}
