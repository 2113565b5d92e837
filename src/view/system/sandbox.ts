import {ambiguities, defaultAmbiguityChoices} from '../../api/contract/ambiguities.js'
import type {PresenceChange} from '../../sandbox/demo/scenarios.js'
import type {Choices} from '../../sandbox/world/world.js'
import {safeText} from '../../text/text.js'

/** `ben entered r-1; the room is MEETING`. */
export function describePresenceChange({room_id: room, notes}: PresenceChange): string {
  return `room ${safeText(room)}: ${notes.map((note) => safeText(note)).join('; ')}`
}

/** The choices that differ from the defaults, as flags of `sandbox start`: `--document push-all=refuse --latency 200ms`. */
export function choicesText(choices: Partial<Choices>): string {
  const {latencyMs = 0} = choices
  const taken = Object.entries(ambiguities).flatMap(([key, [name]]) => {
    const value = choices[name] ?? defaultAmbiguityChoices[name]
    return value === defaultAmbiguityChoices[name] ? [] : [`--document ${key}=${value}`]
  })
  return [...taken, ...(latencyMs > 0 ? [`--latency ${latencyMs}ms`] : [])].join(' ')
}
