import type {ChildProcess} from 'node:child_process'

/** The end of a process. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Stderr without the lines that only a slow machine gets: what a command waits for once it has been silent for two seconds. */
export function withoutWaits(stderr: string): string {
  return stderr.replaceAll(/^(?:waiting for \S+: \d+ s|reading [\w ]+: \d+ of \d+)\n/gmu, '')
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
    child.on('close', (code) => resolve({code, stdout, stderr: withoutWaits(stderr)}))
  })
}
