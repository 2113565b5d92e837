import {commonCodes} from '../../src/api/contract/codes.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {operations} from '../../src/api/contract/operations.js'
import {stateRule} from '../../src/api/contract/stateRules.js'
import type {Undocumented} from '../../src/api/contract/states.js'
import {routeVariable} from '../../src/storage/profile/resolve.js'
import {pageOf} from './commands.js'
import {code, page, prose, sentence, table} from './markdown.js'

/** Every operation of the contract; `calls` are the operations of each command. */
export function operationsPage(calls: ReadonlyMap<string, readonly Operation[]>): string {
  return page(
    'Operations',
    'What the services can be asked, in the order of their documents. The id is what `config route list`, the setting `route.ID`, ' +
      '`explain --operation` and the journal use. The path is appended to the address of the service as it is.',
    table(
      ['Operation', 'Method', 'Path', 'Shown in the document'],
      operations.map((operation) => [
        `[${operation.id}](#${operation.id.replaceAll('.', '').toLowerCase()})`,
        operation.method,
        code(operation.route),
        isAssumed(operation) ? '[assumed](#assumed-routes)' : operation.source,
      ]),
    ),
    '## Assumed routes',
    'The document shows neither method nor path of the operations that are marked so, and ' +
      'two decisions ([rooms](decisions/0002-assumed-routes.md), [push](decisions/0010-assumed-push-routes.md)) say why these were ' +
      'taken. Where a service has them elsewhere, ' +
      "`roomctl config set route.push.show 'GET /v1/config'` sets its route. Nothing is ever tried on a second path.",
    '## Routes of your own',
    'A route is a method and a path, `DELETE /v2/requests`. The route variables and the profile (`config set ' +
      'route.ID ROUTE`) win in this order. The method is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS. The path begins with one ' +
      'slash and is appended to the address of the service: a route never names another host. It names every parameter that the ' +
      'built-in path names. Any other that is one text, number or truth value may be named too. It is then sent in the path ' +
      'alone. A list, an object, a file or a secret may not be named.',
    'Releases up to 0.3 also took an object with `send` or `rename`. One that is left in a profile ends with exit 3 and names ' +
      'the setting; nothing is sent along it.',
    '## Kinds and codes',
    'A `read` changes nothing and is sent again after a lost answer. A `create` is not, since that could do it twice. A `state` ' +
      'change is settled by reading the room, the container or the push configuration, if that shows the change.',
    `Every room operation can also fail with ${commonCodes.map(link).join(' ')}. ` +
      `The variable of a route is the operation's id in capitals: ${code(routeVariable('room.adminUpdate'))} for ${code('room.adminUpdate')}.`,
    ...operations.flatMap((operation) => describe(operation, calls)),
  )
}

function isAssumed(operation: Operation): boolean {
  return operation.assumed !== undefined
}

function describe(operation: Operation, calls: ReadonlyMap<string, readonly Operation[]>): string[] {
  const commands = [...calls].filter(([, called]) => called.includes(operation)).map(([name]) => name)
  const rows = [
    ['Request', `${code(`${operation.method} ${operation.route}`)}${isAssumed(operation) ? ' (assumed)' : ''}`],
    ['Body', fields(operation.body)],
    ['Query', fields(operation.query)],
    ['Headers', fields(operation.headers)],
    ['Files', fields(operation.files)],
    ['Remark', remarks[operation.id] ?? ''],
    ['Successes', (operation.successes ?? []).map(String).join(' ')],
    ['Kind', operation.effect],
    ...whoAndWhen(operation.id),
    ...refusals(operation),
    ['Commands', commandLinks(commands)],
  ].filter(([, text]) => text !== '')
  return [`## ${operation.id}`, sentence(prose(operation.purpose)), table(['', ''], rows)]
}

/** If a document shows no codes, `roomctl explain --operation` explains HTTP statuses. */
function refusals({id, responseFormat, fails}: Operation): string[][] {
  if (responseFormat !== undefined) {
    return [['Refusals', `by [HTTP status](errors/statuses.md): ${code(`roomctl explain --operation ${id}`)}`]]
  }
  return fails.length === 0 ? [] : [['Codes', fails.map(link).join(' ')]]
}

/** Reads that most commands of rooms share are not listed: the page of each command names its calls. */
const mostCommands = 8

function commandLinks(names: readonly string[]): string {
  if (names.length > mostCommands) return `${names.length} commands`
  return names.map((name) => `[${name}](commands/${pageOf(name)})`).join(', ')
}

/** Who may do it and in which states of the room, as the document's table has it. */
function whoAndWhen(id: string): string[][] {
  const rule = stateRule(id)
  if (!rule) return []
  const states = Object.entries(rule.in).map(
    ([state, {allowed, note, undocumented}]) => `${state} ${allowed}${inBrackets(note, undocumented)}`,
  )
  return [
    ['Who', rule.who === 'none' ? 'no requester is named' : rule.who],
    ['States of the room', states.join('; ')],
  ]
}

function inBrackets(note: string | undefined, undocumented: Undocumented | undefined): string {
  const mark = undocumented && (undocumented === 'code' ? 'code not documented' : 'not documented')
  const said = [note, mark].filter((one) => one !== undefined)
  return said.length === 0 ? '' : ` (${said.join('; ')})`
}

function link(one: string): string {
  return `[${one}](errors/${one}.md)`
}

/** Contradictions of a document about a field. */
const remarks: Readonly<Record<string, string>> = {
  'room.update':
    'one example of the document names `requester_id` as `user_id` (setting `updateRequesterField`); the reserved times have the ' +
    'type `date` here and `date-time` in `room.create`: a `date-time` is sent',
}

/** The fields of a shape, in brackets those that an empty object does not lack. */
function fields(shape: Operation['body']): string {
  const members = (shape as {shape?: object} | undefined)?.shape ?? {}
  const missing = shape?.safeParse({}).error?.issues.map(({path}) => path[0]) ?? []
  return Object.keys(members)
    .map((name) => code(missing.includes(name) ? name : `[${name}]`))
    .join(' ')
}
