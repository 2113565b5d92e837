import {readFileSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {localFlags, serviceFlags} from '../../src/cli/flags/flags.js'

type Cached = Manifest['commands'][string]
export type Flag = Cached['flags'][string]
export type Argument = Cached['args'][string]

/** A line of a command's help that shows how it is used. */
export interface Example {
  readonly description: string
  /** As one types it into a shell. */
  readonly line: string
}

/** A command as its help describes it. */
export interface DocumentedCommand {
  /** `room list`. */
  readonly name: string
  /** `room`; a command without a topic has an empty one. */
  readonly topic: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly description: string
  readonly arguments: readonly Argument[]
  /** By their names; those of every command too. */
  readonly flags: readonly Flag[]
  readonly examples: readonly Example[]
  /** Below the root: `src/commands/room/list.ts`. */
  readonly source: string
}

/** Flags of every command, and those that only the callers of a service have. */
export const commonFlags = {
  everywhere: Object.keys(localFlags),
  services: Object.keys(serviceFlags).filter((name) => !(name in localFlags)),
}

/** Every command in the manifest of the last build that is not hidden, by name. */
export function readCommands(root: string): DocumentedCommand[] {
  return documentedCommands(JSON.parse(readFileSync(path.join(root, 'dist/oclif.manifest.json'), 'utf8')))
}

/** Every command of a manifest that is not hidden, by name. */
export function documentedCommands({commands}: Manifest): DocumentedCommand[] {
  return Object.values(commands)
    .filter(({hidden}) => hidden !== true)
    .map(documented)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function documented({id, aliases, summary, description, args, flags, examples}: Cached): DocumentedCommand {
  return {
    name: words(id),
    topic: id.includes(':') ? words(id.slice(0, id.lastIndexOf(':'))) : '',
    aliases: aliases.map(words),
    summary: summary ?? '',
    description: description ?? '',
    arguments: Object.values(args),
    flags: Object.values(flags).sort((a, b) => (a.name < b.name ? -1 : 1)),
    examples: (examples ?? []).map(example),
    source: `src/commands/${id.replaceAll(':', '/')}.ts`,
  }
}

function words(id: string): string {
  return id.replaceAll(':', ' ')
}

function example(given: string | {description?: string; command: string}): Example {
  const {description = '', command} = typeof given === 'string' ? {command: given} : given
  return {description, line: command.replaceAll('<%= config.bin %>', 'roomctl')}
}

/** The file of a command's page in docs/commands. */
export function pageOf(command: string): string {
  return `${command.replaceAll(' ', '-')}.md`
}
