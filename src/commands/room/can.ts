import {getRoom} from '../../api/contract/room.js'
import {stateRules} from '../../api/contract/stateRules.js'
import {abilitiesIn} from '../../api/rules/predict.js'
import {RoomctlCommand} from '../../cli/app/baseCommand.js'
import {commandExamples, optionalArg, requesterFlags, roomArg, rowFlags} from '../../cli/flags/flags.js'
import {parseChoice} from '../../cli/flags/parseValues.js'
import {presentList} from '../../cli/output/present.js'
import {pickRoom} from '../../cli/prompts/pickers.js'
import {readJournalFacts} from '../../cli/session/journalFacts.js'
import {wrongUsage} from '../../failure.js'
import {requestedRole} from '../../features/mutation/requester.js'
import {shellWord} from '../../text/text.js'
import {abilityList} from '../../view/room/room.js'

const actions = Object.keys(stateRules).map((id) => id.split('.')[1] ?? id)

export default class RoomCan extends RoomctlCommand {
  static override summary = 'Show what a room allows now, and why'
  static override rows = abilityList
  static override description =
    `Reads the room and applies the documented state table: each action, whether it is allowed, why, and as which user. With
ACTION, shows only that one and exits with 7 if it is not allowed. The service decides in the end.`
  static override args = {
    room: roomArg,
    action: optionalArg('ACTION', `one of ${[...new Set(actions)].join(', ')}, or an operation id such as record.stop`),
  }
  static override flags = {...rowFlags, ...requesterFlags}
  static override examples = commandExamples({
    'All actions of a room': 'roomctl room can r-review',
    'One question, for a script': 'roomctl room can r-standup end',
  })

  async run(): Promise<void> {
    const {args, flags} = await this.parse(RoomCan)
    const ids: string[] = args.action === undefined ? Object.keys(stateRules) : [operationOf(args.action, args.room)]
    const session = await this.open(flags)
    const roomId = await pickRoom(session, args.room)
    const room = await session.api.call(getRoom, {path: {roomId}})
    const journalFacts = (await readJournalFacts(session, roomId)).get(roomId)
    const abilities = abilitiesIn(room, requestedRole(session), journalFacts).filter(({action}) => ids.includes(action))
    await presentList(session, abilities, abilityList)
    if (args.action !== undefined && abilities[0]?.allowed === 'no') session.endWith('state')
  }
}

/** `end`, `record.stop` or `start`: the last word of an operation, if unique. */
function operationOf(text: string, room: string | undefined): string {
  const ids = Object.keys(stateRules)
  if (ids.includes(text)) return text
  if (room !== undefined && actions.includes(room) && !actions.includes(text)) {
    throw wrongUsage(`the arguments look swapped: ${room} is an action`, {
      try: `roomctl room can ${shellWord(text)} ${room}`,
    })
  }
  const action = parseChoice('ACTION', text, [...new Set(actions)])
  return ids.find((id) => id.endsWith(`.${action}`)) ?? text
}
