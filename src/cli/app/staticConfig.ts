import type {Command} from '@oclif/core/command'
import {Config} from '@oclif/core/config'
import type {Options, PJSON, Topic} from '@oclif/core/interfaces'

/** A command in lists, with the place of its details in the file: the first byte and the length. */
interface Head extends Pick<Command.Cached, 'summary' | 'hidden'> {
  readonly aliases?: string[]
  readonly at: readonly [start: number, length: number]
}

export type Heads = Readonly<Record<string, Head>>

type Details = Partial<Command.Cached>

export interface StaticOptions extends Options {
  readonly pjson: PJSON
  readonly heads: Heads
  readonly readDetails: (start: number, length: number) => string
  readonly loadCommand: (id: string) => Promise<Command.Class>
}

/**
 * oclif's configuration without searching folders, reading files and sorting: a tenth of a start. There are no plugins, themes
 * or hooks.
 */
export class StaticConfig extends Config {
  readonly #given: StaticOptions
  readonly #ids: ReadonlyMap<string, string>
  readonly #commands = new Map<string, Command.Loadable>()
  readonly #topics = new Map<string, Topic>()

  constructor(options: StaticOptions) {
    super(options)
    this.#given = options
    const {pjson, root, heads} = options
    const {bin = pjson.name, dirname = pjson.name, topics = {}} = pjson.oclif
    const platform = process.platform as Config['platform']
    const userAgent = `${pjson.name}/${pjson.version} ${platform}-${process.arch} node-${process.version}`
    Object.assign(this, {pjson, root, bin, dirname, platform, userAgent})
    this.name = pjson.name
    this.version = pjson.version
    this.windows = platform === 'win32'
    this.topicSeparator = ' '
    this.valid = true
    this.#ids = new Map(
      Object.entries(heads).flatMap(([id, {aliases = []}]) => [id, ...aliases].map((name) => [name, id])),
    )
    this.#addTopics(topics)
  }

  override get commands(): Command.Loadable[] {
    return this.commandIDs.flatMap((id) => this.findCommand(id) ?? [])
  }

  override get commandIDs(): string[] {
    return [...this.#ids.keys()]
  }

  override get topics(): Topic[] {
    return [...this.#topics.values()]
  }

  override findCommand(id: string): Command.Loadable
  override findCommand(id: string): Command.Loadable | undefined {
    const known = this.#commands.get(id)
    const name = this.#ids.get(id)
    const head = known === undefined && name !== undefined ? this.#given.heads[name] : undefined
    if (name === undefined || head === undefined) return known
    const {readDetails, loadCommand} = this.#given
    const load = async () => Object.assign(await loadCommand(name), {id: name})
    const command = Object.assign(Object.create(commandPrototype), {
      ...{aliases: [], hiddenAliases: [], ...head, id, load},
      read: (): Details => JSON.parse(readDetails(...head.at)),
    })
    this.#commands.set(id, command)
    return command
  }

  override findTopic(name: string): Topic
  override findTopic(name: string): Topic | undefined {
    return this.#topics.get(name)
  }

  override runHook(): Promise<{successes: []; failures: []}> {
    return Promise.resolve({successes: [], failures: []})
  }

  #addTopics(topics: NonNullable<PJSON['oclif']['topics']>, above = ''): void {
    for (const [name, {subtopics = {}, ...topic}] of Object.entries(topics)) {
      this.#topics.set(`${above}${name}`, {...topic, name: `${above}${name}`})
      this.#addTopics(subtopics, `${above}${name}:`)
    }
  }
}

/** The members that are read on first use. */
export const detailedMembers = ['args', 'changes', 'description', 'examples', 'flags', 'strict', 'usage'] as const

const commandPrototype = Object.defineProperties(
  {},
  Object.fromEntries(
    detailedMembers.map((key) => [
      key,
      {
        get(this: {read: () => Details; details?: Details}) {
          this.details ??= this.read()
          return this.details[key]
        },
      },
    ]),
  ),
)
