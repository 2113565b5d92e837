import type {Candidate} from './candidate.js'

/** A flag, as far as completion asks: what oclif's manifest has. */
export interface KnownFlag {
  readonly name: string
  readonly char?: string | undefined
  readonly type: 'boolean' | 'option'
  readonly summary?: string | undefined
  readonly hidden?: boolean | undefined
  readonly multiple?: boolean | undefined
  readonly allowNo?: boolean | undefined
  readonly helpValue?: unknown
  readonly options?: readonly string[] | undefined
  readonly exclusive?: readonly unknown[] | undefined
}

export interface KnownArgument {
  readonly name: string
  readonly multiple?: boolean | undefined
  readonly options?: readonly string[] | undefined
}

export interface KnownCommand {
  /** `room:list`. */
  readonly id: string
  readonly aliases: readonly string[]
  readonly hidden?: boolean | undefined
  readonly summary?: string | undefined
  readonly args: Readonly<Record<string, KnownArgument>>
  readonly flags: Readonly<Record<string, KnownFlag>>
}

export interface KnownTopic {
  readonly name: string
  readonly description?: string | undefined
}

/** The commands of the tool, by the words that they are typed with. */
export class CommandTable {
  readonly #commands = new Map<string, KnownCommand>()
  readonly #topics: ReadonlyMap<string, KnownTopic>

  constructor(commands: readonly KnownCommand[], topics: readonly KnownTopic[]) {
    this.#topics = new Map(topics.map((topic) => [topic.name, topic]))
    for (const command of commands) {
      if (!command.hidden) for (const id of [command.id, ...command.aliases]) this.#commands.set(id, command)
    }
  }

  find(words: readonly string[]): KnownCommand | undefined {
    return this.#commands.get(words.join(':'))
  }

  /** Whether commands begin with these words. */
  isTopic(words: readonly string[]): boolean {
    const beginning = `${words.join(':')}:`
    return words.length === 0 || [...this.#commands.keys()].some((id) => id.startsWith(beginning))
  }

  /** What can stand behind these words: topics and commands, by their names. */
  next(words: readonly string[]): Candidate[] {
    const beginning = words.map((word) => `${word}:`).join('')
    const found = new Map<string, string | undefined>()
    for (const [id, {summary}] of this.#commands) {
      if (!id.startsWith(beginning)) continue
      const [value = '', ...deeper] = id.slice(beginning.length).split(':')
      const isTopic = deeper.length > 0
      found.set(value, isTopic ? this.#topics.get(beginning + value)?.description : summary)
    }
    return [...found].sort(byName).map(([value, description]) => ({value, description}))
  }
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}
