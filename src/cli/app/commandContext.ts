import type {Config} from '@oclif/core/config'
import type {Options} from '@oclif/core/interfaces'
import type {CommandOutcome} from '../errors/errorHandler.js'
import type {Runtime} from '../runtime/runtime.js'

/** What run.ts hands to the command through oclif: the world, and the way out of it. */
export interface CommandContext {
  readonly runtime: Runtime
  readonly outcome: CommandOutcome
}

/** A symbol, so that oclif copies it with its options yet nothing ever prints or serialises it. */
const station = Symbol('station')

/** oclif's options with the station aboard. */
export function withCommandContext(options: Options, own: CommandContext): Options {
  return {...options, [station]: own} as Options
}

/** The station of the command that oclif made with this config. */
export function commandContextOf(config: Config): CommandContext {
  // oclif keeps the options it was given, unknown members included, but its type names only its own.
  const own = (config.options as Options & {[station]?: CommandContext})[station]
  if (!own) throw new Error('the command was not started by run.ts')
  return own
}
