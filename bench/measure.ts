import {spawn} from 'node:child_process'
import {text} from 'node:stream/consumers'

/** A whole process to be measured. */
export interface Subject {
  readonly name: string
  readonly argv: readonly string[]
  /** Added to the plan's environment. */
  readonly env?: Readonly<Record<string, string>>
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

interface Usage {
  readonly cpu: number
  readonly wall: number
  readonly peak: number
  readonly status: number
  readonly bytes: number
}

/** Runs the plan (bench/measure.py) and reduces it. Raises an Error when a subject ends with anything but 0. */
export async function measure(plan: Plan): Promise<Measured[]> {
  const {runs, floor, subjects, env} = plan
  const {NODE_EXTRA_CA_CERTS: _, ...clean} = env // Node 20 loads these at each start, which flatters every ratio
  const child = spawn('python3', [new URL('measure.py', import.meta.url).pathname], {
    env: clean,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify({runs, warmups: 2, floor, subjects}))
  const results: Record<string, (Usage & {floor: Usage})[]> = JSON.parse(await text(child.stdout))
  return subjects.map(({name}) => reduce(name, results[name] ?? []))
}

function reduce(name: string, runs: readonly (Usage & {floor: Usage})[]): Measured {
  const failed = runs.find(({status}) => status !== 0)
  if (failed) throw new Error(`${name} ended with ${failed.status}`)
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

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
