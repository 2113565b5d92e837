import type {Config} from '@oclif/core/config'
import {CommandHelp, Help} from '@oclif/core/help'
import {colorLevel} from '../terminal/color.js'
import type {Runtime} from './runtime.js'

/** A command's help, whose summary stands at its top already and is not said again. */
class OneCommandHelp extends CommandHelp {
  protected override description(): string | undefined {
    const {description} = this.command
    return description === undefined ? undefined : this.wrap(description.replace(/\s*\n\s*/gu, ' '))
  }
}

/** oclif's help, gathered and written to the runtime's stdout under its own rules for colour. */
export class CommandsHelp extends Help {
  protected override CommandHelpClass = OneCommandHelp
  readonly #runtime: Runtime
  #text = ''

  constructor(config: Config, runtime: Runtime) {
    const {stdout, env} = runtime
    super(config, {
      ...config.pjson.oclif.helpOptions,
      docopts: false,
      stripAnsi: colorLevel({isTTY: stdout.isTerminal}, {env}) === 0,
      maxWidth: Math.min(stdout.columns ?? 100, 120),
    })
    this.#runtime = runtime
  }

  protected override log(...lines: string[]): void {
    this.#text += `${lines.join('\n')}\n`
  }

  async print(): Promise<void> {
    await this.#runtime.stdout.write(this.#text.replace(/\n+$/u, '\n'))
  }
}
