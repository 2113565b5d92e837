/** Prints a table as Markdown. */
export function printTable(title: string, heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((text, at) => Math.max(text.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => aligned(cell, widths[at] ?? 0, at)).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  console.log([title, '', line(heading), rule, ...rows.map(line), ''].join('\n'))
}

function aligned(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width)
}
