import type {Exit} from '../../failure.js'
import {type Code, commonCodes} from './codes.js'
import {createAnother, invalidValue, type Meaning, showRoom, wrongValue} from './meanings.js'
import type {Operation} from './operation.js'
import {operationById, operations} from './operations.js'

/** The general meaning of a code. */
export interface CodeEntry extends Meaning {
  readonly exit: Exit
  /** Its own command shows an empty list, and ends with 0. */
  readonly isEmptyList?: boolean
}

export const errorCatalog: Readonly<Record<Code, CodeEntry>> = {
  CE001: {
    exit: 'refused',
    ...invalidValue,
    condition: wrongValue,
  },
  CE002: {
    exit: 'missing',
    condition: 'room for roomId does not exist, or no user record for the requester',
    why: 'either the room does not exist or the requester is not in it',
    try: {command: ['room list']},
  },
  CE003: {
    exit: 'forbidden',
    condition: 'the requester lacks permission',
    why: 'the application or the requester is not allowed to do this',
    try: {command: ['config list']},
  },
  CE100: {
    exit: 'temporary',
    condition: 'server under maintenance',
    why: 'the service is under maintenance and refuses every call',
    try: 'wait, then run the same command again',
  },
  CE101: {
    exit: 'temporary',
    condition: 'server out of sync; wait or retry',
    why: 'the service is not in sync yet',
    try: 'wait a moment, then run the same command again',
  },
  CE200: {
    exit: 'unauthenticated',
    condition: 'the application token is missing or malformed in the Authorization header',
    why: 'the service did not accept the application token',
    try: {command: ['config login', 'room']},
  },
  U001: {
    exit: 'state',
    condition: 'room state forbids the change: ENDED, or reserved times changed in MEETING',
    why: 'an ENDED room cannot be changed; in MEETING and IDLE, reserved times and joinable are fixed',
    try: {command: ['room show', '{roomId}']},
    open: 'the code for is_joinable in MEETING, and for what is fixed in IDLE',
  },
  D001: {
    exit: 'state',
    condition: 'room is MEETING',
    why: 'a MEETING room cannot be deleted',
    try: {command: ['room end', '{roomId}']},
    open: 'the code for an IDLE or ENDED room, if it is refused',
  },
  T001: {
    exit: 'forbidden',
    condition: 'user not in attendee list, or blocked',
    why: 'in a private room only attendees get a token, and a blocked user never does',
    try: {sentence: 'to see which of the two it is', command: ['attendee why', '{roomId}', '{userId}']},
  },
  T002: {
    exit: 'state',
    condition: 'room is ENDED',
    why: 'an ENDED room cannot be entered again',
    try: createAnother,
  },
  ER001: {
    exit: 'state',
    condition: 'room is not MEETING',
    why: 'only a MEETING room can be ended',
    try: showRoom,
  },
  AA001: {
    exit: 'refused',
    condition: 'addition would exceed the maximum attendees',
    why: 'the attendee list may not grow beyond max_attendee_count',
    try: 'raise the maximum with room update --max',
  },
  AA002: {
    exit: 'state',
    condition: 'room is ENDED',
    why: 'attendees cannot be added to an ENDED room',
    try: createAnother,
  },
  BR001: {
    exit: 'state',
    condition: 'room not MEETING, or target not present',
    why: 'only users present in a MEETING room can be blocked',
    try: {command: ['attendee list', '{roomId}', '--present']},
  },
  BA001: {
    exit: 'state',
    condition: 'room neither MEETING nor IDLE',
    why: 'blocked users can only be restored in a MEETING or IDLE room',
    try: showRoom,
  },
  DH001: {
    exit: 'state',
    condition: 'room not MEETING',
    why: 'the host role can only be delegated in a MEETING room',
    try: showRoom,
  },
  RE001: {
    exit: 'state',
    condition: 'the room is ENDED, or its recording is not in the state the operation requires',
    why: 'only one recording can run at a time, and an ENDED room cannot be recorded',
    try: showRoom,
  },
  RE003: {
    exit: 'missing',
    isEmptyList: true,
    condition: 'no files',
    why: 'the room has no recordings; roomctl shows an empty list',
    try: showRoom,
  },
  FAILED_PRECONDITION: {
    exit: 'state',
    condition: 'a sample answer of start recording shows this value',
    why: 'the room is not in the state the operation requires; recording requires a MEETING room',
    inState: 'only a MEETING room can be recorded',
    try: showRoom,
    open: 'its condition: only a sample answer of record.start shows it',
  },
}

export function endingOf(code: Code): Exit {
  const {exit, isEmptyList} = errorCatalog[code]
  return isEmptyList ? 'done' : exit
}

/** The meaning of a code for an operation, if it has one of its own, else the general one. */
export function meaningOf(code: Code, operation?: string): Meaning {
  return (operation === undefined ? undefined : operationById(operation)?.meanings?.[code]) ?? errorCatalog[code]
}

export function isCommon(code: Code): boolean {
  return (commonCodes as readonly Code[]).includes(code)
}

/** The operations that list the code in the document, or that the error catalog explains it for. */
export function answering(code: Code): readonly Operation[] {
  return operations.filter(
    ({id, fails}) => (fails as readonly Code[]).includes(code) || meaningOf(code, id) !== errorCatalog[code],
  )
}

/** Each different meaning of a code, with the operations that share it; none: every room operation. */
export function casesOfCode(code: Code): {readonly meaning: Meaning; readonly of: readonly Operation[]}[] {
  const cases = new Map<Meaning, Operation[]>(isCommon(code) ? [[errorCatalog[code], []]] : [])
  for (const operation of answering(code)) {
    const meaning = meaningOf(code, operation.id)
    if (meaning === errorCatalog[code] && isCommon(code)) continue
    cases.set(meaning, [...(cases.get(meaning) ?? []), operation])
  }
  return [...cases].map(([meaning, of]) => ({meaning, of}))
}
