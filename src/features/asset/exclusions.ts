import {statSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {decodeText, readSmallFile} from '../../cli/files/readFile.js'
import type {Session} from '../../cli/session/session.js'
import {Interrupted} from '../../terminal/questions.js'
import {type IsExcluded, ignoreRules, patternsOf} from '../../upload/sync/ignoreRules.js'
import {ignoreFile} from '../../upload/sync/scan.js'

// All patterns of a file are tried on every path: these bound what a stranger's file can cost.
const fileLimits = {maxBytes: 64 * 1024, most: '64 KiB', ifLarger: 'use fewer patterns; a pattern may match a folder'}
const longestPattern = 4096

/**
 * Which paths below a folder, or the folder of a manifest, are excluded: by its ignore file, and after it by `--exclude`. Both
 * take the patterns of .gitignore; a `#`, and spaces at the end, of `--exclude` belong to the pattern. Raises a Failure (usage, file);
 * the function that it gives back raises Interrupted.
 */
export async function readExclusions(
  {runtime}: Session,
  source: string,
  globs: readonly string[] = [],
): Promise<IsExcluded | undefined> {
  for (const glob of globs) {
    const wrong = glob.trim() === '' ? 'empty' : isTooLong(glob) ? 'longer than 4 KiB' : undefined
    if (wrong !== undefined) throw new Failure({exit: 'usage', message: `--exclude is ${wrong}`})
  }
  const folder = statSync(source, {throwIfNoEntry: false})?.isDirectory() ? source : dirname(source)
  const patterns = [...readIgnoreFile(join(folder, ignoreFile)), ...globs]
  if (patterns.length === 0) return undefined
  const isExcluded = ignoreRules(patterns)
  return (key) => {
    if (runtime.signal.aborted) throw new Interrupted()
    return isExcluded(key)
  }
}

function readIgnoreFile(file: string): string[] {
  if (statSync(file, {throwIfNoEntry: false}) === undefined) return []
  const text = decodeText(readSmallFile(file, fileLimits).bytes, file)
  const long = text.split('\n').findIndex((line) => isTooLong(line.replace(/\r$/u, '')))
  if (long < 0) return patternsOf(text)
  const why = `line ${long + 1} is longer than 4 KiB`
  throw new Failure({exit: 'file', message: `cannot read ${file}`, why, try: fileLimits.ifLarger})
}

function isTooLong(pattern: string): boolean {
  return Buffer.byteLength(pattern) > longestPattern
}
