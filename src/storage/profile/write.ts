import {existsSync, readFileSync, realpathSync, rmSync} from 'node:fs'
import {basename, parse} from 'node:path'
import {type Failure, failureWith} from '../../failure.js'
import {unlessError} from '../../text/text.js'
import {whileFileLocked} from '../disk/lock.js'
import {makePrivateFolder, reasonOf, shortWrite, systemCode} from '../disk/privateFile.js'
import {draftOf, renameFile, replaceFile, sweepDrafts} from '../disk/replaceFile.js'
import {backupPath, fileShape, type ProfileFile, profilePath, profileVersion, tokensIn} from './file.js'
import {openProfileFile} from './resolve.js'
import {unusableProfile} from './unusable.js'

/**
 * Changes the profile file under its lock, and makes a backup first: after any error or kill the old state is intact. `change` is pure;
 * returning the same object writes nothing. Throws what `change` throws, and a Failure (configuration).
 */
export async function changeProfileFile(configDir: string, change: (file: ProfileFile) => ProfileFile): Promise<void> {
  const {default: Conf} = await import('conf')
  /** conf writes the draft, which it has never read. */
  const write = (draft: string, file: ProfileFile) => {
    const {dir, name, ext} = parse(draft)
    const form = {configFileMode: 0o600, accessPropertiesByDotNotation: false, serialize: fileText}
    new Conf<ProfileFile>({cwd: dir, configName: name, fileExtension: ext, ...form}).store = file
  }
  try {
    makePrivateFolder(configDir)
    // Before the lock, which is made in the folder.
    await openProfileFile(configDir)
    await whileProfileLocked(configDir, async () => {
      // They hold tokens.
      sweepDrafts(
        configDir,
        [profilePath(configDir), backupPath(configDir)].map((path) => basename(path)),
      )
      const before = await openProfileFile(configDir)
      const after = change(before)
      if (after !== before) replaceProfile(configDir, before, after, write)
    })
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') throw unusableProfile(configDir, error)
    const reason = reasonOf(error)
    throw reason === undefined ? error : cannotWrite(profilePath(configDir), reason)
  }
}

function replaceProfile(
  configDir: string,
  old: ProfileFile,
  file: ProfileFile,
  write: (draft: string, file: ProfileFile) => void,
): void {
  // Throws if the change would make an unreadable file.
  const checked = fileShape.parse({...file, version: profileVersion})
  const bytes = Buffer.from(fileText(checked))
  const path = profilePath(configDir)
  if (existsSync(path)) keepBackup(configDir, readFileSync(path))
  const draft = draftOf(path)
  try {
    write(draft, checked)
    checkWritten(draft, path, bytes)
    renameFile(draft, path)
  } catch (error) {
    rmSync(draft, {force: true})
    throw error
  }
  // The backup stays one write behind, since another version may take the newest for damaged; but no token outlives its removal in it.
  const kept = tokensIn(checked)
  const isTokenGone = [...tokensIn(old)].some((token) => !kept.has(token))
  if (isTokenGone || !existsSync(backupPath(configDir))) {
    // On a full disk the older one suffices: the next change makes the backup before it writes, or stops there.
    unlessError(() => keepBackup(configDir, bytes), undefined)
  }
}

/** Writes these bytes to the backup, unless it has them, so a full disk does not matter then. */
function keepBackup(configDir: string, bytes: Uint8Array): void {
  const path = backupPath(configDir)
  if (existsSync(path) && readFileSync(path).equals(bytes)) return
  replaceFile(path, bytes)
}

/** How long a command waits for others that change the profile; each of them needs a few hundredths of a second. */
const patienceMs = 30_000

/** Runs `work` under the lock of the profile. Throws Failure (configuration) after `waitMs`, and the system's error. */
export function whileProfileLocked<T>(configDir: string, work: () => T | Promise<T>, waitMs = patienceMs): Promise<T> {
  const lockedOut = (lockFolder: string) =>
    failureWith('configuration', `another roomctl has locked the profile file for ${waitMs / 1000} s`, {
      why: `its lock is ${lockFolder}`,
      try: `try again; if no other roomctl is running: rmdir ${lockFolder}`,
    })
  return whileFileLocked(profilePath(realpathSync(configDir)), work, {waitMs, lockedOut})
}

/** conf reports success over a file that a full disk cut short. */
function checkWritten(draft: string, path: string, expected: Buffer): void {
  const written = readFileSync(draft)
  if (written.equals(expected)) return
  const cut = written.length < expected.length
  const count = `${written.length} of ${expected.length} bytes were written`
  throw cannotWrite(
    path,
    cut ? `${reasonOf(shortWrite())} (${count})` : 'the data read back differs from the data written',
  )
}

function cannotWrite(path: string, reason: string): Failure {
  return failureWith('configuration', `cannot write the profile file ${path}: ${reason}`, {
    why: 'nothing was changed',
    try: 'fix that and run the command again',
  })
}

function fileText(file: ProfileFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}
