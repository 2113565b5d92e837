import {execFileSync, spawn} from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import {afterFile} from './afterFile.js'
import {withoutWaits} from './ended.js'

/** A line for the built program or for bash, and where it is typed. */
export type Line = ({readonly words: readonly string[]} | {readonly shell: string}) & {
  readonly cwd: string
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>
}

/** The exit and output of a line. */
export interface LineEnd {
  readonly stdout: string
  readonly stderr: string
  /** The exit code; null if the line waited for what never came. */
  readonly exit: number | null
}

/** An installed package and the Node that runs it, in the place of the built program. */
interface InstalledPackage {
  readonly root: string
  readonly node: string
}

/**
 * Runs lines of a test file by the built program, all in one process, each once the one before has ended: for what a process of its own
 * for each line would show no better. `flags` are Node's, `within` are words before it.
 */
export function inOneProcess(
  flags: readonly string[] = [],
  within: readonly string[] = [],
  installed?: InstalledPackage,
): (line: Line) => Promise<LineEnd> {
  const script = path.join(import.meta.dirname, 'runLines.cjs')
  const [program = '', ...rest] = [...within, installed?.node ?? process.execPath, ...flags, script]
  const env = {...process.env, ...(installed && {PACKAGE_ROOT: installed.root})}
  const child = spawn(program, rest, {env, stdio: ['ignore', 'pipe', 'pipe', 'ipc']})
  const closed = new Promise((resolve) => child.once('close', resolve))
  afterFile(() => {
    child.kill('SIGKILL')
    return closed
  })
  return (line) =>
    new Promise((resolve, reject) => {
      const written = {stdout: '', stderr: ''}
      const look = () => {
        const end = endOf(written)
        if (!end) return
        for (const name of ['stdout', 'stderr'] as const) child[name]?.removeAllListeners('data')
        child.off('close', gone)
        resolve(end)
      }
      const gone = () => reject(new Error(`the process ended at ${JSON.stringify(line)}: ${written.stderr}`))
      child.once('close', gone)
      for (const name of ['stdout', 'stderr'] as const) {
        child[name]?.setEncoding('utf8').on('data', (piece: string) => {
          written[name] += piece
          look()
        })
      }
      child.send(line)
    })
}

function endOf({stdout, stderr}: Pick<LineEnd, 'stdout' | 'stderr'>): LineEnd | undefined {
  const [, said = '', exit] = /^([^\0]*)\0(\d+|undefined)\0$/u.exec(stderr) ?? []
  if (exit === undefined || !stdout.endsWith('\0')) return undefined
  return {stdout: stdout.slice(0, -1), stderr: withoutWaits(said), exit: exit === 'undefined' ? null : Number(exit)}
}

/** Whether a line is one call of roomctl with no more of the shell in it than quotes, so that it needs no process of its own. */
export function isPlain(line: string): boolean {
  const unquoted = line.replaceAll('\\\n', ' ').replaceAll(/'[^']*'|"[^"$`\\]*"/gu, '')
  // A watch with a time limit ends its process, and a served sandbox is ended.
  return /^roomctl (?!room watch|sandbox start)[^|<>;&$`*?[~\\\n]*$/u.test(unquoted)
}

/** The words of each line that is one call of roomctl, as sh takes them apart. */
export function wordsOf(lines: readonly string[]): string[][] {
  const script = ["roomctl() { printf '%s\\0' \"$@\" '\\n'; }", ...lines].join('\n')
  const words = execFileSync('sh', ['-c', script], {encoding: 'utf8'})
  return words.split('\\n\0').map((text) => text.split('\0').slice(0, -1))
}
