import {writeFileSync} from 'node:fs'
import path from 'node:path'
import type {Machine} from './machine.js'

/** A call of roomctl; without a folder and an environment of its own it has those of the process. */
interface Call {
  readonly words: readonly string[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** What a line printed, and its exit code; null where it was never reached, or waited for a promise that nobody settles. */
export interface Ending {
  readonly text: string
  readonly exit: number | null
}

/** Whether a line is one call of roomctl with no more of the shell in it than quotes, so that it needs no process of its own. */
export function isPlain(line: string): boolean {
  const unquoted = line.replaceAll('\\\n', ' ').replaceAll(/'[^']*'|"[^"$`\\]*"/gu, '')
  // A watch with a time limit ends its process, and a served sandbox is ended.
  return /^roomctl (?!room watch|sandbox start)[^|<>;&$`*?[~\\\n]*$/u.test(unquoted)
}

/** The words of each plain line, as sh takes them apart. */
export async function wordsOf(machine: Machine, lines: readonly string[]): Promise<string[][]> {
  const {stdout} = await machine.type(["roomctl() { printf '%s\\0' \"$@\" '\\n'; }", ...lines].join('\n'))
  return stdout.split('\\n\0').map((text) => text.split('\0').slice(0, -1))
}

/** The line of shell that makes the calls one after the other in one process, with the built program (inOneProcess.cjs). */
export function lineOf(calls: readonly Call[], file: string): string {
  writeFileSync(file, JSON.stringify(calls))
  return `'${process.execPath}' '${path.join(import.meta.dirname, 'inOneProcess.cjs')}' '${file}'`
}

/** What stands behind the output of a line: its exit code between two NUL. */
export const noteExit = "printf '\\0%s\\0' $?"

/** The endings of so many lines by what they wrote, each with its exit code behind it. */
export function endingsIn(written: string, count: number): Ending[] {
  const found = [...written.matchAll(/([^\0]*)\0(?:(\d+)|undefined)\0/gu)]
  return Array.from({length: count}, (_, at) => {
    const [, text = 'it was never reached', exit] = found[at] ?? []
    return {text, exit: exit === undefined ? null : Number(exit)}
  })
}
