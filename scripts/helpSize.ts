import {drawArticle} from '../src/cli/help/article.js'
import {commandArticle} from '../src/cli/help/commandHelp.js'
import {noStyle} from '../src/text/text.js'
import type {DocumentedCommand} from './docs/commands.js'

/** What `npm run task -- help-size` counts of the help of the commands, in a window of 80 columns. */
export interface HelpSize {
  readonly pages: number
  readonly lines: number
  readonly median: number
  /** From the longest page to the shortest. */
  readonly counts: readonly (readonly [command: string, lines: number])[]
}

const columns = 80

/** Counts the lines of what `--help` shows of each command. */
export function measureHelp(commands: readonly DocumentedCommand[]): HelpSize {
  const linesOf = (command: DocumentedCommand) =>
    drawArticle(commandArticle(command, {all: false}), {columns, style: noStyle})
      .trimEnd()
      .split('\n').length
  const counts = commands.map((command) => [command.name, linesOf(command)] as const).sort(([, a], [, b]) => b - a)
  return {
    pages: counts.length,
    lines: counts.reduce((sum, [, count]) => sum + count, 0),
    median: counts[Math.floor(counts.length / 2)]?.[1] ?? 0,
    counts,
  }
}

/** The counts as lines for people. With `details` every page is named. */
export function helpTable({pages, lines, median, counts}: HelpSize, {details}: {details: boolean}): string {
  const [name = '', largest = 0] = counts[0] ?? []
  return [
    `pages           ${pages}`,
    `lines           ${lines}`,
    `median          ${median}`,
    `largest         ${largest} (${name})`,
    ...(details ? counts.map(([command, count]) => `  ${String(count).padStart(3)}  ${command}`) : []),
  ].join('\n')
}
