import {type ChildProcess, spawn} from 'node:child_process'
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {build} from 'esbuild'

/** The writer as one file, so that a process of it starts fast. */
export interface Writer {
  /** A process of it, from a shell that runs `before` first, such as `umask 0`. */
  startAfter(before: string, ...args: string[]): ChildProcess
  remove(): void
}

/** Bundles the writer into a temporary folder. */
export async function bundleWriter(): Promise<Writer> {
  const folder = mkdtempSync(join(tmpdir(), 'roomctl-writer-'))
  const script = join(folder, 'writer.cjs')
  await build({
    entryPoints: [fileURLToPath(new URL('writer.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: script,
    logLevel: 'error',
  })
  return {
    startAfter: (before, ...args) =>
      spawn('sh', ['-c', `${before}; exec "$@"`, 'sh', process.execPath, script, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    remove: () => rmSync(folder, {recursive: true, force: true}),
  }
}
