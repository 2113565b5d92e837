import {type SpawnSyncOptions, spawnSync} from 'node:child_process'
import path from 'node:path'

/** Runs tests of a folder, started by Node: on Windows npx is a .cmd file. Gives the exit code, null after a time limit. */
export function vitest(words: readonly string[], options: SpawnSyncOptions & {readonly cwd: string}): number | null {
  const program = path.join(options.cwd, 'node_modules/vitest/vitest.mjs')
  return spawnSync(process.execPath, [program, 'run', ...words], options).status
}
