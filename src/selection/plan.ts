import {jsonFault} from '../text/json.js'

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
  /** The requester: `host`, `creator` or a user; null where the operation names no requester. */
  readonly as: string | null
  /** What the operation is about beside the room: users, the same in every room. */
  readonly input: {readonly attendees?: readonly string[]}
  readonly targets: readonly PlannedRoom[]
}

/** Against edits that nobody meant: no proof against whoever edits the digest too (a signature is). Older plans have none. */
interface PlanDigest {
  /** SHA-256 of the plan as it is written without its digest, in hex. */
  readonly sha256: string
  /** Two hex digits of the SHA-256 of each of its lines, to find the one that was edited. */
  readonly lines: string
}

/** The text of a plan's file. */
export async function planText(plan: Plan): Promise<string> {
  const body = bodyText(plan)
  return `${JSON.stringify({...plan, digest: await digestOf(body)}, null, 2)}\n`
}

function bodyText(plan: Plan): string {
  return JSON.stringify(plan, null, 2)
}

async function digestOf(body: string): Promise<PlanDigest> {
  const {createHash} = await import('node:crypto')
  const hex = (text: string) => createHash('sha256').update(text).digest('hex')
  return {
    sha256: hex(body),
    lines: linesOf(body)
      .map((line) => hex(line).slice(0, 2))
      .join(''),
  }
}

/** The last line of the body, `}`, is left out: in the file the digest follows, and so a comma. */
function linesOf(body: string): string[] {
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/,$/u, ''))
}

/** Where the content of a plan is another one than was written. */
export interface PlanEdit {
  /** The first line that differs, counted from 1; undefined where the digest does not tell. */
  readonly line: number | undefined
}

/**
 * The text of a plan's file, and whether its content was edited: a file that was only formatted again is what it was. `edit` is
 * undefined where it was not, and for a plan of an older version, which has no digest. Raises a PlanProblem as `readPlan` does.
 */
export async function readWrittenPlan(
  text: string,
): Promise<{readonly plan: Plan; readonly edit: PlanEdit | undefined}> {
  const {plan, digest} = readPlanAndDigest(text)
  if (digest === undefined) return {plan, edit: undefined}
  const body = bodyText(plan)
  const found = await digestOf(body)
  if (found.sha256 === digest.sha256) return {plan, edit: undefined}
  const [now, before] = [found.lines, digest.lines].map((lines) => lines.match(/../gu) ?? [])
  const at = (now ?? []).findIndex((line, n) => line !== before?.[n])
  // A line of the file is one of the plan only where the file is written as the plan is.
  const isAsWritten = at !== -1 && linesOf(text)[at] === linesOf(body)[at]
  return {plan, edit: {line: isAsWritten ? at + 1 : undefined}}
}

/**
 * Reads the text of a plan's file, which somebody may have edited: every member is there, has its form, and nothing else is.
 * Raises a PlanProblem that says what is wrong.
 */
export function readPlan(text: string): Plan {
  return readPlanAndDigest(text).plan
}

function readPlanAndDigest(text: string): {readonly plan: Plan; readonly digest: PlanDigest | undefined} {
  const whole = readPlanMembers(text)
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
  const digest = whole.has('digest') ? digestIn(whole.part('digest')) : undefined
  whole.nothingElse()
  const ids = new Set<string>()
  for (const {room_id: id} of plan.targets) {
    if (ids.has(id)) throw new PlanProblem(`names room ${id} twice`)
    ids.add(id)
  }
  return {plan, digest}
}

function digestIn(members: PlanMembers): PlanDigest {
  const digest = {sha256: members.word('sha256'), lines: members.word('lines')}
  members.nothingElse()
  return digest
}

function inputOf(input: PlanMembers, operation: PlannedOperation): Plan['input'] {
  const result = operation.startsWith('attendee.') ? {attendees: input.words('attendees')} : {}
  input.nothingElse()
  return result
}

