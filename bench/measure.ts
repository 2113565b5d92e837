import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'

/** A whole process to be measured. */
export interface Subject {
  readonly name: string
  readonly argv: readonly string[]
  /** Added to the plan's environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Folders that are emptied before each run. */
  readonly empty?: readonly string[]
  /** A program that runs before each run; its output replaces `{made}` in argv. */
  readonly made?: readonly string[]
}

export interface Plan {
  readonly floor: readonly string[]
  readonly subjects: readonly Subject[]
  readonly runs: number
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Medians over the runs: times and memory of the subject, and their ratios to the floor's run just before. */
export interface Measured {
  readonly name: string
  readonly cpuRatio: number
  readonly wallRatio: number
  readonly peakRatio: number
  readonly cpuMs: number
  readonly wallMs: number
  readonly peakMiB: number
  readonly outputBytes: number
}

/** The kernel's accounting of one process: seconds and bytes. */
export interface Usage {
  readonly cpu: number
  readonly wall: number
  readonly peak: number
  readonly status: number
  readonly bytes: number
  /** The end of its output. */
  readonly said: string
}

/** Runs the plan (bench/measure.py) and reduces it. Throws an Error when a subject ends with anything but 0. */
export async function measure({env, subjects, ...plan}: Plan): Promise<Measured[]> {
  const results = await runAll<Usage & {floor: Usage}>({...plan, warmups: 2, subjects}, env)
  return subjects.map(({name}) => reduce(name, succeeded(name, results[name] ?? [])))
}

/** The runs of each subject, by its name; run n of all subjects was made in round n. */
export type Rounds = Readonly<Record<string, readonly Usage[]>>

/**
 * Runs all subjects once in each round, after `warmups` of them. Throws an Error when one ends with anything but 0.
 */
export async function measureRounds({
  env,
  subjects,
  runs,
  warmups = 1,
}: Omit<Plan, 'floor'> & {readonly warmups?: number}): Promise<Rounds> {
  const results = await runAll<Usage>({runs, warmups, subjects}, env)
  for (const {name} of subjects) succeeded(name, results[name] ?? [])
  return results
}

async function runAll<Run>(plan: object, env: Plan['env']): Promise<Record<string, Run[]>> {
  const {NODE_EXTRA_CA_CERTS: _, ...clean} = env // Node 20 loads these at each start, which flatters every ratio
  const child = spawn('python3', [new URL('measure.py', import.meta.url).pathname], {
    env: clean,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(plan))
  return JSON.parse(await text(child.stdout))
}

function succeeded<Run extends Usage>(name: string, runs: readonly Run[]): readonly Run[] {
  const failed = runs.find(({status}) => status !== 0)
  if (failed) throw new Error(`${name} ended with ${failed.status}: ${failed.said}`)
  return runs
}

function reduce(name: string, runs: readonly (Usage & {floor: Usage})[]): Measured {
  const middle = (value: (run: Usage & {floor: Usage}) => number) => median(runs.map(value))
  return {
    name,
    cpuRatio: middle((run) => run.cpu / run.floor.cpu),
    wallRatio: middle((run) => run.wall / run.floor.wall),
    peakRatio: middle((run) => run.peak / run.floor.peak),
    cpuMs: middle((run) => run.cpu * 1000),
    wallMs: middle((run) => run.wall * 1000),
    peakMiB: middle((run) => run.peak / 2 ** 20),
    outputBytes: middle((run) => run.bytes),
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
