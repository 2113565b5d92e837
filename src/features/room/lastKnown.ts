import type {RoomDetail} from '../../api/contract/room.js'
import {stateRules} from '../../api/contract/stateRules.js'
import {abilitiesIn} from '../../api/rules/predict.js'
import {presenterIn, presentIn} from '../../api/rules/room.js'
import type {JournalFacts} from '../../api/rules/rule.js'
import type {Ability, LastKnown} from '../../view/room/room.js'

/** Blocked users and the presenter, by the journal or the room's metadata (room §12). A present user is not blocked. */
export function lastKnownOf(room: RoomDetail, journalFacts: JournalFacts | undefined): LastKnown {
  const told = presenterIn(room.metadata)
  const present = new Set(presentIn(room))
  const blocks = [...(journalFacts?.blocks ?? [])].filter(([user, {holds}]) => holds === 'yes' && !present.has(user))
  return {
    blocked: blocks.map(([user, {at}]) => ({user, at})),
    presenter: told === undefined ? journalFacts?.presenter : told === null ? undefined : {user: told},
  }
}

/** The abilities of a user in a room, by operation. `as`: a user, or the role `host` or `creator`. */
export function abilitiesOf(room: RoomDetail, as: string, journalFacts?: JournalFacts): Ability[] {
  return abilitiesIn(room, as, journalFacts).map(({operation, requester, allowed, why, code, documented}) => ({
    action: operation,
    allowed,
    why,
    as: requester ?? null,
    code: code ?? null,
    documented,
    source: stateRules[operation].source,
  }))
}
