import type {Operation} from '../../src/api/contract/operation.js'
import {argumentForm, groupsOf, usageOf} from '../../src/cli/help/commandHelp.js'
import {type FieldFile, fieldBlocks} from '../../src/cli/help/fields.js'
import {exits} from '../../src/failure.js'
import {type DocumentedCommand, pageOf} from './commands.js'
import {endingsOf} from './endings.js'
import {commonNames, flagTable} from './flagTables.js'
import {block, code, either, page, prose, sentence, table} from './markdown.js'

/** The page of one command; `operations` are those it calls, `forms` the schemas of its answer. */
export function commandPage(
  command: DocumentedCommand,
  operations: readonly Operation[],
  forms: FieldFile[string] | undefined,
): string {
  return page(
    `roomctl ${command.name}`,
    sentence(prose(command.summary)),
    block('sh', usageOf(command)),
    prose(command.description),
    ...aliasesOf(command),
    ...section('Arguments', argumentTable(command.arguments)),
    ...groupsOf(command.flags).flatMap(({heading, flags}) => section(heading, flagTable(flags))),
    `[Common flags](../flags.md): ${commonNames(command.common)}.`,
    ...section('Examples', command.examples.map(exampleText).join('\n\n')),
    ...section('Calls', callsText(command, operations)),
    ...section(
      'JSON',
      forms
        ? [
            '`?`: can be missing ([fields](../fields.md)). `error`: a [failure](../exit-codes.md#failures).',
            ...fieldBlocks(forms).map((part) => (part.kind === 'text' ? part.text : fieldList(part.rows))),
          ].join('\n\n')
        : '',
    ),
    ...section('Exit codes', endingText(command, operations)),
  )
}

function aliasesOf({aliases}: DocumentedCommand): string[] {
  return aliases.length === 0 ? [] : [`The same: ${either(aliases.map((alias) => code(`roomctl ${alias}`)))}.`]
}

function argumentTable(words: DocumentedCommand['arguments']): string {
  const rows = words.map((word) => [code(argumentForm(word)), prose(word.description ?? '')])
  return table(['Argument', 'What it is'], rows)
}

function exampleText({description, line}: DocumentedCommand['examples'][number]): string {
  return `${prose(description)}:\n\n${block('sh', line)}`
}

/** One line for each field. A failure has the same members everywhere, which are on one page. */
function fieldList(rows: readonly (readonly string[])[]): string {
  return rows
    .filter(([name = '']) => !/(?:^|[.\]])error\./u.test(name))
    .map(([name, type, always, meaning]) => {
      const field = code(`${name}${always === 'yes' ? '' : '?'}`)
      return `- ${field} ${type}${meaning === '' ? '' : `: ${meaning}`}`
    })
    .join('\n')
}

function callsText({name, flags}: DocumentedCommand, operations: readonly Operation[]): string {
  if (name === 'api') return 'Whatever METHOD and PATH name.'
  if (operations.length === 0) return ''
  const calls = operations.map(({id, method, route, assumed}) => {
    const mark = assumed === undefined ? '' : ' ([assumed](../operations.md#assumed-routes))'
    return `- [${id}](../operations.md#${anchor(id)}): ${code(`${method} ${route}`)}${mark}`
  })
  const acting = flags.some((flag) => flag.name === 'as')
    ? '\n\nWithout `--as USER` the room is read first (`room.get`) to find the requester.'
    : ''
  return `${calls.join('\n')}${acting}`
}

/** The exits in one line, each with the service's codes that lead to it; below it what only this command means by one. */
function endingText(command: DocumentedCommand, operations: readonly Operation[]): string {
  const endings = endingsOf(command, operations)
  const listed = endings.map(({exit, codes}) => {
    const links = codes.map((name) => `[${name}](../errors/${name}.md)`)
    return `${exits[exit].code}${links.length === 0 ? '' : ` (${links.join(', ')})`}`
  })
  const own = endings.filter(({isOwn}) => isOwn).map(({exit, when}) => `- ${exits[exit].code}: ${when}`)
  return [`[Exit codes](../exit-codes.md): ${listed.join(', ')}.`, ...(own.length > 0 ? [own.join('\n')] : [])].join(
    '\n\n',
  )
}

function section(heading: string, text: string): string[] {
  return text === '' ? [] : [`## ${heading}`, text]
}

/** GitHub's anchor of a heading that is an operation's id. */
function anchor(id: string): string {
  return id.replaceAll('.', '').toLowerCase()
}

/** The index of the commands. */
export function commandIndex(commands: readonly DocumentedCommand[], topics: ReadonlyMap<string, string>): string {
  const groups = [...topics].flatMap(([topic, description]) => {
    const rows = commands
      .filter((command) => command.topic === topic)
      .map(({name, summary}) => `- [${name}](${pageOf(name)}): ${sentence(prose(summary))}`)
    return rows.length === 0 ? [] : section(topic || 'Without a topic', `${description}\n\n${rows.join('\n')}`)
  })
  return page('Commands', ...groups, 'Flags that commands have in common: [common flags](../flags.md).')
}
