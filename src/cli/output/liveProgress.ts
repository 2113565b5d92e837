import {isPlain} from '../../terminal/color.js'
import type {ProgressKind} from '../flags/flags.js'
import type {Session} from '../session/session.js'

const frameMs = 100

/** `auto` and `bar` are a bar on a terminal that can be repainted, otherwise lines. */
export function resolveProgressKind({runtime}: Session, kind: ProgressKind): Exclude<ProgressKind, 'auto'> {
  if (kind === 'json' || kind === 'none' || kind === 'line') return kind
  const {env, stderr} = runtime
  return stderr.isTerminal && !isPlain(env) ? 'bar' : 'line'
}

/** Repaints lines at the end of the terminal until the returned function is called. */
export async function startBars({runtime}: Session, draw: () => readonly string[]): Promise<() => void> {
  const [{Live}, {displayWidth, loadWidths}] = await Promise.all([
    import('../../terminal/live.js'),
    import('../../text/width.js'),
  ])
  await loadWidths()
  const live = new Live(runtime.stderr, displayWidth)
  const stop = runtime.every(frameMs, () => live.draw(draw()))
  return () => {
    stop()
    live.end()
  }
}
