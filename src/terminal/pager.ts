import {OutputWriter} from './output.js'

type Env = Readonly<Record<string, string | undefined>>

export interface Pager {
  readonly output: OutputWriter
  /** Waits for its end; says how it failed, if it did. */
  close(): Promise<string | undefined>
}

/**
 * The command for `less`: exit if all fits (F), colours (R), leave the text on the screen (X). Undefined if there is no `less` or a
 * reduced one such as BusyBox's.
 */
export function usualPager(env: Env): string | undefined {
  const {spawnSync} = process.getBuiltinModule('node:child_process')
  const {stdout} = spawnSync('less', ['--version'], {env, encoding: 'utf8', timeout: 2000})
  return /^less \d+/u.test(stdout ?? '') ? 'less -FRX' : undefined
}

interface PagerPlace {
  readonly env: Env
  /** Ends it. */
  readonly signal: AbortSignal
}

/**
 * Starts the pager on the terminal, by default the installed one: `line` is for the shell, as POSIX says of PAGER. LESS lets colours through,
 * and is FRX unless it is set already. Undefined without a pager.
 */
export async function startPager(line: string | undefined, {env, signal}: PagerPlace): Promise<Pager | undefined> {
  const command = line ?? usualPager(env)
  if (command === undefined) return undefined
  const {spawn} = process.getBuiltinModule('node:child_process')
  const {LESS: options} = env
  const LESS = options === undefined ? 'FRX' : `-R ${options}`
  const child = spawn(command, {shell: true, stdio: ['pipe', 'inherit', 'inherit'], env: {...env, LESS}})
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', () => resolve('cannot be started'))
    child.once('close', (code) => resolve(code === 0 || signal.aborted ? undefined : `failed: ${command}`))
  })
  const output = new OutputWriter(child.stdin)
  const end = () => void child.kill()
  if (signal.aborted) end()
  signal.addEventListener('abort', end, {once: true})
  return {
    output,
    close: () => {
      child.stdin.end()
      return ended
    },
  }
}
