/** One safety mechanism made to fail on purpose: a change of the source that at least one test has to notice. */
export interface Mutation {
  /** Short, and its own; `--only` takes it. */
  readonly name: string
  /** What no longer holds with it, a clause. */
  readonly breaks: string
  /** Where the mechanism is, below the checkout. */
  readonly file: string
  /** The text of the mechanism, which stands there once. */
  readonly from: string
  /** What takes its place. */
  readonly to: string
  /** The tests of which one has to fail. */
  readonly tests: readonly string[]
}
