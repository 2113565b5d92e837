/** The person pressed Esc or Ctrl-D instead of answering. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'

  constructor() {
    super('cancelled')
  }
}

/** The person pressed Ctrl-C instead of answering, a signal came, or the terminal went away. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'

  constructor() {
    super('interrupted')
  }
}

/** Where questions are shown, and where their answers come from. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  /** Ends a question that waits: a signal to the process, also Ctrl-C where the terminal itself reads the keys. */
  readonly signal: AbortSignal
}

export interface Choice<T> {
  readonly name: string
  readonly value: T
  /** What stays on the screen once it is chosen; the name without it. */
  readonly short?: string
}

export interface TextOptions {
  /** The answer when nothing is typed. */
  readonly initial?: string
  /** True for an answer that will do, else the sentence that says why it will not. */
  readonly check?: (text: string) => true | string | Promise<true | string>
}

/** The kinds of questions there are. Every one of them raises Cancelled and Interrupted. */
export interface Questions {
  /** A question that is answered by yes or no; Enter alone is no. */
  confirm(question: string): Promise<boolean>
  text(question: string, options?: TextOptions): Promise<string>
  /** An answer that is not shown while it is typed, nor how long it is. */
  secret(question: string): Promise<string>
  choose<T>(question: string, choices: readonly Choice<T>[]): Promise<T>
  /** One choice or more. */
  chooseSeveral<T>(question: string, choices: readonly Choice<T>[]): Promise<T[]>
}
