import type {RoomDetail} from '../../api/contract/room.js'
import {stateRules} from '../../api/contract/states.js'
import {abilitiesIn} from '../../api/rules/predict.js'
import type {Ability} from '../../view/room/room.js'

/** What a room lets somebody do, operation by operation. `as`: a user, or the role `host` or `creator`. */
export function abilitiesOf(room: RoomDetail, as: string): Ability[] {
  return abilitiesIn(room, as).map(({operation, requester, allowed, why, code}) => ({
    action: operation,
    allowed,
    why,
    as: requester ?? null,
    code: code ?? null,
    source: stateRules[operation].source,
  }))
}
