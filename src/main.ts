import type {Options} from '@oclif/core/interfaces'
import {run} from './cli/app/run.js'
import type {StaticOptions} from './cli/app/staticConfig.js'
import {processRuntime} from './cli/runtime/runtime.js'

/** The files of the package, below a folder or inside the executable (bin/run.cjs). */
interface PackageFiles {
  readonly root: string
  readonly packageFile: (name: string) => Buffer
}

/**
 * Runs one command line in this process and returns its exit code. `options` say where oclif finds the commands: `published`,
 * or the folders of the source (bin/dev.js).
 */
export function main(argv: readonly string[], options: Options): Promise<number> {
  return run(argv, processRuntime(openEmbeddedSandbox), options)
}

async function openEmbeddedSandbox(dir: string) {
  const {embeddedSandbox} = await import('./sandbox/sandbox.js')
  return embeddedSandbox({dir, now: () => new Date()})
}

/** Finds the commands in the manifest and the bundle, without searching. */
export function published({root, packageFile}: PackageFiles): StaticOptions {
  const read = (name: string) => JSON.parse(packageFile(name).toString())
  let details: Buffer | undefined
  const readDetails = (start: number, length: number) => {
    details ??= packageFile('dist/commandDetails.json')
    return details.toString('latin1', start, start + length)
  }
  return {root, pjson: read('package.json'), heads: read('dist/commands.json'), readDetails, loadCommand}
}

/** Commands loaded by this process, for the code cache (bin/run.cjs). */
export const loadedCommands = new Set<string>()

/** esbuild turns the pattern into a table of all commands, each loaded on demand. */
async function loadCommand(id: string) {
  loadedCommands.add(id)
  const {default: command} = await import(`./commands/${id.replaceAll(':', '/')}.ts`)
  return command
}
