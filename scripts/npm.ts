import {execFileSync} from 'node:child_process'
import {_parse} from 'cross-spawn'

/** Runs npm quietly and returns its stdout; its errors go to stderr. Throws on failure. */
export function npm(args: readonly string[], options: {cwd?: string; env?: NodeJS.ProcessEnv} = {}): string {
  // On Windows npm is a .cmd file, which no program but cmd.exe starts.
  const npm = _parse('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], options)
  return execFileSync(npm.command, npm.args, {...npm.options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit']})
}