function roomOf(target: PlanMembers): PlannedRoom {
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

/** Why a file is not a plan that can be carried out; the message is a clause that follows the file's name. */
export class PlanProblem extends Error {
  override readonly name = 'PlanProblem'
}

/** The members of one object of a plan, taken one by one. Each raises a PlanProblem for a member of another form. */
export class PlanMembers {
  readonly #members: ReadonlyMap<string, unknown>
  readonly #place: string
  readonly #taken = new Set<string>()

  /** `place`: where it stands in the plan, to begin a member's name with. */
  constructor(value: unknown, place: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new PlanProblem(`is damaged: ${place === '' ? 'it' : place} is not an object`)
    }
    this.#members = new Map(Object.entries(value))
    this.#place = place
  }

  has(name: string): boolean {
    return this.#members.has(name)
  }

  /** Not empty. */
  word(name: string): string {
    const value = this.#take(name)
    if (typeof value === 'string' && value.trim() !== '') return value
    throw this.#misfit(name, 'no text')
  }

  words(name: string): string[] {
    const value = this.#take(name)
    const all = Array.isArray(value) ? value.filter((one) => typeof one === 'string' && one.trim() !== '') : []
    if (Array.isArray(value) && all.length === value.length && all.length > 0) return all
    throw this.#misfit(name, 'not a list of strings')
  }

  textOrNull(name: string): string | null {
    const value = this.#take(name)
    if (typeof value === 'string' || value === null) return value
    throw this.#misfit(name, 'neither a string nor null')
  }

  countOrNull(name: string): number | null {
    const value = this.#take(name)
    if (value === null || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0)) return value
    throw this.#misfit(name, 'neither a count nor null')
  }

  nothing(name: string): null {
    if (this.#take(name) === null) return null
    throw this.#misfit(name, 'not null')
  }

  oneOf<const Word extends string>(name: string, words: readonly Word[]): Word {
    const value = this.#take(name)
    const found = words.find((word) => word === value)
    if (found !== undefined) return found
    throw this.#misfit(name, `none of ${words.join(', ')}`)
  }

  /** RFC 3339, UTC. */
  time(name: string): string {
    const value = this.word(name)
    if (/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/u.test(value) && !Number.isNaN(Date.parse(value))) return value
    throw this.#misfit(name, 'no time')
  }

  part(name: string): PlanMembers {
    return new PlanMembers(this.#take(name), this.#named(name))
  }

  parts(name: string): PlanMembers[] {
    const value = this.#take(name)
    if (!Array.isArray(value)) throw this.#misfit(name, 'no list')
    return value.map((one, at) => new PlanMembers(one, `${this.#named(name)}[${at}]`))
  }

  /** To be asked last: what is not known may mean something to whoever wrote it. */
  nothingElse(): void {
    const [other] = [...this.#members.keys()].filter((name) => !this.#taken.has(name))
    if (other !== undefined) throw new PlanProblem(`has an unknown member: ${this.#named(other.slice(0, 60))}`)
  }

  #take(name: string): unknown {
    this.#taken.add(name)
    return this.#members.get(name)
  }

  #named(name: string): string {
    return this.#place === '' ? name : `${this.#place}.${name}`
  }

  #misfit(name: string, is: string): PlanProblem {
    return new PlanProblem(`is damaged: ${this.#named(name)} is ${this.#members.has(name) ? is : 'missing'}`)
  }
}

/** The members of a plan of this version. Raises a PlanProblem for a text that is no plan, or one of another version. */
export function readPlanMembers(text: string): PlanMembers {
  const value = parseJsonText(text)
  if (typeof value !== 'object' || value === null || Reflect.get(value, 'kind') !== 'roomctl-plan') {
    throw new PlanProblem('is not a plan: kind is missing')
  }
  const version: unknown = Reflect.get(value, 'version')
  if (version !== 1) {
    throw new PlanProblem(
      `is a plan of version ${typeof version === 'number' ? version : '?'}, this roomctl supports version 1`,
    )
  }
  const {kind: _, version: __, ...rest} = value as Record<string, unknown>
  return new PlanMembers(rest, '')
}

/** Without the parser's own error, which would quote the file. */
function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const {line, column, atEnd} = jsonFault(text)
    throw new PlanProblem(
      `is not a plan: it ${atEnd ? 'is truncated' : 'is not JSON'} at line ${line}, column ${column}`,
    )
  }
}
