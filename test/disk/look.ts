import {closeSync, existsSync, lstatSync, openSync, readdirSync, readSync, statSync, utimesSync} from 'node:fs'
import path from 'node:path'
import type {Written} from './writtenFile.js'

/** The contents of the file; empty for a missing file. */
export function valuesIn({file, values}: Written, home: string): readonly number[] {
  const whole = path.join(home, file)
  return isFile(whole) ? values(endOf(whole), home) : []
}

/** The text of a file; of a too large one its end. */
function endOf(file: string): string {
  const most = 2 ** 26
  const {size} = statSync(file)
  const bytes = Buffer.alloc(Math.min(size, most))
  const descriptor = openSync(file, 'r')
  readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
  closeSync(descriptor)
  return bytes.toString()
}

function isFile(file: string): boolean {
  return lstatSync(file, {throwIfNoEntry: false})?.isFile() === true
}

/** The names below the folder of a file that are neither it nor belong beside it: drafts, locks. */
export function strangers({folder, file, beside}: Written, home: string): string[] {
  const known = [path.basename(file), ...beside]
  const whole = path.join(home, folder)
  if (!existsSync(whole)) return []
  const isEmptyFolder = (name: string) => {
    const below = path.join(whole, name)
    return statSync(below).isDirectory() && !name.endsWith('.lock') && readdirSync(below).length === 0
  }
  return readdirSync(whole).filter((name) => !known.includes(name) && !isEmptyFolder(name))
}

/** Ages the leftovers of a killed run until they are stale. */
export function passTime(folder: string): void {
  for (const name of readdirSync(folder, {recursive: true, encoding: 'utf8'})) {
    if (!/\.lock|\.tmp-|\.(?:part|proof)$|^runs\//u.test(name)) continue
    const long = new Date(Date.now() - 48 * 3_600_000)
    utimesSync(path.join(folder, name), long, long)
  }
}
