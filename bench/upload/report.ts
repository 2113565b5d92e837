import {median, type Rounds, speed} from '../measure.js'
import {printTable} from '../print.js'

/** What a case should reach; more is better for a speed, less for a peak. */
export type Aim =
  | {readonly of: string; readonly timesAsFastAs: string; readonly atLeast: number}
  | {readonly of: string; readonly peakMiB: number}

/** A case with the runs that were made of it. */
export interface Result {
  readonly title: string
  /** Whom the others are compared with. */
  readonly bases: readonly string[]
  readonly rounds: Rounds
  readonly aims: readonly Aim[]
}

/** Prints the subjects of one case: how many times as fast as each base, and what they took. */
export function printResult({title, bases, rounds}: Result): void {
  const rows = Object.entries(rounds).map(([name, runs]) => [
    name,
    ...bases.map((base) => speed(rounds, name, base).toFixed(2)),
    median(runs.map(({wall}) => wall * 1000)).toFixed(0),
    median(runs.map(({cpu}) => cpu * 1000)).toFixed(0),
    highestMiB(rounds, name).toFixed(0),
  ])
  const count = Object.values(rounds)[0]?.length ?? 0
  const heading = ['', ...bases.map((base) => `x ${base}`), 'wall ms', 'cpu ms', 'peak MiB']
  printTable(`${title}; ${count} rounds, medians, the highest peak`, heading, rows)
  const said = Object.entries(rounds).flatMap(([name, runs]) =>
    lostOf(
      name,
      runs.map((run) => run.said),
    ),
  )
  if (said.length > 0) console.log(`${said.join('\n')}\n`)
}

/** Prints each aim beside what was reached. */
export function printAims(results: readonly Result[]): void {
  const rows = results.flatMap(({title, rounds, aims}) =>
    aims.map((aim) => {
      const {what, wanted, reached, met} = judged(aim, rounds)
      return [`${title}: ${what}`, wanted, reached, met ? 'yes' : 'no']
    }),
  )
  printTable('Aims', ['', 'aim', 'reached', 'met'], rows)
}

function judged(aim: Aim, rounds: Rounds) {
  if ('peakMiB' in aim) {
    const peak = highestMiB(rounds, aim.of)
    const met = peak <= aim.peakMiB
    return {what: `${aim.of}, peak`, wanted: `<= ${aim.peakMiB} MiB`, reached: `${peak.toFixed(0)} MiB`, met}
  }
  const times = speed(rounds, aim.of, aim.timesAsFastAs)
  const met = times >= aim.atLeast
  return {what: `${aim.of} / ${aim.timesAsFastAs}`, wanted: `>= ${aim.atLeast}`, reached: times.toFixed(2), met}
}

function highestMiB(rounds: Rounds, name: string): number {
  return Math.max(...(rounds[name] ?? []).map(({peak}) => peak / 2 ** 20))
}

/** A line where the program says that it lost files: it had less to do than the others. */
function lostOf(name: string, said: readonly string[]): string[] {
  const lost = said.map((text) => Number(/lost (\d+)/.exec(text)?.[1] ?? 0))
  return lost.some((count) => count > 0) ? [`${name} lost ${lost.join(', ')} files, which its time leaves out`] : []
}
