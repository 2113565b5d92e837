import type {Candidate} from './candidate.js'
import type {KnownArgument, KnownFlag} from './commandTable.js'
import type {Line} from './place.js'
import {enumerated, valuesOfSetting, wordLists} from './wordLists.js'

/** What can only be found out when it is asked for. */
export type LiveList = 'profiles' | 'rooms' | 'users' | 'containers' | 'resources' | 'uploads' | 'requests' | 'changes'

/** Where the values of a flag or an argument come from; what has none is for the user to think of. */
export interface Source {
  readonly words?: readonly Candidate[]
  readonly live?: LiveList
  readonly path?: 'files' | 'folders'
  /** Whether more of the same word may follow. */
  readonly open?: boolean
}

const none: Source = {}
const rooms: Source = {live: 'rooms'}
const users: Source = {live: 'users'}

/** Arguments of these names mean the same in every command. */
const byArgument: Readonly<Record<string, Source>> = {
  room: rooms,
  user: users,
  container: {live: 'containers', open: true},
  'container/uuid': {live: 'resources', open: true},
  resource: {live: 'resources', open: true},
  id: {live: 'uploads'},
  uuid: {live: 'requests'},
  entry: {live: 'changes'},
  file: {path: 'files'},
  plan: {path: 'files'},
  'dir|manifest': {path: 'files'},
}

/** New names, and a name that is in use already. */
const ownNames = ['room:create', 'config:profile:add']

/** The source of the argument at the end of the line. */
export function argumentSource(argument: KnownArgument, line: Line): Source {
  const {options} = argument
  if (options) return {words: options.map((value) => ({value}))}
  const name = argument.name.toLowerCase()
  if (name.startsWith('room')) return roomSource(name, line)
  if (name === 'name') return ownNames.includes(line.command.id) ? none : {live: 'profiles'}
  if (name === 'value') return {words: valuesOfSetting(line.args[0] ?? '')}
  return byArgument[name] ?? {words: wordLists[name] ?? []}
}

/** Rooms, then perhaps users. Where an expression chooses the rooms there are none to name. */
function roomSource(name: string, {args, flags}: Line): Source {
  const isUser = name === 'room user' && args.length > 0
  if (flags.has('where')) return none
  return isUser ? users : rooms
}

/** Flags of these names mean the same in every command. */
const byFlag: Readonly<Record<string, Source>> = {
  profile: {live: 'profiles'},
  // Whoever answers this question is to know the name: it is not put into their hands.
  confirm: none,
  'created-by': none,
  attendee: none,
  'recipient-id': none,
  as: {live: 'users', words: [{value: 'host'}, {value: 'creator'}]},
}

/** What the help of a flag says that it takes. */
const byHelpValue: Readonly<Record<string, Source>> = {
  FILE: {path: 'files'},
  'JSON|FILE': {path: 'files'},
  DIR: {path: 'folders'},
  USER: users,
}

/** The source of the value of a flag. */
export function flagSource({name, options, helpValue}: KnownFlag): Source {
  if (options) return {words: options.map((value) => ({value}))}
  const takes = typeof helpValue === 'string' ? helpValue : ''
  const known = byFlag[name] ?? byHelpValue[takes]
  if (known) return known
  if (name === 'route') return {words: wordLists.route ?? [], open: true}
  return {words: enumerated(takes) ?? wordLists[`--${name} ${takes}`] ?? []}
}
