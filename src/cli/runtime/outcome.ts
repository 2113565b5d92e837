import {stripVTControlCharacters} from 'node:util'
import {type Exit, exits} from '../../api/contract/failure.js'
import type {Service} from '../../api/contract/operation.js'
import type {OutputWriter} from '../../terminal/output.js'
import type {Style} from '../../text/style.js'
import {safeLines} from '../../text/text.js'

/** How a command speaks on stderr. */
export interface Manner {
  /** Whether stderr carries the failure as one JSON object (product §3). */
  readonly machine: boolean
  readonly style: Style
  /** A screen reader reads: a place is said in words, and not pointed at. */
  readonly plain: boolean
  readonly debug: boolean
  /** Whether there is such a command (`room:delete`). */
  readonly isCommand: (id: string) => boolean
  /** The profile that the command line named, where it did: what is advised has to name it as well. */
  readonly profile?: string | undefined
  /** The token of a service that the environment holds: it is used whatever `config login` stores. */
  readonly envToken?: (service: Service) => string | undefined
}

/**
 * What a command says beside its result, and how it ends. Whatever a text repeats that was not made safe before steers no terminal;
 * the secrets in it are masked where it leaves (`session.ts`).
 */
export class CommandOutcome {
  readonly #stderr: OutputWriter
  #manner: Manner
  /** What was said under a machine format and waits for the end of the command, since a failure takes it along (product §3). */
  readonly held: string[] = []
  /** The exit code of a command that ended well and yet not with 0: some targets failed, a check said no. */
  exitCode = 0

  /** `manner`: as far as argv alone shows it. */
  constructor(stderr: OutputWriter, manner: Manner) {
    this.#stderr = stderr
    this.#manner = manner
  }

  get manner(): Manner {
    return this.#manner
  }

  /** Takes what the settings of the command say of its manner. */
  settle(known: Partial<Manner>): void {
    this.#manner = {...this.#manner, ...known}
  }

  /** Ends the command with this exit once its result is out. */
  readonly endWith = (exit: Exit): void => {
    this.exitCode = exits[exit].code
  }

  /** A line on stderr: hints, warnings. Under a machine format it waits for the end, except with --debug, whose user reads along. */
  readonly warn = (text: string): void => {
    const {machine, debug} = this.#manner
    if (machine && !debug) this.held.push(stripVTControlCharacters(safeLines(text)))
    else this.progress(text)
  }

  /** The same at once, behind what waits: progress, and what is news only now. */
  readonly progress = (text: string): void => {
    void this.#write([...this.held.splice(0), safeLines(text)])
  }

  /** Writes what waits. */
  async release(): Promise<void> {
    if (this.held.length > 0) await this.#write(this.held.splice(0))
  }

  #write(lines: readonly string[]): Promise<unknown> {
    return this.#stderr.write(lines.map((line) => `${line}\n`).join(''))
  }
}
