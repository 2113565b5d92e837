import {type StateRule, stateRules, stateSays, type Verdict} from '../../api/contract/states.js'

const headings: Readonly<Record<Verdict['allowed'], string>> = {
  yes: 'allowed now',
  no: 'refused now',
  unclear: 'left to the service',
}

/**
 * What the documents say of the operations on a room in this state (room, Operation validity by state), one sentence
 * each for those allowed, refused, and left open; nothing for a state that they do not know.
 */
export function stateNotes(state: string): string[] {
  if (!isState(state)) return []
  const rules: [string, StateRule][] = Object.entries(stateRules)
  return (['yes', 'no', 'unclear'] as const).flatMap((allowed) => {
    const ids = rules.filter(([, rule]) => rule.in[state].allowed === allowed).map(([id]) => id)
    return ids.length === 0 ? [] : [`${headings[allowed]}: ${byTopic(ids)}`]
  })
}

function isState(text: string): text is keyof typeof stateSays {
  return Object.hasOwn(stateSays, text)
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
