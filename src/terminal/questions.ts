/** Esc or Ctrl-D. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  override readonly message = 'cancelled'
}

/** Ctrl-C, a signal, or a lost terminal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  override readonly message = 'interrupted'
}

export interface Streams {
  readonly stdin: NodeJS.ReadStream
  readonly stderr: NodeJS.WriteStream
  readonly signal: AbortSignal
  /** Lines of at most `width` columns. */
  readonly wrap: (words: readonly string[], width: number) => Promise<readonly string[]>
}

export interface Choice<T> {
  readonly name: string
  readonly value: T
  /** The text that stays on the screen after the choice; default: the name. */
  readonly short?: string
  /** Offered whatever is typed to filter. */
  readonly always?: true
  /** The value in place of `value` if a filter was typed, which it gets. */
  readonly fromFilter?: (filter: string) => T
}

export interface TextOptions {
  readonly initial?: string
  /** True, or an error message. */
  readonly check?: (text: string) => true | string | Promise<true | string>
}

/** All throw Cancelled and Interrupted. */
export interface Questions {
  /** Enter alone is no. */
  confirm(question: string): Promise<boolean>
  text(question: string, options?: TextOptions): Promise<string>
  secret(question: string): Promise<string>
  choose<T>(question: string, choices: readonly Choice<T>[]): Promise<T>
  chooseSeveral<T>(question: string, choices: readonly Choice<T>[]): Promise<T[]>
}
