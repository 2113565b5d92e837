import {realpathSync, statSync} from 'node:fs'
import path from 'node:path'
import {
  type Manifest,
  type ManifestFile,
  manifest,
  manifestFileMembers,
  manifestMembers,
  uuidLink,
} from '../../api/contract/manifest.js'
import {Failure, fileFailure} from '../../failure.js'
import {readRegularFile, reasonOf, systemReason, UnusableFile} from '../../storage/disk/privateFile.js'
import {type MemberPath, mostYamlBytes, readYaml, YamlFault, type YamlText} from '../../text/yaml.js'
import {assetFileId, originalFileName} from '../files/headers.js'
import type {FileList, Link, ListedFile} from '../model/job.js'

/** Reads a manifest in YAML, which includes JSON, and checks shape, paths, files and links. Throws Failure (file) that names line, member and expectation. */
export async function loadManifest(file: string): Promise<FileList> {
  const text = await readYaml(readWhole(file)).catch((error: unknown) => {
    if (!(error instanceof YamlFault)) throw error
    throw fileFailure(`cannot read the manifest ${file}: ${error.message}`, {code: 'manifest', try: advice})
  })
  const {data, error} = manifest.safeParse(text.value, {reportInput: true})
  if (data === undefined) throw manifestFailure(file, error.issues.flatMap(problemsOf), text)
  const folder = path.dirname(path.resolve(file))
  const files = data.files.map((entry) => listedFile(entry, data, folder))
  assertSound(file, text, [...data.files.flatMap(ownProblems), ...linkProblems(data.files, files)])
  assertSound(file, text, diskProblems(files, folder))
  return {source: file, ...(data.container === undefined ? {} : {container: data.container}), files, notes: []}
}

function assertSound(file: string, text: YamlText, problems: readonly ManifestProblem[]): void {
  if (problems.length > 0) throw manifestFailure(file, problems, text)
}

function listedFile(entry: ManifestFile, manifest: Manifest, folder: string): ListedFile {
  const key = keyOf(entry.path)
  const platform = entry.platform ?? manifest.platform
  const description = entry.description ?? manifest.description
  return {
    key,
    path: path.join(folder, key),
    role: entry.role,
    name: (entry.name ?? path.posix.basename(key)).normalize('NFC'),
    ...(platform === undefined ? {} : {platform}),
    ...(description === undefined ? {} : {description}),
    ...(entry.link === undefined ? {} : {link: linkOf(entry.link)}),
    ...(entry.sha256 === undefined ? {} : {sha256: entry.sha256.toLowerCase()}),
  }
}

/** `./a//b` is the same file as `a/b`. */
function keyOf(written: string): string {
  return path.posix.normalize(written).replace(/^\.\//u, '')
}

function linkOf(written: string): Link {
  return written.startsWith(uuidLink) ? {uuid: written.slice(uuidLink.length)} : {file: keyOf(written)}
}

function ownProblems(entry: ManifestFile, index: number): ManifestProblem[] {
  const at = (member: keyof ManifestFile, text: string | undefined) =>
    text === undefined ? [] : [{at: ['files', index, member], text}]
  const name = entry.name ?? path.posix.basename(keyOf(entry.path))
  return [
    ...at('path', pathProblem(entry.path)),
    ...at(
      entry.name === undefined ? 'path' : 'name',
      problemOf(() => originalFileName(name)),
    ),
    ...at('link', linkProblem(entry)),
  ]
}

function pathProblem(written: string): string | undefined {
  if (written.includes('\\')) return 'there is a \\ in it; the parts of a path have / between them on every system'
  if (path.posix.isAbsolute(written) || path.win32.isAbsolute(written)) return 'it must be relative to the manifest'
  if (written.split('/').includes('..')) return 'it must be in the folder of the manifest, without ..'
  return undefined
}

/** Only bundle files have an asset file (asset, Common resource metadata). */
function linkProblem({link, role}: ManifestFile): string | undefined {
  if (link === undefined) return undefined
  if (role !== 'bundle') return `a file of the role ${role} has no link: only a bundle belongs to an asset file`
  const target = linkOf(link)
  return 'uuid' in target ? problemOf(() => assetFileId(target.uuid)) : undefined
}

/** Why something is refused. */
export function problemOf(check: () => unknown): string | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.facts.message
    throw error
  }
}

