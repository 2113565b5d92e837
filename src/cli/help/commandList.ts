import type {Config} from '@oclif/core/config'
import {roomStates} from '../../api/contract/states.js'
import {settingByKey} from '../../storage/profile/settings.js'
import {type CommandDescription, describeCommand, effectOf, type FlagHelp, usageOf} from './commandHelp.js'
import {type FieldFile, type ListedField, listedFields, readFieldFile} from './fields.js'
import {readPackaged} from './topicPages.js'

/** A command as programs read it: `roomctl help -o json` is an array of these. */
export interface ListedCommand {
  readonly name: string
  readonly aliases: readonly string[]
  readonly summary: string
  readonly description: string
  readonly usage: string
  /** Whether it changes something at a service. */
  readonly changes: boolean
  readonly arguments: readonly ListedArgument[]
  /** Its own flags. */
  readonly flags: readonly Readonly<ReturnType<typeof listedFlag>>[]
  /** The names of the common flags that it takes: `roomctl help flags -o json` has them. */
  readonly common_flags: readonly string[]
  readonly examples: CommandDescription['examples']
  /** The exit codes it can end with, except internal errors; signals only if it then stops in order. */
  readonly exits: readonly number[]
  /** The fields of its JSON answer, of one item if it is a list, and of their members; null if it has no schema. */
  readonly fields: readonly ListedField[] | null
}

interface ListedArgument {
  readonly name: string
  readonly required: boolean
  readonly multiple: boolean
  readonly summary: string
}

/** The commands that `words` name: one, those of a topic, or all without any word; undefined if they name none of these. */
export function listCommands(words: readonly string[], config: Config): ListedCommand[] | undefined {
  const id = words.join(':')
  const command = config.findCommand(id)
  if (!command && id !== '' && !config.findTopic(id)) return undefined
  const named = command ? [command] : config.commands.filter((command) => id === '' || command.id.startsWith(`${id}:`))
  const fields = readFieldFile(config.root)
  const exits: Readonly<Record<string, readonly number[]>> = JSON.parse(
    readPackaged(config.root, 'docs/exits.json'),
  ).commands
  return named
    .filter(({id: commandId, aliases, hidden}) => command !== undefined || !(hidden || aliases.includes(commandId)))
    .map((command) => listed(describeCommand(command), fields, exits))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function listed(
  command: CommandDescription,
  fields: FieldFile,
  exits: Readonly<Record<string, readonly number[]>>,
): ListedCommand {
  const {name, aliases, summary, description, changes, flags, common, examples} = command
  const forms = fields[name]
  return {
    ...{name, aliases, summary, description: description.replace(/(?<!\n)\n(?!\n)/gu, ' '), usage: usageOf(command)},
    changes,
    arguments: command.arguments.map((word) => ({
      name: word.name,
      required: word.required === true,
      multiple: word.multiple === true,
      summary: word.description ?? '',
    })),
    flags: flags.map(listedFlag),
    common_flags: common.map((flag) => flag.name),
    examples,
    exits: exits[name] ?? [],
    fields: forms === undefined ? null : listedFields(forms),
  }
}

export function listedFlag(flag: FlagHelp) {
  const isOption = flag.type === 'option'
  const usual: unknown = isOption ? flag.default : flag.type === 'boolean' && flag.default === true
  return {
    name: flag.name,
    char: flag.char ?? null,
    type: isOption ? 'string' : 'boolean',
    /** The values that it takes, of a state those of the document; null for any. */
    values: isOption ? valuesOf(flag) : null,
    default: typeof usual === 'string' || typeof usual === 'boolean' ? usual : null,
    required: flag.required === true,
    multiple: isOption && flag.multiple === true,
    summary: effectOf(flag),
  }
}

const enumerated: Readonly<Record<string, readonly string[] | undefined>> = {
  output: settingByKey('output').kind.choices,
  status: roomStates,
  'until-status': roomStates,
}

function valuesOf({name, options, helpValue}: Extract<FlagHelp, {type: 'option'}>): readonly string[] | null {
  const form = String(helpValue ?? '')
  return options ?? enumerated[name] ?? (/^[\w-]+(?:\|[\w-]+)+$/u.test(form) ? form.split('|') : null)
}
