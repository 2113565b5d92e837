import type {Command} from '@oclif/core/command'
import {Plugin} from '@oclif/core/config'
import type {Manifest, PJSON} from '@oclif/core/interfaces'

/** What a plugin is made of when nothing has to be looked for. */
interface StaticParts {
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
  constructor({root, pjson, manifest, load}: StaticParts) {
    super({root, pjson, isRoot: true, name: pjson.name})
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
    // The loader is added in place: a copy would read what is read only on demand (joinManifest).
    this.commands = Object.entries(manifest.commands).map(([id, head]) =>
      // As oclif's own plugins do: a command knows its id.
      Object.assign(head, {load: async () => Object.assign(await load(id), {id})}),
    )
  }
}

/** What only the help of a command shows, and most of a manifest. */
type Details = Pick<Command.Cached, 'flags' | 'examples'>

interface SplitManifest {
  /** All commands, most without their details. */
  readonly heads: Readonly<Record<string, Partial<Details> & Record<string, unknown>>>
  /** The details that the heads are without. */
  readonly details: Readonly<Record<string, Details>>
}

/**
 * Splits oclif's manifest, for the build: what every start needs to know of every command, and what is read when
 * somebody asks. A command with aliases stays whole, because oclif copies it for each of them at every start.
 */
export function splitManifest({commands}: Manifest): SplitManifest {
  const whole = Object.entries(commands).filter(([, {aliases}]) => aliases.length > 0)
  const apart = Object.entries(commands).filter(([, {aliases}]) => aliases.length === 0)
  return {
    heads: Object.fromEntries([...whole, ...apart.map(([id, {flags, examples, ...head}]) => [id, head])]),
    details: Object.fromEntries(apart.map(([id, {flags, examples}]) => [id, {flags, examples}])),
  }
}

/** The manifest again; `readDetails` is called once, when the flags or examples of a command are read. */
export function joinManifest(
  heads: SplitManifest['heads'],
  version: string,
  readDetails: () => SplitManifest['details'],
): Manifest {
  let details: SplitManifest['details'] | undefined
  const detailsOf = (id: string) => {
    details ??= readDetails()
    return details[id]
  }
  for (const [id, head] of Object.entries(heads)) {
    if (!('flags' in head)) addDetails(head, () => detailsOf(id))
  }
  // The heads came from a manifest and are complete again.
  return {version, commands: heads as unknown as Manifest['commands']}
}

function addDetails(head: object, details: () => Details | undefined): void {
  Object.defineProperties(head, {
    flags: {enumerable: true, get: () => details()?.flags},
    examples: {enumerable: true, get: () => details()?.examples},
  })
}