/** Repeated paths, and links that lead nowhere or to another bundle. */
function linkProblems(entries: readonly ManifestFile[], files: readonly ListedFile[]): ManifestProblem[] {
  const first = new Map<string, number>()
  const twice: ManifestProblem[] = []
  for (const [index, {key}] of files.entries()) {
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, index)
    else twice.push({at: ['files', index, 'path'], text: `files[${earlier}] is the same file`})
  }
  const wrong = files.flatMap(({link}, index): ManifestProblem[] => {
    if (link === undefined || 'uuid' in link) return []
    const target = files[first.get(link.file) ?? -1]
    if (target !== undefined && target.role !== 'bundle') return []
    const text = target
      ? `${link.file} is a bundle, and a bundle belongs to an asset file`
      : `${entries[index]?.link} is no path of this manifest; a resource of the service is named ${uuidLink}UUID`
    return [{at: ['files', index, 'link'], text}]
  })
  return [...twice, ...wrong]
}

/** Files that are missing, are no files, or are elsewhere by a symbolic link. */
function diskProblems(files: readonly ListedFile[], folder: string): ManifestProblem[] {
  const inside = `${realpathSync.native(folder)}${path.sep}`
  return files.flatMap((file, index): ManifestProblem[] => {
    const text = diskProblem(file.path, inside)
    return text === undefined ? [] : [{at: ['files', index, 'path'], text}]
  })
}

function diskProblem(file: string, inside: string): string | undefined {
  try {
    const real = realpathSync.native(file)
    if (!`${real}${path.sep}`.startsWith(inside)) return 'a symbolic link leads out of the folder of the manifest'
    return statSync(real).isFile() ? undefined : 'it is not a file'
  } catch (error) {
    return systemReason(error)
  }
}

const ofOneFile = 'to send a file that is no manifest, use asset upload'

function readWhole(file: string): string {
  const unreadable = (why: string | undefined, cause?: unknown, advice?: string) =>
    fileFailure(`cannot read the manifest ${file}`, {why, try: advice}, {cause})
  try {
    const bytes = readRegularFile(file, mostYamlBytes)
    if (bytes === undefined) throw unreadable('no such file')
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch (error) {
    if (error instanceof Failure) throw error
    if (error instanceof TypeError) throw unreadable('it is not text in UTF-8', error, ofOneFile)
    const isTooLarge = error instanceof UnusableFile && error.fault === 'size'
    throw unreadable(isTooLarge ? `${error.message}; split it, and sync each part by itself` : reasonOf(error), error)
  }
}

const advice = 'correct the manifest'

interface ManifestProblem {
  readonly at: MemberPath
  readonly text: string
}

const problemsShown = 5

/** The Failure for an invalid manifest; at least one problem. */
function manifestFailure(file: string, problems: readonly ManifestProblem[], {lineOf}: YamlText): Failure {
  const sentences = problems
    .slice(0, problemsShown)
    .map(({at, text}) => ({line: lineOf(at), text: `${memberName(at)}${text}`}))
  const [first = '', ...rest] = sentences
    .sort((one, other) => one.line - other.line)
    .map(({line, text}) => `line ${line}: ${text}`)
  const more = problems.length - problemsShown
  const others = [...rest, ...(more > 0 ? [`and ${more} more`] : [])]
  return fileFailure(`cannot use the manifest ${file}: ${first}`, {
    code: 'manifest',
    ...(others.length > 0 ? {why: `there is more: ${others.join('; ')}`} : {}),
    try: advice,
  })
}

/** `files[2].role: `, or nothing for the whole. */
function memberName(at: MemberPath): string {
  const name = at.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return name === '' ? '' : `${name.replace(/^\./u, '')}: `
}

type Issue = NonNullable<ReturnType<typeof manifest.safeParse>['error']>['issues'][number]

function problemsOf(issue: Issue): ManifestProblem[] {
  // A path into parsed YAML or JSON holds names and positions only.
  const at = issue.path as MemberPath
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({at: [...at, key], text: unknownMember(at)}))
  return [{at, text: `${issue.input === undefined ? 'it is missing; ' : ''}${expectation(issue, at)}`}]
}

function unknownMember(at: MemberPath): string {
  const members = at.length === 0 ? manifestMembers : manifestFileMembers
  return `this is not a member of ${at.length === 0 ? 'a manifest' : 'a file'}; there are ${enumerate(members, 'and')}`
}

function expectation(issue: Issue, at: MemberPath): string {
  if (issue.code === 'invalid_value') return `it must be ${enumerate(issue.values.map(String), 'or')}`
  if (issue.code === 'invalid_type') return `it must be ${kindNames[issue.expected] ?? issue.expected}`
  if (issue.code === 'too_small') return 'it must not be empty'
  return at.at(-1) === 'sha256' ? 'it must be 64 hex digits' : 'it must be one line of text, without control characters'
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'text; put what looks like a number, true or false in quotes',
  array: 'a list',
  object: 'a mapping of members',
}

function enumerate(words: readonly string[], last: 'and' | 'or'): string {
  return words.join(', ').replace(/, ([^,]*)$/u, ` ${last} $1`)
}
