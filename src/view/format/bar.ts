import type {Style} from '../../text/text.js'

/** Below this many columns a bar says less than its numbers. */
export const leastBarColumns = 40
export const longestBar = 40
/** Between the parts of a line of progress. */
export const barGap = '  '

/** A bar of `width` columns: `=` for the share done, `-` for the share ahead of it, both from 0 to 1. */
export function barText(done: number, ahead: number, width: number, style: Style): string {
  const inner = width - 2
  const columns = (share: number) => Math.floor(Math.min(1, share) * inner)
  const [filled, reached] = [columns(done), Math.max(columns(done), columns(ahead))]
  return `[${style.cyan('='.repeat(filled))}${style.dim('-'.repeat(reached - filled))}${' '.repeat(inner - reached)}]`
}
