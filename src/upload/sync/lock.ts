import {type Failure, fileFailure} from '../../failure.js'
import {compareText} from '../../text/text.js'

/** One file of a lock, proven to be in the container when the lock was written. */
export interface LockLine {
  /** Below the folder, with `/` between the parts. */
  readonly path: string
  readonly uuid: string
  readonly sha256: string
  readonly size: number
}

const [magic, version] = ['# roomctl lock ', '1']

/** The start of a lock of any version. */
export const lockStart = /^# roomctl lock \S+ ./u

/** A lock as text: the same bytes on every machine for the same lines, whatever their order. `container` is a path, escaped. */
export function lockText(container: string, lines: readonly LockLine[]): string {
  const rows = lines
    .toSorted((one, other) => compareText(one.path, other.path))
    .map(({path, uuid, sha256, size}) => `${[escapeField(path), uuid, sha256, size].join('\t')}\n`)
  return `${magic}${version} ${container}\n${rows.join('')}`
}

const escapes: Readonly<Record<string, string>> = {'\t': '\\t', '\n': '\\n', '\\': '\\\\'}
const unescapes: Readonly<Record<string, string>> = {t: '\t', n: '\n', '\\': '\\'}

function escapeField(text: string): string {
  return text.replace(/[\t\n\\]/gu, (character) => escapes[character] ?? character)
}

/** The text of an escaped field; undefined for an escape that no lock has. */
function unescapeField(field: string): string | undefined {
  const isSound = /^(?:[^\\]|\\[tn\\])+$/u.test(field)
  return isSound ? field.replace(/\\(.)/gu, (_, letter: string) => unescapes[letter] ?? '') : undefined
}

/** The lines of a lock by their paths. Throws Failure (file) for another container or version, and for what `lockText` would not write. */
export function parseLock(text: string, file: string, container: string): Map<string, LockLine> {
  // git, and editors, may write it with CR LF.
  const [first = '', ...rows] = text.split(/\r?\n/u)
  const [, found, of] = /^# roomctl lock (\S+) (.+)$/su.exec(first) ?? []
  if (found === undefined) throw damagedLock(file, `line 1 is not "${magic}${version} CONTAINER"`)
  if (found !== version) throw damagedLock(file, `it has version ${found}, and this roomctl reads version ${version}`)
  if (of !== container) {
    throw lockFailure(`the lock ${file} is for ${of}, not ${container}`, `name the lock of ${container}`)
  }
  if (rows.pop() !== '') throw damagedLock(file, 'its last line has no end')
  const lines = new Map<string, LockLine>()
  let before: Buffer | undefined
  for (const [at, row] of rows.entries()) {
    const line = parseLine(row)
    if (line === undefined)
      throw damagedLock(file, `line ${at + 2} is not PATH, UUID, SHA256 and SIZE with tabs between them`)
    const path = Buffer.from(line.path)
    if (before !== undefined && Buffer.compare(before, path) >= 0) {
      throw damagedLock(file, `line ${at + 2} is not sorted behind the line before it`)
    }
    before = path
    lines.set(line.path, line)
  }
  return lines
}

function parseLine(row: string): LockLine | undefined {
  const [, escaped = '', uuid = '', sha256 = '', size] =
    /^([^\t]+)\t([^\t/\s]+)\t([\da-f]{64})\t(0|[1-9]\d{0,15})$/u.exec(row) ?? []
  const path = unescapeField(escaped)
  return path === undefined ? undefined : {path, uuid, sha256, size: Number(size)}
}

function damagedLock(file: string, why: string): Failure {
  const advice = 'restore the file'
  return lockFailure(`cannot use the lock ${file}`, advice, why)
}

function lockFailure(message: string, advice: string, why?: string): Failure {
  return fileFailure(message, {code: 'lock', why, try: advice})
}
