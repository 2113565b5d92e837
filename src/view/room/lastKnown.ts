import {safeText} from '../../text/text.js'
import {toTheMinute} from '../../text/time.js'
import type {CardView} from '../format/columns.js'
import type {ViewContext} from '../format/context.js'

/** A user about whom something was set, as the journal has it. */
export interface SetHere {
  readonly user: string
  /** RFC 3339, UTC. */
  readonly at: string
  /** Who did it, in a journal that several share. */
  readonly by?: string
}

/** What the service has no field for, and the journal knows (product §5). */
export interface LastKnown {
  readonly blocked: readonly SetHere[]
  readonly presenter: SetHere | undefined
}

/** The card with a sentence for each thing that only the journal knows; another machine may have changed it since. */
export function withLastKnown<T>(card: CardView<T>, {blocked, presenter}: LastKnown): CardView<T> {
  return {
    ...card,
    notes: (value, context) => [
      ...(card.notes?.(value, context) ?? []),
      ...(presenter ? [`presenter, ${lastSet(presenter, context)}: ${safeText(presenter.user)}`] : []),
      ...blocked.map((one) => `blocked, ${lastSet(one, context)}: ${safeText(one.user)}`),
    ],
  }
}

function lastSet({at, by}: SetHere, {time}: ViewContext): string {
  const where = by === undefined ? 'from this machine' : `by ${safeText(by)}`
  return `last set ${where} ${toTheMinute(time(at))}`
}
