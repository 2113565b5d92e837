import {execFileSync, spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import {afterFile} from './afterFile.js'
import {numberedFolder} from './folder.js'

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

const program = fileURLToPath(new URL('pty.py', import.meta.url))
let python: string | undefined

/** The interpreter itself: what is called python3 may be a script that looks for it at each start. */
export function pythonProgram(): string {
  python ??= execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], {encoding: 'utf8'}).trim()
  return python
}

interface Driver {
  run(script: TerminalScript): Promise<TerminalRun>
  end(): Promise<void>
}

let driver: Driver | undefined

function startDriver(): Driver {
  const folder = numberedFolder(path.join(tmpdir(), 'roomctl-terminals-'))
  const child = spawn(pythonProgram(), ['-I', '-S', program], {stdio: ['pipe', 'pipe', 'inherit']})
  const closed = once(child, 'close')
  const waiting = new Map<string, () => void>()
  createInterface({input: child.stdout}).on('line', (file) => waiting.get(file)?.())
  return {
    async run(script) {
      const file = path.join(folder, `${waiting.size}.json`)
      const seen = new Promise<void>((resolve) => waiting.set(file, resolve))
      child.stdin.write(`${JSON.stringify({script, file})}\n`)
      await Promise.race([seen, closed])
      return JSON.parse(readFileSync(file, 'utf8')) as TerminalRun
    },
    async end() {
      child.stdin.end()
      await closed
      rmSync(folder, {recursive: true})
    },
  }
}

/**
 * Runs a program on a real pseudo-terminal, types the answers when their questions appear, and returns the screen. One process of
 * Python serves all terminals of a test file.
 */
export function onTerminal(script: TerminalScript): Promise<TerminalRun> {
  if (!driver) afterFile(endTerminals)
  driver ??= startDriver()
  return driver.run(script)
}

/** Ends the process of the terminals, where no test file does so. */
export async function endTerminals(): Promise<void> {
  const its = driver
  driver = undefined
  await its?.end()
}
