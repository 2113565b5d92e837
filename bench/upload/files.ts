import {createCipheriv} from 'node:crypto'
import {closeSync, linkSync, openSync, statfsSync, writeSync} from 'node:fs'
import path from 'node:path'

const blockBytes = 4 * 2 ** 20

/** Writes a file of incompressible bytes; the same ones for the same seed. */
export function writeNoise(file: string, bytes: number, seed: number): void {
  const key = Buffer.alloc(16)
  key.writeUInt32BE(seed)
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.alloc(16))
  const zeros = Buffer.alloc(Math.min(bytes, blockBytes))
  const fd = openSync(file, 'w')
  for (let at = 0; at < bytes; at += blockBytes) {
    writeSync(fd, cipher.update(zeros.subarray(0, Math.min(blockBytes, bytes - at))))
  }
  closeSync(fd)
}

/** Several files of the same size with different bytes; returns their paths. */
export function writeMany(folder: string, count: number, bytes: number): string[] {
  const files = Array.from({length: count}, (_, at) => path.join(folder, `part${at}-${bytes}.bundle`))
  for (const [at, file] of files.entries()) writeNoise(file, bytes, at + 1)
  return files
}

/** Other names of one file: several large files for the room of one. */
export function linkMany(file: string, count: number): string[] {
  const names = Array.from({length: count}, (_, at) => file.replace(/\.bundle$/, `-${at}.bundle`))
  for (const name of names) linkSync(file, name)
  return names
}

/** Throws an Error if the disk of the folder has less space left. */
export function needRoom(folder: string, bytes: number): void {
  const {bavail, bsize} = statfsSync(folder)
  if (bavail * bsize >= bytes) return
  const mib = (value: number) => `${Math.ceil(value / 2 ** 20)} MiB`
  throw new Error(
    `${folder} has ${mib(bavail * bsize)} left, and ${mib(bytes)} are needed: set TMPDIR, or a smaller --size`,
  )
}
