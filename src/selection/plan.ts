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

/** The file of a plan in pieces of whole lines: of 100,000 rooms it is a text of 20 MiB. */
export async function planPieces(plan: Plan): Promise<Iterable<string>> {
  return filePieces(plan, await digestOf(bodyPieces(plan)))
}

function* filePieces(plan: Plan, digest: PlanDigest): Generator<string> {
  for (const piece of bodyPieces(plan)) yield piece.endsWith(bodyEnd) ? piece.slice(0, -bodyEnd.length) : piece
  yield `,${JSON.stringify({digest}, null, 2).slice(1)}\n`
}

const bodyEnd = '\n}'
const targetMembers = ['room_id', 'name', 'room_status', 'present', 'host'] satisfies (keyof PlannedRoom)[]
/** Targets in a piece. */
const together = 1000

/** The text of `JSON.stringify(plan, null, 2)`, in pieces of whole lines; of a target only what a plan has. */
function* bodyPieces(plan: Plan): Generator<string> {
  const {targets} = plan
  const [before = '', after = ''] = JSON.stringify({...plan, targets: []}, null, 2).split('"targets": []')
  if (targets.length === 0) return yield `${before}"targets": []${after}`
  yield `${before}"targets": [\n`
  for (let from = 0; from < targets.length; from += together) {
    const part = targets.slice(from, from + together)
    const text = JSON.stringify(part, targetMembers, 2).slice('[\n'.length, -']'.length)
    const isLast = from + together >= targets.length
    yield `  ${text.trimEnd().replaceAll('\n', '\n  ')}${isLast ? '' : ','}\n`
  }
  yield `  ]${after}`
}

async function digestOf(pieces: Iterable<string>): Promise<PlanDigest> {
  const {createHash, hash} = await import('node:crypto')
  const whole = createHash('sha256')
  let lines = ''
  for (const piece of pieces) {
    whole.update(piece)
    // Joined: a text to which 700,000 others were added one by one keeps all of them.
    lines += Array.from(linesOf(piece), (line) => hash('sha256', line).slice(0, 2)).join('')
  }
  return {sha256: whole.digest('hex'), lines}
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
  const found = await digestOf(bodyPieces(plan))
  if (found.sha256 === written.sha256) return undefined
  const [now = [], before = []] = [found, written].map(({lines}) => lines.match(/../gu) ?? [])
  const at = now.findIndex((line, n) => line !== before[n])
  // Line numbers match only if the file is formatted as roomctl writes it.
  const [inFile, inPlan] = [text, [...bodyPieces(plan)].join('')].map((one) => [...linesOf(one)][at])
  const isAsWritten = at !== -1 && inFile === inPlan
  return {line: isAsWritten ? at + 1 : undefined}
}
