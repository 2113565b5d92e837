import {isPlain} from '../../terminal/output.js'
import type {Style} from '../../text/text.js'
import type {ProgressKind} from '../flags/flags.js'
import type {Session} from '../session/session.js'

/** The progress of a run, for each kind of output. */
export interface ProgressView {
  /** The lines of a terminal, each narrower than it. */
  readonly bars: (columns: number, style: Style) => readonly string[]
  readonly line: () => string
  readonly json: () => object
  /** From 0 to 1, if a line for every small part would be too many. */
  readonly share?: () => number
  readonly isStalled?: () => boolean
}

/** No run is silent for longer than this. */
const silentMs = 2000
const frameMs = 100
const lookMs = 1000
/** After its first line a log gets one in this time and for this part of the whole, whichever is rarer. */
const lineMs = 10_000
const linePart = 0.05

/** `auto` and `bar` are a bar on a terminal that can be repainted, otherwise lines. */
export function resolveProgressKind({runtime}: Session, kind: ProgressKind): Exclude<ProgressKind, 'auto'> {
  if (kind === 'json' || kind === 'none' || kind === 'line') return kind
  const {env, stderr} = runtime
  return stderr.isTerminal && !isPlain(env) ? 'bar' : 'line'
}

/** Shows on stderr how far a run is, until the returned function is called. `writeLine` takes the lines of a log. */
export async function showProgress(
  session: Session,
  kind: ProgressKind,
  view: ProgressView,
  writeLine: (line: string) => void = session.progress,
): Promise<() => void> {
  const {runtime, progress, style} = session
  const shown = resolveProgressKind(session, kind)
  if (shown === 'bar') return startBars(session, () => view.bars(runtime.stderr.columns ?? 80, style))
  const release = session.waiting.hold()
  if (shown === 'none') return release
  const until = (stop: () => void) => () => {
    stop()
    release()
  }
  if (shown === 'json') {
    return until(runtime.every(lookMs, () => progress(JSON.stringify({event: 'progress', ...view.json()}))))
  }
  const now = () => runtime.now().getTime()
  let due = now() + silentMs
  let part = -linePart
  let wasStalled = false
  const lines = runtime.every(lookMs, () => {
    const isStalled = view.isStalled?.() ?? false
    const share = view.share?.() ?? part + linePart
    // Report a stall at once, and only once.
    const isDue = (now() >= due && share - part >= linePart) || (isStalled && !wasStalled)
    wasStalled = isStalled
    if (!isDue) return
    writeLine(view.line())
    due = now() + lineMs
    part = share
  })
  return until(lines)
}

/** Shows how far a reading of many is once it takes long, `text` in one line, until the returned function is called. */
export function showReading({waiting}: Session, text: () => string, kind: ProgressKind = 'auto'): () => void {
  return kind === 'json' || kind === 'none' ? waiting.hold() : waiting.reading(text)
}

/** Repaints lines at the end of the terminal until the returned function is called. */
async function startBars({runtime}: Session, draw: () => readonly string[]): Promise<() => void> {
  const [{Live}, {displayWidth}] = await Promise.all([import('../../terminal/live.js'), import('../../text/width.js')])
  const live = new Live(runtime.stderr, displayWidth)
  const stop = runtime.every(frameMs, () => live.draw(draw()))
  return () => {
    stop()
    live.end()
  }
}
