import {accessSync, constants, rmSync, statfsSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import type {TestProject} from 'vitest/node'
import {numberedFolder} from './folder.js'

const prefix = 'roomctl-tests-'

/** Linux keeps the files of this folder in memory. */
const memory = '/dev/shm'
const enough = 4 * 2 ** 30

/**
 * One temporary folder for the run of a project, in which the tests and their processes make their own; nothing of it stays.
 * It is in memory if that has space: thousands of small folders, each made and removed, take a tenth of the time on a disk.
 * `full`, which tries what a disk does, gets a disk.
 */
export function setup({name, config}: TestProject): () => void {
  // The first setup of a run finds the folder of the machine; those of other projects find it here.
  process.env.TESTS_DISK ??= tmpdir()
  const onDisk = path.join(process.env.TESTS_DISK, prefix)
  const folder = (name === 'full' ? undefined : folderInMemory()) ?? numberedFolder(onDisk)
  config.env = {...config.env, TMPDIR: folder, TESTS_KEYS: folder}
  // The setups that follow for the project make their files there, too.
  process.env.TMPDIR = folder
  return () => rmSync(folder, {recursive: true, force: true})
}

/** A folder in memory, if that has space and programs may be run from it. */
function folderInMemory(): string | undefined {
  try {
    const {bavail, bsize} = statfsSync(memory)
    if (bavail * bsize < enough) return undefined
    const folder = numberedFolder(path.join(memory, prefix))
    const program = path.join(folder, 'program')
    writeFileSync(program, '', {mode: 0o700})
    accessSync(program, constants.X_OK)
    return folder
  } catch {
    return undefined
  }
}
