import {execFile} from 'node:child_process'
import {promisify} from 'node:util'
import {Interrupted} from '../../terminal/questions.js'

interface ProgramRun {
  readonly ms: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
  readonly platform: string
}

/**
 * Runs a program without a shell and returns its stdout. Windows starts `.cmd` and `.bat` files, as gcloud and az are, by cmd.exe
 * alone, which splits arguments by rules of its own: cross-spawn quotes them. Throws Interrupted, and what execFile throws.
 */
export async function runProgram([file = '', ...args]: readonly string[], run: ProgramRun): Promise<string> {
  const {ms, env, signal, platform} = run
  // A program that ignores SIGTERM would keep this process running.
  const limits = {
    encoding: 'utf8',
    timeout: ms,
    killSignal: 'SIGKILL',
    maxBuffer: 1024 * 1024,
    windowsHide: true,
  } as const
  const {
    command,
    args: words,
    options,
  } = platform === 'win32'
    ? (await import('cross-spawn'))._parse(file, args, {env})
    : {command: file, args, options: {env}}
  const {stdout} = await promisify(execFile)(command, words, {...options, ...limits, signal}).catch((error) => {
    throw signal.aborted ? new Interrupted() : error
  })
  return stdout
}
