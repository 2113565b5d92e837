import {type Code, commonCodes} from '../../src/api/contract/codes.js'
import {endingOf} from '../../src/api/contract/errorCatalog.js'
import type {Operation} from '../../src/api/contract/operation.js'
import {type Exit, exits} from '../../src/failure.js'
import type {DocumentedCommand} from './commands.js'

/** One way in which a command ends, with what brings it about. */
export interface Ending {
  readonly exit: Exit
  /** The codes of the service that mean it here. */
  readonly codes: readonly Code[]
  readonly when: string
  /** Whether `when` is about this command alone, and not what the table of all exit codes says. */
  readonly isOwn: boolean
}

/** Exits of every command that sends files, besides those of its calls. */
const sending: Partial<Record<Exit, string>> = {
  state: 'the service refuses to continue an upload, or may have a file already whose earlier request was not answered',
  file: 'a file is missing, unreadable, no ordinary file, has changed, or its bytes are not equal',
  interrupted: 'Ctrl-C ended it; the same command resumes',
  terminated: 'SIGTERM ended it; the same command resumes',
}

const forbidden: Partial<Record<Exit, string>> = {
  unconfirmed: '`--read-only` or `ROOMCTL_READ_ONLY` forbids it',
}

/** Exits of a command that no flag and no operation shows. */
const own: Readonly<Record<string, Partial<Record<Exit, string>>>> = {
  api: {state: 'the service answers a code or a status that means it'},
  'asset forget': forbidden,
  'asset resume': sending,
  'asset sync': {...sending, found: '`--check` found differences'},
  'asset upload': sending,
  'attendee find': {partial: 'some rooms could not be read'},
  'attendee why': {state: 'the user cannot enter'},
  'config init': {unauthenticated: 'a service refused its token and was given no other; the profile is not in use'},
  'config login': {
    unauthenticated: 'the service refused the token, which was not stored',
    file: 'the file with the token cannot be read',
    unconfirmed: 'the token would have to be asked for, and roomctl cannot ask',
  },
  'config profile export': {file: 'FILE already exists, or cannot be written'},
  'config profile import': {
    file: 'FILE cannot be read',
    unconfirmed: 'it takes a guard of the replaced profile away, and neither its name was typed nor `--yes` given',
  },
  'config profile remove': {unconfirmed: 'the name was not confirmed and `--yes` not given'},
  doctor: {found: 'a check found problems that is not as it should be'},
  'push audit': {found: 'a credential is due, expired, dead, missing or unreadable'},
  'push ios': {found: '`--prove` was given, and Apple did not accept the credential'},
  'push prove': {network: 'the gateway cannot be reached', found: 'Apple did not accept the credential'},
  'room watch': {waited: '`--timeout` ran out before all rooms had the state of `--until-status`'},
  'sandbox enter': {
    ...forbidden,
    forbidden: 'the user would get no token',
    missing: 'no such room',
    state: 'the room is ENDED or not joinable, or the user is in it already',
    refused: 'the room is full',
  },
  'sandbox leave': {...forbidden, missing: 'no such room', state: 'the user is not in it'},
  'sandbox reset': forbidden,
  'sandbox seed': forbidden,
  'sandbox start': {
    unconfirmed: '`--seed` or a behaviour was given, and changes are forbidden by `--read-only` or `ROOMCTL_READ_ONLY`',
    network: 'the port cannot be had',
    interrupted: 'Ctrl-C ended it, as is meant',
  },
}

/** Whatever their calls come to is a finding that they report. */
const reporting: ReadonlySet<string> = new Set(['config init', 'config login', 'doctor'])

/** How a command can end, in the order of the exit codes; `operations` are those it calls. */
export function endingsOf(command: DocumentedCommand, operations: readonly Operation[]): Ending[] {
  const calls = (operations.length > 0 && !reporting.has(command.name)) || command.name === 'api'
  const codes = calls ? codesOf(operations) : []
  const rules = {...always(calls), ...(calls ? ofCalls : {}), ...ofFlags(command, calls), ...own[command.name]}
  return (Object.keys(exits) as Exit[]).flatMap((exit) => {
    const meant = codes.filter((code) => endingOf(code) === exit)
    const when = rules[exit] ?? (meant.length > 0 ? 'the state of the room forbids it' : undefined)
    return when === undefined ? [] : [{exit, codes: meant, when, isOwn: own[command.name]?.[exit] !== undefined}]
  })
}

type Rules = Partial<Record<Exit, string>>

function always(calls: boolean): Rules {
  return {
    done: 'it did what it says',
    usage: 'unknown command or flag, or a value of the wrong form',
    configuration: calls
      ? 'no profile, no address or no token; the profile file is damaged'
      : 'the profile file is damaged',
  }
}

const ofCalls: Rules = {
  unauthenticated: 'the service does not accept the token',
  forbidden: 'the requester may not do it',
  missing: 'the service does not have it',
  refused: 'the service refuses a value or a limit',
  temporary: 'the service cannot do it now, after all retries',
  network: 'no answer, or none that can be understood',
}

function ofFlags(command: DocumentedCommand, calls: boolean): Rules {
  const has = (flag: string) => [...command.flags, ...command.common].some(({name}) => name === flag)
  return {
    ...(has('as') && calls ? {state: 'the state of the room forbids it, or the room has no host to act as'} : {}),
    ...(has('fail-fast') ? {partial: 'several targets were given, and some failed'} : {}),
    ...(has('confirm') ? {unconfirmed: unconfirmed(has('yes'))} : {}),
    ...(calls || readsFile(command) ? {file: 'a file that was named cannot be read'} : {}),
  }
}

/** The common codes, if the service has codes, and the operations' own. RE003 is no failure, but an empty list. */
function codesOf(operations: readonly Operation[]): Code[] {
  // A service without an envelope has no codes: the HTTP status decides.
  const common =
    operations.length > 0 && operations.every(({responseFormat}) => responseFormat !== undefined) ? [] : commonCodes
  const all = new Set<Code>([...common, ...operations.flatMap(({fails}) => fails)])
  return [...all].filter((code) => code !== 'RE003')
}

function unconfirmed(asks: boolean): string {
  return asks
    ? 'it was not confirmed, or changes are forbidden'
    : 'changes are forbidden, or the profile is protected and it was not confirmed'
}

function readsFile({flags, arguments: words}: DocumentedCommand): boolean {
  const files = flags.filter((flag) => 'helpValue' in flag && flag.helpValue === 'FILE')
  return files.length > 0 || words.some(({name}) => name === 'FILE')
}
