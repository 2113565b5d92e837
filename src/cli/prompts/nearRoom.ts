import type {RoomSummary} from '../../api/contract/room.js'
import {Failure, type FailureFacts} from '../../failure.js'
import {nearest} from '../../text/nearest.js'
import {shellWord, shortly} from '../../text/text.js'
import {suggestedWords} from '../errors/advice.js'

/** A command line whose room is missing. */
export interface RoomLine {
  readonly argv: readonly string[]
  /** The id of the command. */
  readonly command: string
  readonly takesMatch: boolean
}

/** The Failure of a missing room with what was probably meant: --match, the room that was typed in another place, or a near one. */
export function namingNearRoom(missing: Failure, word: string, rooms: readonly RoomSummary[], line: RoomLine): Failure {
  const named = (facts: Pick<FailureFacts, 'why' | 'try'>) =>
    new Failure({...missing.facts, ...facts}, {cause: missing})
  if (/[*?]/u.test(word)) return named({why: `${word} is no id, but a pattern of names`, try: byMatch(word, line)})
  const {argv, command} = line
  const other = argv.find((one) => one !== word && rooms.some(({room_id: id}) => id === one))
  if (other !== undefined) {
    const swapped = argv.map((one) => (one === word ? other : one === other ? word : one))
    return named({
      why: `the arguments look swapped: ${other} is a room`,
      try: ['roomctl', ...command.split(':'), ...suggestedWords(swapped)].join(' '),
    })
  }
  const why = nearRoom(rooms, word)
  if (why !== undefined) return named({why})
  return command === 'attendee:why'
    ? named({try: `if it is a user: roomctl attendee find ${shellWord(word)}`})
    : missing
}

/** `did you mean r-1 "Standup"?`, of the room whose id or name is near; undefined if no room is. */
export function nearRoom(rooms: readonly RoomSummary[], word: string): string | undefined {
  const ids = new Map(rooms.flatMap(({room_id: id, name}) => (name ? [[name, id] as const] : [])))
  for (const {room_id: id} of rooms) ids.set(id, id)
  const near = nearest(word, ids.keys())
  const id = ids.get(near ?? '')
  if (near === undefined || id === undefined || id === word) return undefined
  return `did you mean ${id}${near === id ? '' : ` "${shortly(near)}"`}?`
}

/** The line with `--match PATTERN` in place of the room, if the command has it. */
function byMatch(word: string, {argv, command, takesMatch}: RoomLine): string {
  const others = takesMatch ? suggestedWords(argv.toSpliced(argv.indexOf(word), 1)) : []
  const words = takesMatch ? command.split(':') : ['room', 'list']
  return ['roomctl', ...words, ...others, '--match', shellWord(word)].join(' ')
}
