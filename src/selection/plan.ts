export const plannedOperations = [
  'room.end',
  'room.delete',
  'record.stop',
  'attendee.block',
  'attendee.restore',
  'attendee.add',
] as const
export type PlannedOperation = (typeof plannedOperations)[number]

export interface PlannedRoom {
  readonly room_id: string
  readonly name: string | null
  readonly room_status: string | null
  readonly present: number | null
  readonly host: string | null
}

/** The decision of a bulk command (product §5). `origin` and `base_path` are compared with those of the profile, and never called. */
export interface Plan {
  readonly kind: 'roomctl-plan'
  readonly version: 1
  readonly made_at: string
  readonly profile: string
  readonly origin: string
  readonly base_path: string
  readonly operation: PlannedOperation
  /** The requester: `host`, `creator` or a user; null if the operation names no requester. */
  readonly as: string | null
  /** The users of the operation, the same in every room. */
  readonly input: {readonly attendees?: readonly string[]}
  readonly targets: readonly PlannedRoom[]
}

/** Detects accidental edits only; sign the plan against tampering. */
export interface PlanDigest {
  /** SHA-256 of the plan without its digest, as written, in hex. */
  readonly sha256: string
  /** Two hex digits of the SHA-256 of each of its lines, to find the one that was edited. */
  readonly lines: string
}

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
  let lines = ''
  for (const line of linesOf(body)) lines += hex(line).slice(0, 2)
  return {sha256: hex(body), lines}
}

/** The last line of the body, `}`, is left out: in the file the digest follows, and so a comma. */
function* linesOf(body: string): Generator<string> {
  let from = 0
  for (let to = body.indexOf('\n'); to !== -1; to = body.indexOf('\n', from)) {
    yield body.slice(from, to).replace(/,$/u, '')
    from = to + 1
  }
}

/** An edit of a plan. `line`: the first that differs, counted from 1; undefined if the digest does not say. */
export interface PlanEdit {
  readonly line: number | undefined
}

/** Finds an edit of the content; formatting does not count. `text`: that of the file. */
export async function editOf(text: string, plan: Plan, written: PlanDigest): Promise<PlanEdit | undefined> {
  const body = bodyText(plan)
  const found = await digestOf(body)
  if (found.sha256 === written.sha256) return undefined
  const [now = [], before = []] = [found, written].map(({lines}) => lines.match(/../gu) ?? [])
  const at = now.findIndex((line, n) => line !== before[n])
  // Line numbers match only if the file is formatted as roomctl writes it.
  const [inFile, inPlan] = [text, body].map((one) => [...linesOf(one)][at])
  const isAsWritten = at !== -1 && inFile === inPlan
  return {line: isAsWritten ? at + 1 : undefined}
}
