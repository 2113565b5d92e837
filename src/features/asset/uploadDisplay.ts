import type {ProgressKind} from '../../cli/flags/flags.js'
import {resolveProgressKind, showProgress} from '../../cli/output/progress.js'
import type {Session} from '../../cli/session/session.js'
import {failureJson} from '../../failure.js'
import {safeText} from '../../text/text.js'
import type {UploadEvent} from '../../upload/model/job.js'
import type {UploadProgress} from '../../upload/run/progress.js'
import {drawUploads, uploadJson, uploadLine, uploadShare} from '../../view/asset/uploadProgress.js'
import type {CiLog} from './ciLog.js'

/** The events of a run on stderr: lines above bars, lines of a log or of a CI system, or JSON. Failures are left to the results. */
export function uploadDisplay(
  session: Session,
  {progress: kind, ci}: {readonly progress: ProgressKind; readonly ci?: CiLog},
  progress: UploadProgress,
) {
  const shown = resolveProgressKind(session, kind)
  const log = ci?.options.hasLines ? ci : undefined
  let stop = () => {}
  const showJson = (event: UploadEvent) => {
    const json = eventJson(event)
    if (json !== undefined) session.progress(JSON.stringify(json))
  }
  return {
    show(event: UploadEvent): void {
      const text = shown === 'bar' || shown === 'line' ? describeEvent(event) : undefined
      if (shown === 'json') showJson(event)
      else if (event.kind === 'warned' && log) log.warn(event.text)
      else if (text !== undefined) (log ?? {line: session.progress}).line(safeText(text))
    },
    /** Starts drawing, once no question can follow. `files`: how many will be sent. */
    async start(files: number): Promise<void> {
      if (files === 0) return
      log?.begin(files)
      const view = {
        bars: (columns: number) => drawUploads(progress.snapshot(), columns, session.style),
        line: () => uploadLine(progress.snapshot()),
        json: () => uploadJson(progress.snapshot()),
        share: () => uploadShare(progress.snapshot()),
        isStalled: () => progress.snapshot().stalled,
      }
      stop = await showProgress(session, log ? 'line' : kind, view, log && ((text) => log.line(text)))
    },
    close: () => stop(),
  }
}

/** An event in a line of its own; undefined if the bars, the lines about all files or the results say enough. */
function describeEvent(event: UploadEvent): string | undefined {
  if (event.kind === 'warned') return `warning: ${event.text}`
  if (event.kind === 'waiting' && event.isSaid) return `${event.key} waits: ${event.why}`
  return event.kind === 'renewed' ? `${event.key} starts over: ${event.why}` : undefined
}

/** An event as one object for programs, in the names of the results; undefined for `sent`, which proves nothing. */
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
