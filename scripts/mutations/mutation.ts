/** One safety mechanism made to fail on purpose: a change of the source that at least one test has to notice. */
export interface Mutation {
  /** Short, and its own; `--only` takes it. */
  readonly name: string
  /** The broken property, a clause. */
  readonly breaks: string
  /** The file of the mechanism, below the checkout. */
  readonly file: string
  /** The text of the mechanism, which occurs once. */
  readonly from: string
  /** The replacement. */
  readonly to: string
  /** The tests; at least one must fail. */
  readonly tests: readonly string[]
}
