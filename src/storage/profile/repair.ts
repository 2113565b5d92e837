import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import {join} from 'node:path'
import {whileFileLocked} from '../disk/lock.js'
import {reasonOf} from '../disk/reason.js'
import {replaceFile} from '../disk/replaceFile.js'
import {backupPath, fileShape, type ProfileFile, parseJson, parseProfileFile, profilePath, ReservedKey} from './file.js'
import {DamagedProfile, ProfileProblem} from './problem.js'
import {moveAway, readConfigFile, readProfileFile} from './read.js'

/**
 * Looks at a damaged profile file again under the lock that writers take. Gives back the file where another process put it
 * right meanwhile; else keeps the damaged bytes, puts the last good copy back and raises a ProfileProblem that says so.
 */
export async function repairProfileFile(configDir: string): Promise<ProfileFile> {
  try {
    return await whileProfileLocked(configDir, () => readOrRepair(configDir))
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === undefined ? error : cannotRepair(profilePath(configDir), reason)
  }
}

function cannotRepair(path: string, reason: string): ProfileProblem {
  return new ProfileProblem('configuration', `the profile file ${path} is damaged and was not repaired: ${reason}`, {
    why: 'no command can use it until it is repaired',
    advice: `fix that and run the command again, or move it away: ${moveAway(path)}`,
  })
}

/** Reads the profile file and repairs it where it is damaged; for callers that hold the lock. */
export function readOrRepair(configDir: string): ProfileFile {
  try {
    return readProfileFile(configDir)
  } catch (error) {
    throw error instanceof DamagedProfile ? repair(configDir) : error
  }
}

function repair(configDir: string): ProfileProblem {
  const path = profilePath(configDir)
  const what = describeDamage(readConfigFile(path) ?? new Uint8Array())
  const kept = keepDamaged(configDir)
  const copiedAt = statSync(backupPath(configDir), {throwIfNoEntry: false})?.mtime
  const good = putBackupBack(configDir)
  if (good === undefined) rmSync(path)
  const state = good && copiedAt ? `restored the last good copy, of ${copiedAt.toISOString()}` : noCopy
  return new ProfileProblem('configuration', `the profile file ${path} was damaged: it ${what}`, {
    why: `${state}; the damaged file is kept as ${kept}`,
    advice: good
      ? 'check the settings with roomctl config list, then run the command again'
      : `roomctl config init, or repair ${kept} by hand and copy it to ${path}`,
  })
}

const noCopy = 'no good copy exists, so there are no profiles now'

