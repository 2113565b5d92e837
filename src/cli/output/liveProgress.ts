import {isPlain} from '../../terminal/color.js'
import type {ProgressKind} from '../flags/flags.js'
import type {Session} from '../session/session.js'

/** Milliseconds between two frames of the bars. */
const frameMs = 100

/** How a run is shown: `auto` and `bar` are a bar on a terminal that may be drawn on again, otherwise lines. */
export function resolveProgressKind({runtime}: Session, kind: ProgressKind): Exclude<ProgressKind, 'auto'> {
  if (kind === 'json' || kind === 'none' || kind === 'line') return kind
  const {env, stderr} = runtime
  return stderr.isTerminal && !isPlain(env) ? 'bar' : 'line'
}

/** Draws lines at the end of the terminal, again and again, until the function it gives back is called. */
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
