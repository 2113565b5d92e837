/** A line of a page that one types into a shell. */
export interface PageLine {
  readonly line: string
  /** The exit code that is written beside it, else 0. */
  readonly exit: number
  /** Whether the page shows its output, which is all up to the next `$ ` of its block. */
  readonly shown: boolean
}

const blocks = /^( *)```(sh|console)\n(.*?)^\1```$/gmsu

/**
 * Every line of the page to type, in order: those of `sh` blocks, where `# exits 7` says how one ends that is meant to fail,
 * and those after `$ ` in `console` blocks, with what is shown below each.
 */
export function linesOf(page: string): PageLine[] {
  return [...page.matchAll(blocks)].flatMap(([, indent = '', language, inside = '']) => {
    const text = inside.replaceAll(new RegExp(`^${indent}`, 'gmu'), '')
    const shown = language === 'console'
    const lines = shown ? [...text.matchAll(/^\$ (.*)$/gmu)].map(([, line = '']) => line) : text.split(/(?<!\\)\n/u)
    return lines.filter((line) => line.trim() !== '').map((line) => ({line, exit: exitBeside(line), shown}))
  })
}

/** The page with these outputs in its `console` blocks, one for each of their lines, in order. */
export function withOutputs(page: string, outputs: readonly string[]): string {
  const rest = [...outputs]
  return page.replaceAll(blocks, (block, indent, language, inside: string) => {
    if (language !== 'console') return block
    const typed = inside.match(/^\$ .*$/gmu) ?? []
    return `${indent}\`\`\`console\n${typed.map((line) => `${line}\n${rest.shift()}`).join('')}${indent}\`\`\``
  })
}

function exitBeside(line: string): number {
  return Number(/ # exits (\d+)$/u.exec(line)?.[1] ?? 0)
}
