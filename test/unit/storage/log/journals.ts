import {spawn} from 'node:child_process'
import {readFileSync, statSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import process from 'node:process'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'
import type {JournalEntry, JournalPlace} from '../../../../src/storage/journal.js'
import {asides} from '../../../../src/storage/log/rotate.js'
import {freshFolder, numberedFolder} from '../../../support/folder.js'

export const entry: JournalEntry = {
  at: '2026-12-01T12:00:00.000Z',
  profile: 'work',
  operation: 'attendee.block',
  targets: {roomId: 'r-1', attendees: ['ben']},
  as: 'ann',
  outcome: 'done',
}

export const mode = (path: string) => statSync(path).mode & 0o777

/** A state folder that is not there yet; gone after the test. */
export function newFolder(): string {
  const parent = freshFolder()
  return join(parent, 'state', 'roomctl')
}

/** The lines of a journal with those that were put aside, the oldest first. */
export function linesOf(path: string): string[] {
  const files = [...asides(path).map((aside) => aside.path), path]
  return files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
}

let script: Promise<string> | undefined

async function built(): Promise<string> {
  const outfile = join(numberedFolder(join(tmpdir(), 'roomctl-journal-')), 'writer.cjs')
  await build({
    entryPoints: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile,
    logLevel: 'error',
  })
  return outfile
}

/** A process that writes `count` lines of about `size` bytes to a journal, from a shell that runs `before` first. */
export async function write(before: string, {path}: JournalPlace, name: string, count: number, size = 0) {
  script ??= built()
  const words = [process.execPath, await script, dirname(path), name, String(count), String(size)]
  const child = spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', ...words], {stdio: ['ignore', 'ignore', 'pipe']})
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise<{code: number | null; stderr: string}>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({code, stderr}))
  })
}
