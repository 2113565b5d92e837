import type {Exit} from '../../failure.js'
import {type Code, commonCodes, type Operation} from './operation.js'
import {type OperationId, operations} from './operations.js'

/** The meaning of a code that an operation answers. `{roomId}`, `{userId}` are the call's values. */
export interface Meaning {
  readonly condition: string
  readonly why?: string
  /** What follows `it is ENDED, ` where the room's state explains the refusal, if not `why`. */
  readonly inState?: string
  readonly try?: string
}

/** The general meaning of a code, and `for` the operations that say more. */
export interface CodeEntry extends Meaning {
  readonly exit: Exit
  /** Its own command shows an empty list, and ends with 0. */
  readonly isEmptyList?: boolean
  readonly for?: Readonly<Partial<Record<OperationId, Meaning>>>
}

const show = 'roomctl room show {roomId}'
const missingRoom: Meaning = {
  condition: 'room for roomId does not exist',
  why: 'the id is wrong, the room was deleted, or it belongs to another application',
  try: 'roomctl room list',
}
const justMissing: Meaning = {...missingRoom, condition: 'room missing'}
const missingRoomOrRequester: Meaning = {
  condition: 'room or requester record missing',
  why: 'either the room does not exist or the requester is not in it',
  try: `${show}, then use --as USER with somebody listed there`,
}
const hostOnly: Meaning = {
  condition: 'the requester lacks permission',
  why: 'this operation is for the host of the room',
  try: 'run it with --as host, or name the host with --as USER',
}
const invalidValue: Meaning = {
  condition: 'invalid value',
  why: 'the service refused a value of the request; its message names the problem',
  try: 'run the command again with --dry-run to see the request that is sent',
}

