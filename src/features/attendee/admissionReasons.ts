import type {Reason} from '../../view/room/why.js'
import {type Entrance, ended, entryRules, type Finding, recordOf, unknownBlock} from './admissionRules.js'

/**
 * Why somebody can or cannot enter a room, as the document has it, in the order in which it counts. Nothing can be put right
 * in an ENDED room, and who is in a room has entered it: there that reason stands alone.
 */
export function reasonsOf(entrance: Entrance): Reason[] {
  const {room, user} = entrance
  if (room.room_status === 'ENDED') return [reason(ended)]
  if (recordOf(entrance)?.is_present === true) {
    return [reason({code: 'present', allows: 'yes', why: `${user} is in the room now`, source: 'room, Attendee'})]
  }
  return entryRules.flatMap((rule) => {
    const finding = rule(entrance)
    return finding ? [reason(finding)] : []
  })
}

/** The reason that is left where somebody is kept out though these are not against it; null where none is. */
export function reasonLeft(entrance: Entrance, verdict: Reason['allows']): Reason | null {
  const finding = verdict === 'no' || recordOf(entrance)?.is_present === true ? undefined : unknownBlock(entrance)
  return finding ? reason(finding) : null
}

/** One reason against it is enough, and one that is open leaves it open. */
export function verdictOf(reasons: readonly Reason[]): Reason['allows'] {
  if (reasons.some(({allows}) => allows === 'no')) return 'no'
  return reasons.some(({allows}) => allows === 'unclear') ? 'unclear' : 'yes'
}

function reason(finding: Finding): Reason {
  return {error_code: null, fix: null, by: null, ...finding}
}
