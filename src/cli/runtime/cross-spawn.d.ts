/** What npm, execa and others use of it, too; its published types leave it out. */
declare module 'cross-spawn' {
  import type {ExecFileOptions} from 'node:child_process'

  interface Parsed {
    readonly command: string
    readonly args: readonly string[]
    readonly options: ExecFileOptions
  }

  /** On Windows what starts the program, quoted for cmd.exe where it has to; on other systems what was given. */
  export function _parse(command: string, args: readonly string[], options: ExecFileOptions): Parsed
}