export const catalogue: Readonly<Record<Code, CodeEntry>> = {
  CE001: {
    exit: 'refused',
    ...invalidValue,
    condition: 'a request value is wrong; message names the problem',
    for: {
      'room.create': {
        ...invalidValue,
        condition: 'unsuitable value',
      },
      'room.update': {
        ...invalidValue,
        condition: 'field invalid, including max_attendee_count lower than the current attendee count',
      },
      'attendee.token': {
        condition: 'attendee capacity exceeded',
        why: 'the room is full: it has reached max_attendee_count',
        try: 'roomctl room update {roomId} --max NUMBER',
      },
      'room.delegate': {
        condition: 'target is a host or not a present ordinary user',
        why: 'only an ordinary attendee who is in the room now can become host',
        try: 'roomctl attendee list {roomId} --present',
      },
      'record.start': {...invalidValue, try: 'use --layout speaker, single-speaker or grid'},
      'record.stop': invalidValue,
    },
  },
  CE002: {
    exit: 'missing',
    condition: 'room for roomId does not exist, or no user record for the requester',
    why: 'either the room does not exist or the requester is not in it',
    try: 'roomctl room list',
    for: {
      'room.get': missingRoom,
      'room.update': missingRoomOrRequester,
      'room.delete': missingRoomOrRequester,
      'room.end': missingRoomOrRequester,
      'attendee.token': {...missingRoom, condition: 'room does not exist'},
      'attendee.list': missingRoom,
      'attendee.add': {...missingRoom, condition: 'room record missing'},
      'attendee.block': justMissing,
      'attendee.restore': justMissing,
      'record.list': missingRoom,
      'record.start': missingRoomOrRequester,
      'record.stop': missingRoomOrRequester,
      'room.delegate': {
        condition: 'record of requester or target missing',
        why: 'the room does not exist, or one of the two users is not in its attendee list',
        try: 'roomctl attendee list {roomId}',
      },
    },
  },
  CE003: {
    exit: 'forbidden',
    condition: 'the requester lacks permission',
    why: 'the application or the requester is not allowed to do this',
    try: 'roomctl config list shows the profile and the token in use',
    for: {
      'room.update': {
        ...hostOnly,
        why: 'only the host may update; the creator may change is_joinable alone, and roomctl acts as the creator if there is no host',
        try: 'run it with --as host, or with --as creator to change is_joinable alone',
      },
      'room.delete': hostOnly,
      'room.end': hostOnly,
      'room.presenter': hostOnly,
      'room.delegate': hostOnly,
      'record.start': hostOnly,
      'record.stop': hostOnly,
      'attendee.block': {
        condition: 'only the creator or the host may block, and the host cannot be blocked',
        why: 'the requester is neither creator nor host, or one of the users is the host',
        try: show,
      },
      'attendee.restore': {
        ...hostOnly,
        condition: 'no permission',
        why: 'only the host may restore; the creator may block but not restore',
      },
    },
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
    try: 'roomctl config login room',
  },
  U001: {
    exit: 'state',
    condition: 'room state forbids the change: ENDED, or reserved times changed in MEETING',
    why: 'an ENDED room cannot be changed; in MEETING and IDLE, reserved times and joinable are fixed',
    try: 'roomctl room can {roomId} update',
  },
  D001: {
    exit: 'state',
    condition: 'room is MEETING',
    why: 'a MEETING room cannot be deleted: there both texts of the document agree',
    try: 'roomctl room end {roomId}',
  },
  T001: {
    exit: 'forbidden',
    condition: 'user not in attendee list, or blocked',
    why: 'in a private room only attendees get a token, and a blocked user never does',
    try: 'roomctl attendee add {roomId} {userId}, or roomctl attendee restore {roomId} {userId} for a blocked user',
  },
  T002: {
    exit: 'state',
    condition: 'room is ENDED',
    why: 'an ENDED room cannot be entered again',
    try: 'roomctl room create NAME',
  },
  ER001: {
    exit: 'state',
    condition: 'room is not MEETING',
    why: 'only a MEETING room can be ended',
    try: show,
  },
  AA001: {
    exit: 'refused',
    condition: 'addition would exceed the maximum attendees',
    why: 'the attendee list may not grow beyond max_attendee_count',
    try: 'roomctl room update {roomId} --max NUMBER',
  },
  AA002: {
    exit: 'state',
    condition: 'room is ENDED',
    why: 'attendees cannot be added to an ENDED room',
    try: 'roomctl room create NAME',
  },
  BR001: {
    exit: 'state',
    condition: 'room not MEETING, or target not present',
    why: 'only users present in a MEETING room can be blocked',
    try: 'roomctl attendee list {roomId} --present',
  },
  BA001: {
    exit: 'state',
    condition: 'room neither MEETING nor IDLE',
    why: 'blocked users can only be restored in a MEETING or IDLE room',
    try: show,
  },
  DH001: {
    exit: 'state',
    condition: 'room not MEETING',
    why: 'the host role can only be delegated in a MEETING room',
    try: show,
  },
  RE001: {
    exit: 'state',
    condition: 'the room is ENDED, or its recording is not in the state the operation requires',
    why: 'only one recording can run at a time, and an ENDED room cannot be recorded',
    try: show,
    for: {
      'record.start': {
        condition: 'room ENDED, or a recording already running',
        why: 'the room is ENDED, or already being recorded',
        inState: 'only a MEETING room can be recorded',
        try: `${show}; stop a running recording with roomctl record stop {roomId}`,
      },
      'record.stop': {
        condition: 'room ENDED, or no recording running',
        why: 'the room is ENDED, or nothing is being recorded in it',
        inState: 'and nothing is being recorded in it',
        try: 'roomctl record list {roomId}',
      },
    },
  },
  RE003: {
    exit: 'missing',
    isEmptyList: true,
    condition: 'no files',
    why: 'the room has no recordings; roomctl shows an empty list',
    try: show,
  },
  FAILED_PRECONDITION: {
    exit: 'state',
    condition: 'a sample answer of start recording shows this value',
    why: 'the room is not in the state the operation requires; recording requires a MEETING room',
    inState: 'only a MEETING room can be recorded',
    try: show,
  },
}

export function endingOf(code: Code): Exit {
  const {exit, isEmptyList} = catalogue[code]
  return isEmptyList ? 'done' : exit
}

/** The meaning of a code for an operation, if it has one of its own, else the general one. */
export function meaningOf(code: Code, operation?: string): Meaning {
  return catalogue[code].for?.[operation as OperationId] ?? catalogue[code]
}

export function isCommon(code: Code): boolean {
  return (commonCodes as readonly Code[]).includes(code)
}

/** The operations that list the code in the document, or that the catalogue explains it for. */
export function answering(code: Code): readonly Operation[] {
  return operations.filter(
    ({id, fails}) => (fails as readonly Code[]).includes(code) || meaningOf(code, id) !== catalogue[code],
  )
}

/** Each different meaning of a code, with the operations that share it; none: every room operation. */
export function casesOfCode(code: Code): {readonly meaning: Meaning; readonly of: readonly Operation[]}[] {
  const cases = new Map<Meaning, Operation[]>(isCommon(code) ? [[catalogue[code], []]] : [])
  for (const operation of answering(code)) {
    const meaning = meaningOf(code, operation.id)
    if (meaning === catalogue[code] && isCommon(code)) continue
    cases.set(meaning, [...(cases.get(meaning) ?? []), operation])
  }
  return [...cases].map(([meaning, of]) => ({meaning, of}))
}
