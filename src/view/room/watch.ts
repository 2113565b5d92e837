import {safeText} from '../../text/text.js'
import type {ViewContext} from '../format/context.js'

/** One line of a watch: when, of which room, what. The time is an RFC 3339 one of the watcher's own clock. */
export function watchLine(at: string, roomId: string, words: string, {style, time}: ViewContext): string {
  return `${style.dim(time(at))}  ${safeText(roomId)}  ${safeText(words)}\n`
}
