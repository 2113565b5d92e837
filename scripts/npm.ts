import {execFileSync} from 'node:child_process'

/** Runs npm quietly and gives back its stdout; its errors go to stderr, and a failure is thrown. */
export function npm(args: readonly string[], options: {cwd?: string; env?: NodeJS.ProcessEnv} = {}): string {
  return execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
