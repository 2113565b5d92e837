import {type Parts, read} from './planParts.js'

/** The operations that a plan may hold: those that bulk commands carry out. */
export const plannedOperations = [
  'room.end',
  'room.delete',
  'record.stop',
  'attendee.block',
  'attendee.restore',
  'attendee.add',
] as const
export type PlannedOperation = (typeof plannedOperations)[number]

/** A room as it was when the plan was made, by the document's names. */
export interface PlannedRoom {
  readonly room_id: string
  readonly name: string | null
  readonly room_status: string | null
  /** How many were present. */
  readonly present: number | null
  readonly host: string | null
}

/**
 * What a bulk command decided (product §5). It names no route and no credential, and no address to call: `origin` and
 * `base_path` are compared with those of the profile that is to carry it out.
 */
export interface Plan {
  readonly kind: 'roomctl-plan'
  readonly version: 1
  /** RFC 3339, UTC. */
  readonly made_at: string
  readonly profile: string
  readonly origin: string
  readonly base_path: string
  readonly operation: PlannedOperation
  /** Whom to act as: `host`, `creator` or a user; null where the operation names no requester. */
  readonly as: string | null
  /** What the operation is about beside the room: users, the same in every room. */
  readonly input: {readonly attendees?: readonly string[]}
  readonly targets: readonly PlannedRoom[]
}

/** The text of a plan's file. */
export function planText(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`
}

/**
 * Reads the text of a plan's file, which somebody may have edited: every member is there, has its form, and nothing else is.
 * Raises a PlanProblem that says what is wrong.
 */
export function readPlan(text: string): Plan {
  const whole = read(text)
  const operation = whole.oneOf('operation', plannedOperations)
  const plan: Plan = {
    kind: 'roomctl-plan',
    version: 1,
    made_at: whole.time('made_at'),
    profile: whole.word('profile'),
    origin: whole.word('origin'),
    base_path: whole.word('base_path'),
    operation,
    as: operation === 'attendee.add' ? whole.nothing('as') : whole.word('as'),
    input: inputOf(whole.part('input'), operation),
    targets: whole.parts('targets').map(roomOf),
  }
  whole.nothingElse()
  const ids = new Set<string>()
  for (const {room_id: id} of plan.targets) {
    if (ids.has(id)) throw whole.problem(`names room ${id} twice`)
    ids.add(id)
  }
  return plan
}

function inputOf(input: Parts, operation: PlannedOperation): Plan['input'] {
  const result = operation.startsWith('attendee.') ? {attendees: input.words('attendees')} : {}
  input.nothingElse()
  return result
}

function roomOf(target: Parts): PlannedRoom {
  const room = {
    room_id: target.word('room_id'),
    name: target.textOrNull('name'),
    room_status: target.textOrNull('room_status'),
    present: target.countOrNull('present'),
    host: target.textOrNull('host'),
  }
  target.nothingElse()
  return room
}
