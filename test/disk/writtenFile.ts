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
  /** What is there beside the file once it is at rest; names below the folder. */
  readonly beside: readonly string[]
  /** The words that write the value `n`; with the environment that they need. */
  readonly write: (n: number) => {readonly words: readonly string[]; readonly env?: Readonly<Record<string, string>>}
  /** The values that stand in the file, the newest last; throws an Error where any of it is not whole. */
  readonly values: (text: string, home: string) => readonly number[]
  /** `all`: what was written before stays. `last`: the newest takes its place. */
  readonly keeps: 'all' | 'last'
  /** The exit code of the command where all is well. */
  readonly done: number
  /** So many calls at least change the disk: fewer would say that none was met. */
  readonly fewestCalls: number
  /** It is kept for the user alone, and so is its folder: 0600 in 0700. */
  readonly isOurs?: true
  /** Lines are added at its end; the others are put in place anew. */
  readonly isAppended?: true
  /** The command prints before it writes. */
  readonly printsFirst?: true
  /** Where it was refused, the value may stand there all the same: what was refused came after it. */
  readonly mayBeKept?: true
  /** What is at the beginning of stderr where it could not be written; the change itself may have been made. */
  readonly refusal: RegExp
  /** The exit code then. */
  readonly exit: number
  /** Makes what the command needs for values up to `most`, before the first is written. */
  readonly prepare?: (home: string, most?: number) => void
}
