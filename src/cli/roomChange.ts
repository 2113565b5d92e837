import type {Input, Operation} from '../contract/operation.js'
import type {Answers} from './confirm.js'

/** A change that is made to rooms, one request for each. */
export interface RoomChange<O extends Operation> {
  readonly operation: O
  readonly input: (roomId: string, requester: string) => Input<O>
  /** `End` and `ended`, for questions and results. */
  readonly verb: string
  readonly past: string
  /** Whether a single target takes a yes, or its name typed; several take the typed count (product §5). */
  readonly confirmedBy: 'yes' | 'name'
}

export interface ChangeRoomsFlags extends Answers {
  readonly 'dry-run'?: boolean
  readonly 'fail-fast'?: boolean
}
