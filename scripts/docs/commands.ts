import {readFileSync} from 'node:fs'
import path from 'node:path'
import type {Manifest} from '@oclif/core/interfaces'
import {type CommandDescription, describeCommand} from '../../src/cli/help/commandHelp.js'

/** A command as its pages describe it. */
export interface DocumentedCommand extends CommandDescription {
  /** Below the root: `src/commands/room/list.ts`. */
  readonly source: string
}

/** Every command in the manifest of the last build that is not hidden, by name. */
export function readCommands(root: string): DocumentedCommand[] {
  return documentedCommands(JSON.parse(readFileSync(path.join(root, 'dist/oclif.manifest.json'), 'utf8')))
}

/** Every command of a manifest that is not hidden, by name. */
export function documentedCommands({commands}: Manifest): DocumentedCommand[] {
  return Object.values(commands)
    .filter(({hidden}) => hidden !== true)
    .map((command) => ({...describeCommand(command), source: `src/commands/${command.id.replaceAll(':', '/')}.ts`}))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** The file of a command's page in docs/commands. */
export function pageOf(command: string): string {
  return `${command.replaceAll(' ', '-')}.md`
}
