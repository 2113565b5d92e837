import type {Command} from '@oclif/core/command'
import {Plugin} from '@oclif/core/config'
import type {Manifest, PJSON} from '@oclif/core/interfaces'

/** What a plugin is made of when nothing has to be looked for. */
export interface StaticParts {
  /** The folder of package.json. */
  readonly root: string
  readonly pjson: PJSON
  readonly manifest: Manifest
  /** Loads the class of a command by its id, such as `room:list`. */
  readonly load: (id: string) => Promise<Command.Class>
}

/**
 * oclif's plugin, told everything it would otherwise find out by searching folders, reading files and sorting: a
 * tenth of a start. With plugins given, oclif loads no others, and runs no hooks but those named in `hooks`: none.
 */
export class StaticPlugin extends Plugin {
  readonly #load: StaticParts['load']

  constructor({root, pjson, manifest, load}: StaticParts) {
    super({root, pjson, isRoot: true, name: pjson.name})
    this.#load = load
    this.root = root
    this.pjson = pjson
    this.name = pjson.name
    this.alias = pjson.name
    this.version = pjson.version
    this.type = 'core'
    this.moduleType = 'commonjs'
    this.isRoot = true
    this.valid = true
    this.hooks = {}
    this.hasManifest = true
    this.manifest = manifest
    this.commandIDs = Object.keys(manifest.commands)
    this.commands = Object.values(manifest.commands).map((command) => this.#loadable(command))
  }

  /** Adds the loader in place: a copy would read what is read only on demand (splitManifest.ts). */
  #loadable(command: Command.Cached): Command.Loadable {
    return Object.assign(command, {load: () => this.findCommand(command.id)})
  }

  override async findCommand(id: string): Promise<Command.Class> {
    const command = await this.#load(id)
    command.id = id
    command.plugin = this
    return command
  }
}
