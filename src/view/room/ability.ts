import type {Answer} from '../../api/contract/states.js'
import {safeText} from '../../text/text.js'
import type {CardView, ListView} from '../format/columns.js'

/** What a room allows (product §1, `room can`). */
export interface Ability {
  /** The operation's id. */
  readonly action: string
  readonly allowed: Answer
  readonly why: string
  /** Whom it would be done as; null where no requester is named. */
  readonly as: string | null
  /** The code of the refusal, where the document names one. */
  readonly code: string | null
  readonly source: string | null
}

const colours = {yes: 'green', no: 'red', unknown: 'yellow'} as const

export const abilityList: ListView<Ability> = {
  id: ({action}) => action,
  empty: 'the document names no operation for it',
  columns: [
    {name: 'action', value: ({action}) => action, id: true},
    {name: 'allowed', value: ({allowed}) => allowed, paint: (text, {allowed}, style) => style[colours[allowed]](text)},
    {name: 'as', value: (ability) => ability.as},
    {name: 'code', value: ({code}) => code},
    {name: 'why', value: ({why}) => why, flex: true},
    {name: 'source', value: ({source}) => source, extra: true},
  ],
}

const headings: Readonly<Record<Answer, string>> = {
  yes: 'allowed now',
  no: 'refused now',
  unknown: 'left to the service',
}

/** The card with one sentence each for what is allowed, refused and left open. `as`: the user, if that is not the host. */
export function withAbilities<T>(card: CardView<T>, abilities: readonly Ability[], as?: string): CardView<T> {
  const whom = as === undefined ? '' : ` as ${safeText(as)}`
  const notes = (['yes', 'no', 'unknown'] as const).flatMap((answer) => {
    const ids = abilities.filter(({allowed}) => allowed === answer).map(({action}) => action)
    return ids.length === 0 ? [] : [`${headings[answer]}${whom}: ${byTopic(ids)}`]
  })
  return {...card, notes: (value, context) => [...(card.notes?.(value, context) ?? []), ...notes]}
}

/** `room.end`, `room.send`, `record.stop` as `room end, send; record stop`. */
function byTopic(ids: readonly string[]): string {
  const topics = new Map<string, string[]>()
  for (const id of ids) {
    const [topic = '', action = ''] = id.split('.')
    topics.set(topic, [...(topics.get(topic) ?? []), action])
  }
  return Array.from(topics, ([topic, actions]) => `${topic} ${actions.join(', ')}`).join('; ')
}
