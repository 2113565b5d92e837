import type {Style} from '../../text/style.js'
import type {ViewContext} from './context.js'

/** One column of a list, or one field of a card. */
export interface Column<Row> {
  /** The name on the wire: what `--columns` and `--sort` take, and the heading in CSV. */
  readonly name: string
  /** A shorter heading for people, taken by `--columns` and `--sort` as well. */
  readonly label?: string
  /** The exact value: what CSV holds and what sorting compares. */
  readonly value: (row: Row, context: ViewContext) => unknown
  /** The value for people, without colour; whatever it gives is made safe before it is shown. */
  readonly show?: (row: Row, context: ViewContext) => string
  /** Colours the text that is shown, after it was cut to its width. */
  readonly paint?: (text: string, row: Row, style: Style) => string
  /** An id, which is never cut and never left out. */
  readonly id?: true
  /** Numbers stand on the right. */
  readonly right?: true
  /** Shown only when it is asked for. */
  readonly extra?: true
  /** Left out when the terminal is narrow rather than cut: half a time says nothing. */
  readonly whole?: true
  /** The first to be cut when the terminal is narrow. */
  readonly flex?: true
}
