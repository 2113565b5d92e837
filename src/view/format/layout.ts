/** Two spaces between columns. */
export const gap = '  '

/** A name that is cut keeps this much, so that it can still be told from others, while anything can be left out for it… */
const flexFloor = 16
/** …and at least this much before it is left out itself. */
const leastFlex = 8
/** Anything else keeps at least this much. */
const otherFloor = 17

/** What the layout must know of a column; `width` is that of its widest cell. */
export interface Natural {
  readonly width: number
  readonly id?: true | undefined
  readonly flex?: true | undefined
  readonly whole?: true | undefined
}

/** A column that is shown: its place among all of them, and its width. */
export interface Fitted {
  readonly index: number
  readonly width: number
}

interface Candidate {
  readonly index: number
  width: number
  readonly floor: number
  readonly flex: boolean
}

/**
 * Fits columns into a terminal: flex columns are cut first, then the others, and when that is not enough the last ones
 * are left out. Whole columns are left out rather than cut; ids are neither, even when they alone are too wide. Without
 * `total` (off a terminal) every column keeps its width.
 */
export function fitColumns(columns: readonly Natural[], total: number | undefined): readonly Fitted[] {
  const all = columns.map(({width}, index) => ({index, width}))
  if (total === undefined) return all
  let shown = all
  for (;;) {
    const last = shown.findLast(({index}) => !columns[index]?.id)
    const floor = last && columns[last.index]?.flex ? leastFlex : flexFloor
    const candidates = shown.map(({index}) => candidate(columns, index, total, floor))
    const fits = shrink(candidates, total)
    if (fits || last === undefined) return candidates.map(({index, width}) => ({index, width}))
    shown = shown.filter((column) => column !== last)
  }
}

function candidate(columns: readonly Natural[], index: number, total: number, flexLeast: number): Candidate {
  const {width = 0, id, flex, whole} = columns[index] ?? {}
  if (id || whole) return {index, width, floor: width, flex: false}
  const most = Math.min(width, total)
  return {index, width: most, floor: Math.min(most, flex ? flexLeast : otherFloor), flex: flex ?? false}
}

/** Takes width from the widest column, the flex ones first, until all fit; false when they cannot. */
function shrink(columns: readonly Candidate[], total: number): boolean {
  const gaps = gap.length * (columns.length - 1)
  let excess = columns.reduce((sum, {width}) => sum + width, gaps) - total
  while (excess > 0) {
    const cuttable = columns.filter(({width, floor}) => width > floor)
    const flexible = cuttable.filter(({flex}) => flex)
    const [first, ...others] = flexible.length > 0 ? flexible : cuttable
    if (first === undefined) return false
    const widest = others.reduce((best, column) => (column.width > best.width ? column : best), first)
    widest.width -= 1
    excess -= 1
  }
  return true
}
