import type {Command} from '@oclif/core/command'
import {codes} from '../../api/contract/codes.js'
import {errorCatalog} from '../../api/contract/errorCatalog.js'
import {methods, services} from '../../api/contract/operation.js'
import {operations} from '../../api/contract/operations.js'
import {stateRules} from '../../api/contract/stateRules.js'
import {roomStates} from '../../api/contract/states.js'
import type {KnownFlag, ParsedWords} from '../../cli/flags/commandLine.js'
import {roomSelectionNames} from '../../cli/flags/flags.js'
import {settings} from '../../storage/profile/settings.js'
import {completionShells} from './scripts.js'

export interface CommandLine extends ParsedWords {
  readonly command: Command.Loadable
}

/** Whether flags select the rooms, so that none is named. */
export function choosesRooms({flags}: CommandLine): boolean {
  return roomSelectionNames.some((name) => flags.has(name))
}

export interface Candidate {
  /** The whole word, without shell quoting. */
  readonly value: string
  readonly description?: string | undefined
}

export type LiveList = 'profiles' | 'rooms' | 'users' | 'containers' | 'resources' | 'uploads'

/** The source of the values of a flag or an argument; without one nothing is offered. */
export interface CandidateSource {
  readonly words?: readonly Candidate[]
  readonly live?: LiveList
  readonly columns?: true
  /** Of a list separated by commas, what precedes the value at the cursor. */
  readonly earlier?: RegExp
  readonly path?: 'files' | 'folders'
  readonly open?: boolean
}

const noSource: CandidateSource = {}
const roomIds: CandidateSource = {live: 'rooms'}
const userIds: CandidateSource = {live: 'users'}

const byArgument: Readonly<Record<string, CandidateSource>> = {
  room: roomIds,
  user: userIds,
  container: {live: 'containers', open: true},
  'container/uuid': {live: 'resources', open: true},
  resource: {live: 'resources', open: true},
  id: {live: 'uploads'},
  file: {path: 'files'},
  'dir|manifest': {path: 'files'},
}

/** Commands whose NAME is new. */
const ownNames = ['room:create', 'config:profile:add']

export function argumentSource(argument: Command.Arg.Cached, line: CommandLine): CandidateSource {
  const {options} = argument
  if (options) return {words: options.map((value) => ({value}))}
  const name = argument.name.toLowerCase()
  if (name.startsWith('room')) return roomSource(name, line)
  if (name === 'name') return ownNames.includes(line.command.id) ? noSource : {live: 'profiles'}
  if (name === 'value') return {words: valuesOfSetting(line.args[0] ?? '')}
  return byArgument[name] ?? {words: wordLists[name] ?? []}
}

/** Rooms, then perhaps users; none if flags select the rooms. */
function roomSource(name: string, line: CommandLine): CandidateSource {
  const isUser = name === 'room user' && line.args.length > 0
  if (choosesRooms(line)) return noSource
  return isUser ? userIds : roomIds
}

const beforeLast = /^.*,/su

const byFlag: Readonly<Record<string, CandidateSource>> = {
  profile: {live: 'profiles'},
  profiles: {live: 'profiles', open: true, earlier: beforeLast},
  columns: {columns: true, earlier: beforeLast},
  sort: {columns: true, earlier: /^(?:.*,)?-?/su},
  // A confirmation must be typed by the user.
  confirm: noSource,
  'created-by': noSource,
  attendee: noSource,
  'recipient-id': noSource,
  as: {live: 'users', words: [{value: 'host'}, {value: 'creator'}]},
}

const byHelpValue: Readonly<Record<string, CandidateSource>> = {
  FILE: {path: 'files'},
  OLD: {path: 'files'},
  'JSON|FILE': {path: 'files'},
  DIR: {path: 'folders'},
  USER: userIds,
}

export function flagSource({name, options, helpValue}: KnownFlag): CandidateSource {
  if (options) return {words: options.map((value) => ({value}))}
  const takes = typeof helpValue === 'string' ? helpValue : ''
  const known = byFlag[name] ?? byHelpValue[takes]
  if (known) return known
  return {words: enumeratedWords(takes) ?? wordLists[`--${name} ${takes}`] ?? []}
}

const plain = (values: Iterable<string>): Candidate[] => [...values].map((value) => ({value}))

const operationIds = operations.map(({id, purpose}) => ({value: id, description: purpose}))
const zones = () => plain(['local', 'utc', ...Intl.supportedValuesOf('timeZone')])

/** By the name of the argument, or by the flag and the value in its help. */
export const wordLists: Readonly<Record<string, readonly Candidate[]>> = {
  action: plain(new Set(Object.keys(stateRules).map((id) => id.split('.')[1] ?? id))),
  code: codes.map((value) => ({value, description: errorCatalog[value].condition})),
  key: settings.map(({key, what}) => ({value: key, description: what})),
  method: plain(methods),
  operation: operationIds,
  service: plain(services),
  shell: plain(completionShells),
  '--output FORMAT': valuesOfSetting('output'),
  '--operation ID': operationIds,
  '--older-than 8h': plain(['1h', '8h', '1d', '7d']),
  '--status STATE': plain(roomStates),
  get '--tz ZONE'() {
    return zones()
  },
}

/** Splits `ios|android|windows`; undefined for anything else. */
export function enumeratedWords(text: string): Candidate[] | undefined {
  return /^[\w-]+(?:\|[\w-]+)+$/u.test(text) ? plain(text.split('|')) : undefined
}

export function valuesOfSetting(key: string): readonly Candidate[] {
  if (key === 'tz') return zones()
  return plain(settings.find((setting) => setting.key === key)?.kind.choices ?? [])
}