/** Gives the damaged file a second name. A link needs no room on a full disk; where there are no links it is copied. */
function keepDamaged(configDir: string): string {
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const path = profilePath(configDir)
  for (let count = 1; ; count += 1) {
    const kept = join(configDir, `config.damaged-${stamp}${count > 1 ? `-${count}` : ''}.json`)
    try {
      return linkOrCopy(path, kept)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function linkOrCopy(path: string, kept: string): string {
  try {
    linkSync(path, kept)
  } catch {
    copyFileSync(path, kept, constants.COPYFILE_EXCL)
  }
  return kept
}

// All of this runs under the lock.

/** Makes the backup hold these bytes; nothing is written where it does already, so a full disk does not matter then. */
export function keepBackup(configDir: string, bytes: Uint8Array): void {
  const path = backupPath(configDir)
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  replaceFile(path, bytes)
}

/** As `keepBackup`, where the profile file itself is whole and the older backup will do. */
export function tryKeepBackup(configDir: string, bytes: Uint8Array): void {
  try {
    keepBackup(configDir, bytes)
  } catch {
    // The disk is full: the next change makes the backup before it writes, or stops there.
  }
}

/**
 * Puts the backup in the place of the profile file and gives back its bytes; undefined, and nothing changed, where there is
 * no whole backup. It is moved, not copied: that needs no room on a full disk and is done at once or not at all.
 */
export function putBackupBack(configDir: string): Buffer | undefined {
  const bytes = wholeBackup(configDir)
  if (bytes === undefined) return undefined
  renameSync(backupPath(configDir), profilePath(configDir))
  tryKeepBackup(configDir, bytes)
  return bytes
}

function wholeBackup(configDir: string): Buffer | undefined {
  try {
    const bytes = readConfigFile(backupPath(configDir))
    return bytes && parseProfileFile(bytes).state === 'whole' ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Takes back a write that went wrong: the file is again what it was before, which the backup holds, or gone. */
export function takeBackWrite(configDir: string, before: Buffer | undefined): void {
  const path = profilePath(configDir)
  if (before === undefined) rmSync(path, {force: true})
  else if (!readFileSync(path).equals(before)) {
    renameSync(backupPath(configDir), path)
    tryKeepBackup(configDir, before)
  }
}

/** How long a command waits for others that change the profile; each of them needs a few hundredths of a second. */
const patienceMs = 30_000

/**
 * Does `work` while no other process changes the profile in this folder, which must exist. Raises a ProfileProblem of kind
 * `configuration` after `waitMs` without a turn, and the system's error where no lock can be made.
 */
export function whileProfileLocked<T>(configDir: string, work: () => T | Promise<T>, waitMs = patienceMs): Promise<T> {
  const lockedOut = (lockFolder: string) =>
    new ProfileProblem('configuration', `another roomctl has locked the profile file for ${waitMs / 1000} s`, {
      why: `its lock is ${lockFolder}`,
      advice: `try again; if no other roomctl is running: rmdir ${lockFolder}`,
    })
  return whileFileLocked(profilePath(realpathSync(configDir)), work, {waitMs, lockedOut})
}

/**
 * What is wrong with the bytes of a profile file, in words that follow "it": the line and column, or the key. Never any of
 * the content, which holds tokens.
 */
export function describeDamage(bytes: Uint8Array): string {
  if (bytes.every((byte) => byte === 0)) return bytes.length === 0 ? 'is empty' : 'contains only zero bytes'
  let text: string
  try {
    text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
  } catch {
    return 'is not UTF-8 text'
  }
  const fault = jsonFault(text)
  if (fault) return `${fault.atEnd ? 'is truncated' : 'is not JSON'} at line ${fault.line}, column ${fault.column}`
  return describeContent(text)
}

function describeContent(text: string): string {
  try {
    const checked = fileShape.safeParse(parseJson(text))
    const issue = checked.error?.issues[0]
    if (issue === undefined) return 'is not a profile file'
    if (issue.code === 'unrecognized_keys') return `has an unknown key: ${keyPath([...issue.path, ...issue.keys])}`
    if (issue.code === 'invalid_key') return `has an invalid key: ${keyPath(issue.path)}`
    return issue.path.length === 0 ? 'is not an object' : `has a wrong value for ${keyPath(issue.path)}`
  } catch (error) {
    return error instanceof ReservedKey ? 'has the key "__proto__"' : 'is not a profile file'
  }
}

/** `profiles.prod."room.url"`: keys in quotes where they are not plain words. */
function keyPath(keys: readonly PropertyKey[]): string {
  return keys
    .map(String)
    .map((key) => (/^[\w-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64))))
    .join('.')
}

/** Where a text stops being JSON: line and column from 1, and whether it simply breaks off there. */
interface JsonFault {
  readonly line: number
  readonly column: number
  readonly atEnd: boolean
}

type ExpectedToken = 'value' | 'first' | 'key' | 'firstKey' | 'colon' | 'inObject' | 'inList' | 'end'
type TokenKind = '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'literal'

/** What follows each kind of token where it may stand; `done` ends a value. */
const jsonGrammar: Readonly<Record<ExpectedToken, Partial<Record<TokenKind, ExpectedToken | 'done'>>>> = {
  value: {'{': 'firstKey', '[': 'first', text: 'done', literal: 'done'},
  first: {'{': 'firstKey', '[': 'first', text: 'done', literal: 'done', ']': 'done'},
  key: {text: 'colon'},
  firstKey: {text: 'colon', '}': 'done'},
  colon: {':': 'value'},
  inObject: {',': 'key', '}': 'done'},
  inList: {',': 'value', ']': 'done'},
  end: {},
}

const blank = /[ \t\r\n]*/y
// JSON forbids the control characters up to U+001F in a string and allows those from U+007F on.
const text = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy
/** A string that the end of the text cuts off. */
const cutText = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\\P{Cc})*\\?$/uy
const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
const mark = /[{}[\],:]/y

/**
 * Finds the first place where a text is not JSON; undefined where all of it is. The message of JSON.parse cannot be used:
 * it quotes the text, and names no place for some faults.
 */
export function jsonFault(source: string): JsonFault | undefined {
  const open: TokenKind[] = []
  let expected: ExpectedToken = 'value'
  let at = lengthOf(blank, source, 0)
  while (at < source.length) {
    const {kind, length} = tokenAt(source, at)
    const then: ExpectedToken | undefined = kind && follow(kind, expected, open)
    if (then === undefined) return placeOf(source, at)
    expected = then
    at += length
    at += lengthOf(blank, source, at)
  }
  return expected === 'end' ? undefined : placeOf(source, at)
}

/** What is expected after this kind of token, undefined where it may not stand. Keeps the open brackets up to date. */
function follow(kind: TokenKind, expected: ExpectedToken, open: TokenKind[]): ExpectedToken | undefined {
  const then = jsonGrammar[expected][kind]
  if (then === undefined) return undefined
  if (kind === '{' || kind === '[') open.push(kind)
  if (kind === '}' || kind === ']') open.pop()
  return then === 'done' ? afterValue(open) : then
}

function tokenAt(source: string, at: number): {kind: TokenKind | undefined; length: number} {
  // The pattern of the marks lets nothing through that is no Kind.
  if (lengthOf(mark, source, at) > 0) return {kind: source.charAt(at) as TokenKind, length: 1}
  const textLength = lengthOf(text, source, at)
  if (textLength > 0) return {kind: 'text', length: textLength}
  const literalLength = lengthOf(literal, source, at)
  return {kind: literalLength > 0 ? 'literal' : undefined, length: literalLength}
}

function afterValue(open: readonly TokenKind[]): ExpectedToken {
  const around = open.at(-1)
  if (around === undefined) return 'end'
  return around === '{' ? 'inObject' : 'inList'
}

function lengthOf(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0].length ?? 0
}

function placeOf(source: string, at: number): JsonFault {
  const end = lengthOf(cutText, source, at) > 0 ? source.length : at
  const lines = source.slice(0, end).split('\n')
  return {line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1, atEnd: end === source.length}
}
