import type {Failure} from '../../api/contract/failure.js'
import {isMachineFormat} from '../../cli/errors/errorHandler.js'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {failureWarning} from '../../cli/output/failures.js'
import {resolveProgressKind, startBars} from '../../cli/output/liveProgress.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import {drawUploads, type UploadBars, uploadLine} from '../../view/asset/uploadProgress.js'

/** What the events of a run add up to, and what is told of each; `Event` is known to whoever makes them. */
export interface Watch<Event> {
  /** The files that the command names: the failure of the only one is left to the end of the command. */
  readonly named: number
  take(event: Event): void
  picture(): UploadBars
  /** The event as one object for programs; undefined for one that only shows life. */
  json(event: Event): object | undefined
  /** What a person is told of it in a line of its own. */
  telling(event: Event): {readonly text: string} | {readonly failure: Failure} | undefined
}

/** Shows a run on stderr while it goes on. */
export interface ProgressScreen<Event> {
  told(event: Event): void
  close(): void
}

/** Milliseconds between two looks at whether a line is due. */
const lookMs = 1000
/** A log gets one line in this time or for this part of all bytes, whichever is rarer. */
const lineMs = 10_000
const linePart = 0.05

/**
 * Starts to show a run: bars on a terminal that can move its cursor, otherwise lines; one JSON object for each event and each
 * second with `json`.
 */
export async function openUploadProgress<Event>(
  session: Session,
  kind: ProgressKind,
  watch: Watch<Event>,
): Promise<ProgressScreen<Event>> {
  const shown = resolveProgressKind(session, kind)
  if (shown === 'none') return {told: () => undefined, close: () => undefined}
  if (shown === 'json') return jsonScreen(session, watch)
  const tell = (event: Event) => tellPerson(session, watch, event)
  const draw = () => drawUploads(watch.picture(), session.runtime.stderr.columns ?? 80, session.style)
  const stop = shown === 'bar' ? await startBars(session, draw) : startLines(session, watch)
  return {told: tell, close: stop}
}

function startLines<Event>({runtime, warn}: Session, watch: Watch<Event>): () => void {
  let at = runtime.now().getTime()
  let part = 0
  let stalled = false
  return runtime.every(lookMs, () => {
    const now = runtime.now().getTime()
    const picture = watch.picture()
    const done = picture.bytes === 0 ? 0 : picture.acked / picture.bytes
    const due = now - at >= lineMs && done - part >= linePart
    // That nothing moves any more is said at once, and only once.
    const stops = picture.stalled && !stalled
    stalled = picture.stalled
    if (!due && !stops) return
    warn(uploadLine(picture))
    at = now
    part = done
  })
}

function tellPerson<Event>(session: Session, watch: Watch<Event>, event: Event): void {
  const telling = watch.telling(event)
  if (telling === undefined) return
  if ('text' in telling) session.warn(safeText(telling.text))
  else if (watch.named > 1 && !isMachineFormat(session.output.format)) {
    session.warn(failureWarning(session, telling.failure))
  }
}

function jsonScreen<Event>({runtime, warn}: Session, watch: Watch<Event>): ProgressScreen<Event> {
  const tick = () => {
    const {active, files, done, failed, bytes, acked, rate, secondsLeft, stalled} = watch.picture()
    const left = secondsLeft === undefined ? null : Math.ceil(secondsLeft)
    const counts = {active: active.length, files, done, failed, bytes, acked, rate: Math.round(rate)}
    warn(JSON.stringify({event: 'progress', ...counts, seconds_left: left, stalled}))
  }
  return {
    told: (event) => {
      const json = watch.json(event)
      if (json !== undefined) warn(JSON.stringify(json))
    },
    close: runtime.every(lookMs, tick),
  }
}
