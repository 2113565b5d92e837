/** A request that a view cannot follow: an unknown column, a query that cannot be read. Nothing was drawn. */
export class ViewProblem extends Error {
  override readonly name = 'ViewProblem'
  /** What to do instead, as a sentence or a command line. */
  readonly advice: string

  constructor(message: string, advice: string) {
    super(message)
    this.advice = advice
  }
}
