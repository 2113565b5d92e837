import {failureJson} from '../../api/contract/failure.js'
import type {ProgressKind} from '../../cli/flags/flags.js'
import {failureWarning} from '../../cli/output/failures.js'
import {resolveProgressKind, startBars} from '../../cli/output/liveProgress.js'
import {isMachineFormat} from '../../cli/runtime/runtime.js'
import type {Session} from '../../cli/session/session.js'
import {safeText} from '../../text/text.js'
import type {UploadEvent} from '../../upload/model/job.js'
import type {UploadProgress} from '../../upload/run/progress.js'
import {drawUploads, uploadLine} from '../../view/asset/uploadProgress.js'
import type {CiLog} from './ciLog.js'

interface ProgressDisplay {
  show(event: UploadEvent): void
  close(): void
}

const checkMs = 1000
/** A log gets one line in this time or for this part of all bytes, whichever is rarer. */
const lineMs = 10_000
const linePart = 0.05

/**
 * Bars on a terminal that can move its cursor, lines elsewhere, JSON events, or lines of a CI log. A single file's failure is left
 * to the end.
 */
export async function showUploadProgress(
  session: Session,
  {progress: kind, ci}: {readonly progress: ProgressKind; readonly ci?: CiLog},
  progress: UploadProgress,
  files: number,
): Promise<ProgressDisplay> {
  const shown = resolveProgressKind(session, kind)
  if (shown === 'none') return {show: () => undefined, close: () => undefined}
  if (shown === 'json') return showJson(session, progress)
  if (ci?.hasLines) {
    ci.begin(files)
    return {show: (event) => ci.take(event), close: startLines(session, progress, (text) => ci.line(text))}
  }
  const showsFailures = files > 1 && !isMachineFormat(session.output.format)
  let isBegun = false
  // Nothing is drawn before the first file: until then a question may be asked.
  const draw = () =>
    isBegun ? drawUploads(progress.snapshot(), session.runtime.stderr.columns ?? 80, session.style) : []
  const close = shown === 'bar' ? await startBars(session, draw) : startLines(session, progress, session.progress)
  return {
    show: (event) => {
      isBegun = true
      const text = describeEvent(event)
      if (text !== undefined) session.progress(safeText(text))
      if (event.kind === 'failed' && showsFailures) session.progress(failureWarning(session, event.failure))
    },
    close,
  }
}

function startLines({runtime}: Session, progress: UploadProgress, writeLine: (line: string) => void): () => void {
  let at = runtime.now().getTime()
  let part = 0
  let stalled = false
  return runtime.every(checkMs, () => {
    const now = runtime.now().getTime()
    const snapshot = progress.snapshot()
    const done = snapshot.bytes === 0 ? 0 : snapshot.acked / snapshot.bytes
    const due = now - at >= lineMs && done - part >= linePart
    // That nothing moves any more is said at once, and only once.
    const stops = snapshot.stalled && !stalled
    stalled = snapshot.stalled
    if (!due && !stops) return
    writeLine(uploadLine(snapshot))
    at = now
    part = done
  })
}

function showJson({runtime, progress: writeLine}: Session, progress: UploadProgress): ProgressDisplay {
  const tick = () => {
    const {active, files, done, failed, bytes, acked, rate, secondsLeft, stalled} = progress.snapshot()
    const left = secondsLeft === undefined ? null : Math.ceil(secondsLeft)
    const counts = {active: active.length, files, done, failed, bytes, acked, rate: Math.round(rate)}
    writeLine(JSON.stringify({event: 'progress', ...counts, seconds_left: left, stalled}))
  }
  return {
    show: (event) => {
      const json = eventJson(event)
      if (json !== undefined) writeLine(JSON.stringify(json))
    },
    close: runtime.every(checkMs, tick),
  }
}

/** An event in a line of its own; undefined where the bars, the lines about all files or its failure say enough. */
function describeEvent(event: UploadEvent): string | undefined {
  if (event.kind === 'warned') return `warning: ${event.text}`
  return event.kind === 'renewed' ? `${event.key} starts over: ${event.why}` : undefined
}

/** An event as one object for programs, in the names of the results; undefined for `sent`, of which there are too many and which proves nothing. */
function eventJson(event: UploadEvent): object | undefined {
  switch (event.kind) {
    case 'sent':
      return undefined
    case 'warned':
      return {event: 'warned', message: event.text}
    case 'begun':
      return {event: 'begun', file: event.key, bytes: event.size, resumed_from: event.from}
    case 'acked':
      return {event: 'acked', file: event.key, acked: event.offset}
    case 'waiting':
      return {event: 'waiting', file: event.key, ms: Math.round(event.ms), why: event.why}
    case 'renewed':
      return {event: 'renewed', file: event.key, why: event.why}
    case 'done':
      return {event: 'done', file: event.key, uuid: event.result.uuid, sha256: event.result.sha256}
    case 'failed':
      return {event: 'failed', file: event.key, error: failureJson(event.failure)}
  }
}
