import * as Flags from '@oclif/core/flags'
import type {InferredFlags} from '@oclif/core/interfaces'
import {repeatable} from '../../cli/flags/flags.js'
import {parseByteCountFlag, parseDurationFlag} from '../../cli/flags/parseValues.js'

export const dataFlag = Flags.string({helpValue: 'DIR', summary: 'sandbox folder (default: the one of -p sandbox)'})

export const seedFlag = Flags.string({options: ['demo'], summary: 'add demonstration rooms, files and devices'})

const either = ['allow', 'refuse'] as const

/** Where the documents disagree or are silent: by flag the sandbox's name of the choice, its values, and its summary. */
const readings = {
  'delete-ended': ['deleteEnded', either, 'deleting an ENDED room (documents differ)'],
  'delete-idle': ['deleteIdle', either, 'deleting an IDLE room (undocumented)'],
  'host-leave': ['hostLeave', ['continue', 'destroy'], 'the host leaves and none is elected (documents differ)'],
  'not-joinable': ['joinableFalse', ['host', 'nobody'], 'who may enter a room that is not joinable (documents differ)'],
  'joinable-by': ['joinableBy', ['creator', 'host'], 'who may change is_joinable (documents differ)'],
  'joinable-met': ['joinableMet', either, 'changing is_joinable in a MEETING or IDLE room (documents differ)'],
  'equal-max': ['equalMax', either, 'a maximum equal to the number of attendees (documents differ)'],
  'update-requester': [
    'updateRequester',
    ['either', 'requester_id', 'user_id'],
    'what an update calls the requester (documents differ)',
  ],
  'fail-status': ['failStatus', ['200', '4xx'], 'HTTP status of refusals (undocumented)'],
  'container-path': [
    'containerPath',
    ['self', 'parent'],
    'meaning of the path when a container is created (undocumented)',
  ],
  'method-headers': [
    'methodHeaders',
    ['both', 'table', 'notes'],
    'containers: whether OPTIONS carries Allow and HEAD Link (table), or the reverse (notes)',
  ],
  'push-bodies': ['pushBodies', ['full', 'none'], 'push: bodies of undocumented responses'],
  'push-all': ['pushAll', either, 'push: the destination ALL, which the older variant lacks'],
  'ios-key-file': ['keyFile', ['required', 'optional'], 'push: the file of an iOS key (documents differ)'],
} as const

const switches = {
  'minimal-create': [
    'minimalCreate',
    'take rooms that name neither host selection, election nor joinability (documents differ)',
  ],
  'meeting-status': ['meetingStatus', 'name the state meeting_status in the list, as in one sample'],
  'lenient-tus': ['lenientTus', 'uploads: accept requests without Tus-Resumable (undocumented)'],
  tenant: ['tenant', 'require biz_id, as in the tenant variant'],
  'no-head': ['noHead', 'uploads: do not answer HEAD'],
  'foreign-location': ['foreignLocation', 'uploads: return a Location on another origin'],
  stall: ['stall', 'uploads: stall each upload once, in the middle'],
  'no-checksum': ['noChecksum', 'uploads: support no Upload-Checksum algorithm'],
} as const

type Reading = keyof typeof readings
type Switch = keyof typeof switches

function flagsOf<Name extends string, Row, Flag>(table: Readonly<Record<Name, Row>>, make: (row: Row) => Flag) {
  return Object.fromEntries(Object.entries<Row>(table).map(([name, row]) => [name, make(row)])) as Record<Name, Flag>
}

/** The interpretations of the documents, and deliberate failures (product §8, §9). */
export const choiceFlags = {
  ...flagsOf(readings, ([, words, summary]) => Flags.string({options: [...words], summary})),
  ...flagsOf(switches, ([, summary]) => Flags.boolean({summary})),
  console: Flags.string({
    ...repeatable,
    helpValue: 'NAME=VALUE',
    summary: 'a console option that overrides new rooms: max_attendee_count=10',
  }),
  fail: Flags.string({...repeatable, helpValue: 'WHAT[:PERCENT]', summary: 'fail on purpose: 503, 503:10%, CE100'}),
  latency: Flags.string({helpValue: '200ms', summary: 'delay every response'}),
  'cut-after': Flags.string({helpValue: '1MiB', summary: 'uploads: break each connection once, after N bytes'}),
  'max-chunk': Flags.string({helpValue: '8MiB', summary: 'uploads: refuse larger chunks with 413'}),
  route: Flags.string({
    ...repeatable,
    helpValue: "ID='METHOD /path'",
    summary: 'serve an operation at another method and path',
  }),
}

type ChoiceFlags = InferredFlags<typeof choiceFlags>

/** The chosen values by their names in the sandbox; without those that parseOptions reads. */
export function choicesOf(flags: ChoiceFlags) {
  const {latency, 'cut-after': cutAfter, 'max-chunk': maxChunk} = flags
  const chosen = Object.entries(readings).map(([name, [key]]) => [key, flags[name as Reading]])
  const on = Object.entries(switches).map(([name, [key]]) => [key, flags[name as Switch] || undefined])
  return {
    // oclif allows only the values of the table.
    ...(Object.fromEntries([...chosen, ...on].filter(([, value]) => value !== undefined)) as Chosen),
    ...(latency === undefined ? {} : {latencyMs: parseDurationFlag('--latency', latency)}),
    ...(cutAfter === undefined ? {} : {cutAfter: parseByteCountFlag('--cut-after', cutAfter)}),
    ...(maxChunk === undefined ? {} : {maxChunk: parseByteCountFlag('--max-chunk', maxChunk)}),
  }
}

type Chosen = {[Name in Reading as (typeof readings)[Name][0]]?: (typeof readings)[Name][1][number]} & {
  [Name in Switch as (typeof switches)[Name][0]]?: boolean
}
