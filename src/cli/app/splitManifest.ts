import type {Command} from '@oclif/core/command'
import type {Manifest} from '@oclif/core/interfaces'

/** What only the help of a command shows, and most of a manifest. */
type Details = Pick<Command.Cached, 'flags' | 'examples'>

export interface SplitManifest {
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
