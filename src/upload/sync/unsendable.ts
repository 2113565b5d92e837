import {openSync, readSync} from 'node:fs'
import path from 'node:path'
import {manifestNames, uuidLink} from '../../api/contract/manifest.js'
import {type Failure, fileFailure} from '../../failure.js'
import {thenClose} from '../../storage/disk/privateFile.js'
import {counted, unlessError} from '../../text/text.js'
import {nameHeader} from '../files/headers.js'
import type {FileList, ListedFile, SyncFile, UploadSettings} from '../model/job.js'
import {problemOf} from './manifest.js'

/** The manifest lines of a folder with more files are those of the refused names alone. */
const mostListed = 40

/**
 * Throws one Failure (file) for all names that cannot be sent, with the manifest lines that give them others. In a container, a file is
 * its name and its platform.
 */
export function assertNames(
  list: FileList,
  whole: readonly SyncFile[],
  encoding: UploadSettings['headerEncoding'],
): void {
  const taken = new Map<string, string>()
  const problems = new Map((list.refused ?? []).map(({key, why}) => [key, why]))
  for (const file of whole) {
    const {key, name, platform} = file
    const other = taken.get(placeOf(file))
    if (other === undefined) taken.set(placeOf(file), key)
    const twice = other && `${other} would be ${name} for ${platform}, too`
    const why = twice ?? problemOf(() => nameHeader(name, encoding))
    if (why !== undefined) problems.set(key, why)
  }
  if (problems.size === 0) return
  // A manifest is text, with / in its paths.
  const mendable = whole.filter(({key}) => problems.has(key) && !/[\\\p{Cc}\p{Cs}]/u.test(key))
  const names = new Map(mendable.map((file) => [file.key, otherName(file, taken)]))
  throw refusal(list, problems, names)
}

function placeOf({platform, name}: SyncFile): string {
  return `${platform} ${name}`
}

/** A name that no other file has, with an extension: that of a Unity bundle by its content. */
function otherName(file: SyncFile, taken: Map<string, string>): string {
  const trimmed = file.name.trim().replace(/\.+$/u, '')
  const named = /[^.].*\.[^.\s]+$/su.test(trimmed) ? trimmed : `${trimmed}${isUnityBundle(file) ? '.bundle' : '.bin'}`
  const {name: stem, ext} = path.posix.parse(named)
  const folders = path.posix.dirname(file.key).replaceAll('/', '-')
  for (let count = 0; ; count += 1) {
    const mark = count === 1 && folders !== '.' ? folders : count
    const name = count === 0 ? named : `${stem}-${mark}${ext}`
    if (taken.has(placeOf({...file, name}))) continue
    taken.set(placeOf({...file, name}), file.key)
    return name
  }
}

function isUnityBundle({path}: ListedFile): boolean {
  const start = Buffer.alloc(9)
  const read = () => thenClose(openSync(path, 'r'), (file) => readSync(file, start, 0, start.length, 0))
  return unlessError(read, 0) > 0 && /^Unity(?:FS|Web|Raw)\0/u.test(start.toString('latin1'))
}

function refusal(
  {source, isFolder, files}: FileList,
  problems: ReadonlyMap<string, string>,
  names: ReadonlyMap<string, string>,
): Failure {
  const others = [...problems].filter(([key]) => !names.has(key))
  const sendable = files.filter(({key}) => names.has(key) || !problems.has(key))
  const isWhole = isFolder && sendable.length <= mostListed
  const listed = names.size === 0 ? [] : sendable.filter(({key}) => isWhole || names.has(key))
  const left = isFolder && listed.length > 0 ? sendable.length - listed.length : 0
  const write = isFolder
    ? `write these lines to ${path.join(source, manifestNames[0])}, and run the command again`
    : `change these lines of ${source}`
  const rename = 'rename the files that no manifest can name, or exclude them with --exclude'
  const advice = [...(listed.length > 0 ? [write] : []), ...(others.length > 0 ? [rename] : [])]
  const count = counted(problems.size, 'file')
  return fileFailure(`cannot sync ${source}: ${count} cannot be sent under these names; nothing was sent`, {
    code: 'manifest',
    why: [...problems].map(([key, why]) => `${key}: ${why}`).join('; '),
    try: advice.join('; '),
    lines: [
      ...others.map(([key, why]) => `# ${JSON.stringify(key)}: ${why}`),
      ...(isFolder && listed.length > 0 ? ['version: 1', 'files:'] : []),
      ...listed.map((file) => manifestLine(file, names.get(file.key))),
      ...(left > 0 ? [`# and one for each of the ${counted(left, 'file')} left`] : []),
    ],
  })
}

/** A file as one line of a manifest; its texts are JSON, which YAML reads. */
function manifestLine(file: ListedFile, name: string | undefined): string {
  const {key, role, link, path: _, ...more} = file
  const isBundle = role === 'asset' && name !== undefined && isUnityBundle(file)
  const own = {
    ...{path: key, role: isBundle ? 'bundle' : role, ...more, name},
    link: link && ('file' in link ? link.file : `${uuidLink}${link.uuid}`),
  }
  const members = Object.entries(own).filter(([, value]) => value !== undefined)
  return `  - {${members.map(([member, value]) => `${member}: ${JSON.stringify(value)}`).join(', ')}}`
}
