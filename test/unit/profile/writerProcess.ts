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

/** What became of a process. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits for the end of a process and of its output. */
export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({code, stdout, stderr}))
  })
}
