/** A file that the tool writes: by which command, and how it is read back without the tool. */
export interface Written {
  /** As a title says it: `the profile file`. */
  readonly name: string
  /** As a flag names it. */
  readonly word: string
  /** The file itself, below the home. */
  readonly file: string
  /** Its folder, below the home. */
  readonly folder: string
  /** The files beside it at rest; names below the folder. */
  readonly beside: readonly string[]
  /** The words that write the value `n`; with the environment that they need. */
  readonly write: (n: number) => {readonly words: readonly string[]; readonly env?: Readonly<Record<string, string>>}
  /** The values in the file, the newest last; throws an Error if it is not whole. */
  readonly values: (text: string, home: string) => readonly number[]
  /** `all`: earlier values stay. `last`: the newest replaces them. */
  readonly keeps: 'all' | 'last'
  /** The exit code of the command without a fault. */
  readonly done: number
  /** At least this many calls change the disk: with fewer, none would have been met. */
  readonly fewestCalls: number
  /** It is kept for the user alone, and so is its folder: 0600 in 0700. */
  readonly isOurs?: true
  /** Lines are appended; others are replaced. */
  readonly isAppended?: true
  /** The value may be there despite a refusal of a later call. */
  readonly mayBeKept?: true
  /** The start of stderr if it could not be written; the change itself may have been made. */
  readonly refusal: RegExp
  /** The exit code then. */
  readonly exit: number
  /** Makes what the command needs for values up to `most`, before the first is written. */
  readonly prepare?: (home: string, most?: number) => void
}
