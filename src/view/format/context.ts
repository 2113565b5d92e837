import type {Style} from '../../text/style.js'

/** What a view must know of the place it is drawn for. */
export interface ViewContext {
  readonly style: Style
  /** The width of the terminal; undefined off a terminal and for a screen reader, where nothing is cut. */
  readonly columns: number | undefined
  /** A screen reader reads: no sign stands for a word. */
  readonly plain: boolean
  /** Shows a time of the service as the reader wants it (see time.ts); other values come out as safe text. */
  readonly time: (value: unknown) => string
  readonly now: Date
  /** Takes a sentence about the drawing (an empty list, columns left out) that must not stand in the result; it goes to stderr. */
  readonly note?: (text: string) => void
}
