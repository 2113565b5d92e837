/** Used by npm, execa and others; missing in its published types. */
declare module 'cross-spawn' {
  import type {ExecFileOptions} from 'node:child_process'

  interface Parsed {
    readonly command: string
    readonly args: readonly string[]
    readonly options: ExecFileOptions
  }

  /** On Windows the line that starts the program, quoted for cmd.exe if needed; on other systems the arguments. */
  export function _parse(command: string, args: readonly string[], options: ExecFileOptions): Parsed
}
