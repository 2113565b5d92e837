import {median, type Rounds} from './measure.js'
import {printTable} from './print.js'

/** The ratio to the CPU or wall time of the floor, or its inverse; or a value without a floor. */
type Figure = 'cpu x' | 'cpu share' | 'wall x' | 'wall share' | 'of the possible' | 'peak MiB'

/** The aim of a subject. */
export type Aim = {readonly of: string; readonly figure: Figure} & (
  | {readonly atMost: number}
  | {readonly atLeast: number}
)

/** The runs of programs that do the same work. */
export interface Result {
  readonly title: string
  /** The bare loop that the others are compared with, round by round. */
  readonly floor: string
  readonly rounds: Rounds
  readonly aims: readonly Aim[]
  /** The least time that the service allows, if known. */
  readonly leastSeconds?: number
}

/** Prints what each program took beside the floor, which is the first row. */
export function printResult(result: Result): void {
  const {title, floor, rounds, leastSeconds} = result
  const figures: Figure[] = ['cpu x', 'cpu share', 'wall x', 'wall share']
  if (leastSeconds !== undefined) figures.push('of the possible')
  const others = Object.keys(rounds).filter((name) => name !== floor)
  printTable(
    `${title}; ratios to ${floor}, medians of ${rounds[floor]?.length ?? 0} paired rounds, the highest peak`,
    ['', ...figures, 'cpu ms', 'wall ms', 'peak MiB'],
    [floor, ...others].map((name) => [
      name,
      ...figures.map((figure) => figureOf(result, name, figure).toFixed(2)),
      ...(['cpu', 'wall'] as const).map((of) => median((rounds[name] ?? []).map((run) => run[of] * 1000)).toFixed(0)),
      figureOf(result, name, 'peak MiB').toFixed(0),
    ]),
  )
}

/** Prints each aim next to the result. */
export function printAims(results: readonly Result[]): void {
  const rows = results.flatMap((result) =>
    result.aims.map((aim) => {
      const {of, figure} = aim
      const reached = figureOf(result, of, figure)
      const [wanted, met] =
        'atMost' in aim ? [`<= ${aim.atMost}`, reached <= aim.atMost] : [`>= ${aim.atLeast}`, reached >= aim.atLeast]
      return [`${result.title}: ${of}`, figure, wanted, reached.toFixed(2), met ? 'yes' : 'no']
    }),
  )
  printTable('Aims', ['', 'figure', 'aim', 'reached', 'met'], rows)
}

function figureOf({rounds, floor, leastSeconds = Number.NaN}: Result, name: string, figure: Figure): number {
  const runs = rounds[name] ?? []
  if (figure === 'peak MiB') return Math.max(...runs.map(({peak}) => peak / 2 ** 20))
  if (figure === 'of the possible') return leastSeconds / median(runs.map(({wall}) => wall))
  const of = figure.startsWith('cpu') ? 'cpu' : 'wall'
  const ratio = median(runs.map((run, round) => run[of] / (rounds[floor]?.[round]?.[of] ?? Number.NaN)))
  return figure.endsWith('share') ? 1 / ratio : ratio
}
