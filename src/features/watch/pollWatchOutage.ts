import type {Session} from '../../cli/session/session.js'
import {formatDuration} from '../../selection/quantity.js'
import {safeText} from '../../text/text.js'
import type {Watching} from './pollWatchPace.js'

/** Lines on stderr: one when the service stops answering, and one when it answers again. */
export function outageNotes({progress, view, runtime}: Session): Pick<Watching, 'lost' | 'back'> {
  const at = () => view.time(secondOf(runtime.now()))
  return {
    lost: ({facts}) => progress(`${at()}  no news: ${safeText(facts.message)}; the watch goes on`),
    back: (ms) => progress(`${at()}  the service answers again, after ${inSeconds(ms)}`),
  }
}

/** RFC 3339, UTC, to the second: a watch is no more exact than that. */
export function secondOf(date: Date): string {
  return `${date.toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`
}

function inSeconds(ms: number): string {
  return formatDuration(Math.ceil(ms / 1000) * 1000)
}
