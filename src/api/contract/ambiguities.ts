const either = ['allow', 'refuse'] as const

/**
 * Where the documents differ or are silent on whether a request is refused: by the key of `--document`, the name of the sandbox's
 * choice, the values with the default first, the place in the documents (document, section and rule), and what it is about.
 */
export const ambiguities = {
  'delete-ended': ['deleteEnded', either, 'room States', 'deleting an ENDED room'],
  // Not among the valid states, yet the error table refuses only MEETING.
  'delete-idle': ['deleteIdle', either, 'room Errors D001', 'deleting an IDLE room'],
  // Participants wait in both texts; without the host, a room of a creator who is host could never begin.
  'not-joinable': ['joinableFalse', ['host', 'nobody'], 'room 1', 'who may enter a room that is not joinable'],
  'joinable-by': ['joinableBy', ['creator', 'host'], 'room 1.7, 4.1', 'who may change is_joinable'],
  'joinable-met': ['joinableMet', ['refuse', 'allow'], 'room 1.7, States', 'changing is_joinable in MEETING or IDLE'],
  'equal-max': ['equalMax', either, 'room 4.3', 'setting the maximum to the present attendee count'],
  'push-all': ['pushAll', either, 'push Enumerations', 'the destination ALL'],
  'ios-key-file': ['keyFile', ['optional', 'required'], 'push 6', 'the file of an iOS key'],
} as const

export type AmbiguityKey = keyof typeof ambiguities
type Ambiguity = (typeof ambiguities)[AmbiguityKey]

/** Which reading is taken of each, by the names of the choices. */
export type AmbiguityChoices = {readonly [Row in Ambiguity as Row[0]]: Row[1][number]}

export const defaultAmbiguityChoices = Object.fromEntries(
  Object.values(ambiguities).map(([choice, values]) => [choice, values[0]]),
) as AmbiguityChoices
