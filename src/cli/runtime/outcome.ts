import {stripVTControlCharacters} from 'node:util'
import {type Exit, exits} from '../../api/contract/failure.js'
import type {Service} from '../../api/contract/operation.js'
import type {OutputWriter} from '../../terminal/output.js'
import type {Style} from '../../text/style.js'
import {safeLines} from '../../text/text.js'

export interface Manner {
  /** Whether stderr carries the failure as one JSON object (product §3). */
  readonly machine: boolean
  readonly style: Style
  /** For a screen reader: a position is described in words instead of marked. */
  readonly plain: boolean
  readonly debug: boolean
  /** Whether a command has this id (`room:delete`). */
  readonly isCommand: (id: string) => boolean
  /** The command that runs: `room list`. */
  readonly command?: string
  /** The profile, if the command line named it: advice must repeat it. */
  readonly profile?: string | undefined
  /** The token of a service in the environment, which wins over a stored one. */
  readonly envToken?: (service: Service) => string | undefined
}

/**
 * What a command says besides its result, and its exit code. Texts are made safe here and masked where they leave
 * (`session.ts`).
 */
export class CommandOutcome {
  readonly #stderr: OutputWriter
  #manner: Manner
  /** Messages under a machine format, which wait for the end of the command: a failure includes them (product §3). */
  readonly held: string[] = []
  /** The exit code of a command that succeeded but not with 0: a partial failure, a failed check. */
  exitCode = 0

  /** `manner`: as far as argv shows it. */
  constructor(stderr: OutputWriter, manner: Manner) {
    this.#stderr = stderr
    this.#manner = manner
  }

  get manner(): Manner {
    return this.#manner
  }

  settle(known: Partial<Manner>): void {
    this.#manner = {...this.#manner, ...known}
  }

  readonly endWith = (exit: Exit): void => {
    this.exitCode = exits[exit].code
  }

  /** A warning or hint on stderr. Under a machine format it waits for the end, except with --debug. */
  readonly warn = (text: string): void => {
    const {machine, debug} = this.#manner
    if (machine && !debug) this.held.push(stripVTControlCharacters(safeLines(text)))
    else this.progress(text)
  }

  /** A line on stderr at once, after the waiting ones. */
  readonly progress = (text: string): void => {
    void this.#write([...this.held.splice(0), safeLines(text)])
  }

  async release(): Promise<void> {
    if (this.held.length > 0) await this.#write(this.held.splice(0))
  }

  #write(lines: readonly string[]): Promise<unknown> {
    return this.#stderr.write(lines.map((line) => `${line}\n`).join(''))
  }
}
