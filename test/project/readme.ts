/** A line of a page that one types into a shell. */
export interface PageLine {
  readonly line: string
  /** The exit code that is written beside it, else 0. */
  readonly exit: number
  /** What the page shows under the line; undefined where it shows no output. */
  readonly shown: string | undefined
}

/**
 * Every line of the page to type, in order: those of `sh` blocks, where `# exits 7` says how one ends that is meant to fail,
 * and those after `$ ` in `console` blocks, with what is shown below each.
 */
export function linesOf(page: string): PageLine[] {
  return [...page.matchAll(/^( *)```(sh|console)\n(.*?)^\1```$/gmsu)].flatMap(
    ([, indent = '', language, inside = '']) => {
      const text = inside.replaceAll(new RegExp(`^${indent}`, 'gmu'), '')
      return language === 'console' ? fromConsole(text) : fromShell(text)
    },
  )
}

function fromShell(text: string): PageLine[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => ({line, exit: exitBeside(line), shown: undefined}))
}

function fromConsole(text: string): PageLine[] {
  return text
    .split(/^\$ /mu)
    .slice(1)
    .map((entry) => {
      const [line = '', ...shown] = entry.split('\n')
      return {line, exit: exitBeside(line), shown: shown.join('\n')}
    })
}

function exitBeside(line: string): number {
  return Number(/ # exits (\d+)$/u.exec(line)?.[1] ?? 0)
}
