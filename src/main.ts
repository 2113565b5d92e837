import {closeSync, openSync, readFileSync, readSync} from 'node:fs'
import type {Options} from '@oclif/core/interfaces'
import {run} from './cli/app/run.js'
import type {StaticOptions} from './cli/app/staticConfig.js'
import {processRuntime} from './cli/runtime/runtime.js'

/**
 * Runs one command line in this process and returns its exit code. `options` say where oclif finds the commands: `published`,
 * or the folders of the source (bin/dev.js).
 */
export function main(argv: readonly string[], options: Options): Promise<number> {
  const digestThread = `${options.root}/dist/cold/digestThread.cjs`
  return run(argv, processRuntime({sandbox: openEmbeddedSandbox, digestThread}), options)
}

async function openEmbeddedSandbox(dir: string) {
  const {embeddedSandbox} = await import('./sandbox/sandbox.js')
  return embeddedSandbox({dir, now: () => new Date()})
}

/** Finds the commands in the manifest and the bundle, without searching. */
export function published(root: string): StaticOptions {
  const read = (file: string) => JSON.parse(readFileSync(`${root}/${file}`, 'utf8'))
  const readDetails = (start: number, length: number) => readPart(`${root}/dist/commandDetails.json`, start, length)
  return {root, pjson: read('package.json'), heads: read('dist/commands.json'), readDetails, loadCommand}
}

function readPart(file: string, start: number, length: number): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(length)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes, 0, length, start))
  } finally {
    closeSync(descriptor)
  }
}

/** Commands loaded by this process, for the code cache (bin/run.cjs). */
export const loadedCommands = new Set<string>()

/** esbuild turns the pattern into a table of all commands, each loaded on demand. */
async function loadCommand(id: string) {
  loadedCommands.add(id)
  const {default: command} = await import(`./commands/${id.replaceAll(':', '/')}.ts`)
  return command
}
