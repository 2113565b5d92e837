import {execFileSync, spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'
import {fileURLToPath} from 'node:url'

/** What to run and how to answer it; every member is explained in pty.py. */
export interface TerminalScript {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly columns?: number
  readonly rows?: number
  readonly pipes?: readonly ('stdin' | 'stdout' | 'stderr')[]
  readonly input?: string
  readonly steps?: readonly {
    readonly expect?: string
    readonly file?: string
    readonly send?: string
    readonly resize?: readonly [number, number]
    readonly kill?: 'SIGINT' | 'SIGTERM' | 'SIGHUP'
    readonly hangup?: boolean
  }[]
  /** Seconds. */
  readonly timeout?: number
}

export interface TerminalRun {
  readonly terminal: string
  readonly text: string
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | null
  readonly signal: number | null
  readonly timed_out: boolean
  readonly waiting: string | null
  readonly kept: boolean | null
}

const driver = fileURLToPath(new URL('pty.py', import.meta.url))
let python: string | undefined

/** The interpreter itself: what is called python3 may be a script that looks for it at each start. */
export function pythonProgram(): string {
  python ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {encoding: 'utf8'}).trim()
  return python
}

/** Runs a program on a real pseudo-terminal, types the answers when their questions appear, and tells what was seen. */
export async function onTerminal(script: TerminalScript): Promise<TerminalRun> {
  const child = spawn(pythonProgram(), ['-I', '-S', driver], {stdio: ['pipe', 'pipe', 'inherit']})
  child.stdin.end(JSON.stringify(script))
  return JSON.parse(await text(child.stdout)) as TerminalRun
}
