import {Failure} from '../../api/contract/failure.js'
import {fillAdvice} from '../../api/rules/templates.js'
import type {JournalEntry} from '../../storage/journal/journal.js'

interface Instead {
  readonly why: string
  /** A command line with the names of targets in braces, or a sentence. */
  readonly try?: string
}

const deletesNothing: Instead = {why: 'the asset service offers no deletion'}
const heard: Instead = {why: 'what was sent cannot be called back'}
const credential: Instead = {
  why: 'the credential before it is not kept on this machine',
  try: 'register the one that is to hold',
}

/** Why an operation has no inverse, and what can be done instead. */
const reasons: Readonly<Record<string, Instead>> = {
  'room.create': {why: 'the service takes no creation back', try: 'roomctl room delete {roomId}'},
  'room.delete': {why: 'what was deleted is gone', try: 'create it anew: roomctl room create NAME --created-by USER'},
  'room.end': {why: 'an ENDED room stays as it is', try: 'create another: roomctl room create NAME --created-by USER'},
  'room.adminUpdate': {
    why: 'what was there before is not known: as platform admin the room is not read',
    try: 'roomctl room update {roomId} --admin with the values that are to hold',
  },
  'room.send': heard,
  'attendee.add': {
    why: 'the service takes nobody off the list of attendees',
    try: 'once they are in the room: roomctl attendee block {roomId} {attendees}',
  },
  'attendee.token': {
    why: 'a token that was given out cannot be called back',
    try: 'once the user is in the room: roomctl attendee block {roomId} {userId}',
  },
  'record.start': {why: 'what was recorded stays', try: 'roomctl record stop {roomId}'},
  'record.stop': {why: 'the recording has ended', try: 'begin another: roomctl record start {roomId}'},
  'appConfig.create': {why: 'the service takes no creation back', try: 'roomctl config app update'},
  'appConfig.update': {why: 'the service does not show what was there before', try: 'roomctl config app update'},
  'asset.create': deletesNothing,
  'asset.upload': deletesNothing,
  'asset.describe': {why: 'the description before it is not kept', try: 'roomctl asset describe {container} TEXT'},
  'push.register': {why: 'the service takes no registration back'},
  'push.send': heard,
  'push.broadcast': heard,
  'push.modify': {
    why: 'what the request said before is not kept',
    try: 'roomctl push modify {request_uuid}, or roomctl push cancel {request_uuid}',
  },
  'push.cancel': {why: 'what the request said is not kept', try: 'roomctl push broadcast'},
  'push.iosKey': credential,
  'push.iosCertificate': credential,
  'push.android': credential,
}

const unknown: Instead = {why: 'it is not known what would undo it'}

/** The failure that says why there is no inverse, with what can be done instead. */
export function irreversible(entry: JournalEntry, {why, try: advice}: Instead = reasons[entry.operation] ?? unknown) {
  return new Failure({
    exit: 'state',
    code: 'no-inverse',
    message: `cannot undo ${entryWords(entry)}`,
    why,
    ...(advice === undefined ? {} : {try: fillAdvice(advice, entry.targets)}),
  })
}

/** The failure that says what has changed since, so that nothing is sent. `what`: a clause without a stop. */
export function movedOn(entry: JournalEntry, what: string, advice?: string): Failure {
  return new Failure({
    exit: 'state',
    code: 'moved-on',
    message: `cannot undo ${entryWords(entry)}: ${what}`,
    why: 'the state is not what it was after that change; nothing was sent',
    ...(advice === undefined ? {} : {try: advice}),
  })
}

/** The failure that says why the service would not accept the inverse now, so that it is not sent. */
export function notAccepted(entry: JournalEntry, doing: string, why: string): Failure {
  return new Failure({
    exit: 'state',
    code: 'not-accepted',
    message: `cannot undo ${entryWords(entry)}: ${why}`,
    why: `the service would refuse to ${doing}; nothing was sent`,
  })
}

/** An entry as sentences name it: `attendee.block 1m8rqkqg0mg1`. */
function entryWords({operation, id}: JournalEntry): string {
  return id === undefined ? operation : `${operation} ${id}`
}
