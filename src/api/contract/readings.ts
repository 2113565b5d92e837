const either = ['allow', 'refuse'] as const
const noOrYes = ['no', 'yes'] as const

/**
 * Where the documents differ or are silent: by the key of `--document`, the name of the sandbox's choice, the values with the
 * default first, the place in the documents (document, section and rule), and what it is about.
 */
export const readings = {
  'delete-ended': ['deleteEnded', either, 'room States', 'deleting an ENDED room'],
  // Not among the valid states, yet the error table refuses only MEETING.
  'delete-idle': ['deleteIdle', either, 'room Errors D001', 'deleting an IDLE room'],
  'host-leave': ['hostLeave', ['continue', 'destroy'], 'room States', 'a host leaves and is not replaced'],
  // Participants wait in both texts; without the host, a room of a creator who is host could never begin.
  'not-joinable': ['joinableFalse', ['host', 'nobody'], 'room 1', 'who may enter while not joinable'],
  'joinable-by': ['joinableBy', ['creator', 'host'], 'room 1.7, 4.1', 'who may change is_joinable'],
  'joinable-met': ['joinableMet', ['refuse', 'allow'], 'room 1.7, States', 'changing it in MEETING/IDLE'],
  'equal-max': ['equalMax', either, 'room 4.3', 'maximum equal to the attendee count'],
  'update-requester': [
    'updateRequester',
    ['either', 'requester_id', 'user_id'],
    'room 4.1',
    'name of the requester in an update',
  ],
  'fail-status': ['failStatus', ['4xx', '200'], 'room Response envelope', 'HTTP status of refusals'],
  'minimal-create': [
    'minimalCreate',
    noOrYes,
    'room 1',
    'take rooms that name neither host selection, election nor joinability',
  ],
  'meeting-status': ['meetingStatus', noOrYes, 'room Room', 'meeting_status for status in lists'],
  tenant: ['tenant', noOrYes, 'room 1, 2', 'require biz_id, the tenant variant'],
  'container-path': [
    'containerPath',
    ['self', 'parent'],
    'asset Container operations',
    'what the path names when a container is created',
  ],
  'method-headers': [
    'methodHeaders',
    ['both', 'table', 'notes'],
    'asset Container operations',
    'OPTIONS carries Allow and HEAD Link (table), or the reverse (notes)',
  ],
  'no-head': ['noHead', noOrYes, 'asset Resource operations', 'no HEAD of an upload'],
  'foreign-location': ['foreignLocation', noOrYes, 'asset Resource operations', 'return a Location on another origin'],
  'lenient-tus': ['lenientTus', noOrYes, 'asset Resource operations', 'take uploads without Tus-Resumable'],
  'no-checksum': ['noChecksum', noOrYes, 'asset Resource operations', 'know no algorithm of Upload-Checksum'],
  'push-bodies': ['pushBodies', ['full', 'none'], 'push Rules 5', 'bodies of responses not shown'],
  'push-all': ['pushAll', either, 'push Enumerations', 'the destination ALL'],
  'ios-key-file': ['keyFile', ['optional', 'required'], 'push 6', 'the file of an iOS key'],
} as const

export type ReadingKey = keyof typeof readings
type Reading = (typeof readings)[ReadingKey]

/** Which reading is taken of each, by the names of the choices; `yes` and `no` are booleans. */
export type Readings = {
  readonly [Row in Reading as Row[0]]: Row[1] extends typeof noOrYes ? boolean : Row[1][number]
}

/** A reading as an entry of `Readings`, by the value that `--document` takes. */
export function readingOf([choice, values]: Reading, value: string = values[0]): readonly [string, string | boolean] {
  return [choice, values === noOrYes ? value === 'yes' : value]
}

export const defaultReadings = Object.fromEntries(
  Object.values(readings).map((reading) => readingOf(reading)),
) as Readings
