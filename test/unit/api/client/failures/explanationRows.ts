import type {OperationId} from '../../../../../src/api/contract/operations.js'
import {room, type Step} from '../stage.js'

interface Person {
  readonly is_host?: boolean
  readonly is_present?: boolean
  readonly is_reserved?: boolean
}

/** People of a room, as the detail shows them. */
const people = (entries: Readonly<Record<string, Person>>) =>
  Object.entries(entries).map(([user_id, flags]) => ({user_id, ...flags}))

export const ann = {is_host: true, is_present: true, is_reserved: true}
export const listed = {is_reserved: true}
export const present = {is_present: true, is_reserved: true}
/** A room in a meeting, with those people on its list. */
export const meeting = (entries: Readonly<Record<string, Person>>, fields: object = {}) =>
  room({room_status: 'MEETING', created_by: 'ann', attendees: people(entries), ...fields})

const askedByNobody = 'name a listed user with --as: roomctl attendee list r-1'
const again = 'wait a moment, then run the same command again'

/** What the room is like, the room, and the reason and the advice that follow. */
type Reading = readonly [like: string, room: Step, why: string, advice: string | undefined]

/** For each operation of the document, what its CE001 and CE002 turn out to mean, by the room that is read. */
const unlistedPresenter: Reading = [
  'presenter not listed',
  meeting({ann}),
  'the room exists; ben is not on its attendee list',
  'roomctl attendee add r-1 ben',
]

const read: Readonly<Partial<Record<OperationId, Readonly<Record<string, readonly Reading[]>>>>> = {
  'room.update': {
    CE001: [
      [
        'too many attendees',
        meeting(Object.fromEntries([...'abcdefghi'].map((id) => [id, listed]))),
        'max_attendee_count 9 is not above the 9 attendees that the room has now',
        'roomctl room update r-1 --max 10',
      ],
      [
        'enough seats',
        meeting({ann}),
        'max_attendee_count 9 is above the 1 attendee that the room has now, so the reason is a different one',
        undefined,
      ],
    ],
    CE002: [
      [
        'requester not listed',
        meeting({ben: listed}),
        'the room exists; ann is not on its attendee list, though ann created it',
        askedByNobody,
      ],
      [
        'requester listed',
        meeting({ann}),
        'the room exists and ann is on its attendee list now; that may have just changed',
        again,
      ],
    ],
  },
  'room.adminUpdate': {
    CE002: [['room there', meeting({ann}), 'the room can be read now; it may have just been created', again]],
  },
  'room.presenter': {CE001: [unlistedPresenter]},
  'room.delegate': {
    CE001: [
      ['recipient is host', meeting({ann: present, ben: ann}), 'ben is the host already', undefined],
      [
        'recipient absent',
        meeting({ann, ben: listed}),
        'ben is on the attendee list, but not in the room now',
        undefined,
      ],
      [
        'recipient present',
        meeting({ann, ben: present}),
        'ben is in the room now and not its host, so the reason is a different one',
        undefined,
      ],
      [
        'recipient not listed',
        meeting({ann}),
        'the room exists; ben is not on its attendee list',
        'roomctl attendee add r-1 ben',
      ],
    ],
    CE002: [
      [
        'neither listed',
        meeting({}, {created_by: 'carl'}),
        'the room exists; ann, ben are not on its attendee list',
        askedByNobody,
      ],
    ],
  },
  'room.send': {
    CE002: [
      [
        'sender not listed',
        meeting({}, {created_by: 'carl'}),
        'the room exists; ann is not on its attendee list',
        'name a listed user with --from: roomctl attendee list r-1',
      ],
    ],
  },
  'attendee.add': {
    CE002: [['room there', meeting({ann}), 'the room can be read now; it may have just been created', again]],
  },
  'attendee.token': {
    CE001: [
      [
        'full',
        meeting({ann, carl: present}, {max_attendee_count: 2}),
        'the room is full: 2 of 2 present',
        'roomctl room update r-1 --max 3',
      ],
      [
        'full list',
        meeting({ann, carl: listed, dora: listed}, {max_attendee_count: 3, is_public: true}),
        '3 are on the list, and max_attendee_count is 3',
        'roomctl room update r-1 --max 4',
      ],
    ],
    CE002: [
      [
        'user not listed',
        meeting({ann}),
        'the room exists; ben is not on its attendee list',
        'roomctl attendee add r-1 ben',
      ],
    ],
    T001: [
      [
        'not listed in a private room',
        meeting({ann}, {is_public: false}),
        'the room is private, and ben is not on its attendee list',
        'roomctl attendee add r-1 ben',
      ],
      [
        'a public room',
        meeting({ann}, {is_public: true}),
        'the room is public, so ben is blocked',
        'roomctl attendee restore r-1 ben',
      ],
      [
        'listed',
        meeting({ann, ben: listed}, {is_public: false}),
        'ben is on the attendee list, so ben is blocked',
        'roomctl attendee restore r-1 ben',
      ],
    ],
  },
  'attendee.block': {
    CE002: [
      [
        'requester not listed',
        meeting({ben: present, carl: present}),
        'the room exists; ann is not on its attendee list, though ann created it',
        askedByNobody,
      ],
      [
        'targets not listed',
        meeting({ann}),
        'the room exists; ben, carl are not on its attendee list',
        'roomctl attendee add r-1 ben carl',
      ],
    ],
    BR001: [
      [
        'one is absent',
        meeting({ann, ben: present, carl: listed}),
        'carl is not in the room now, and only somebody who is present can be blocked',
        undefined,
      ],
    ],
  },
  'attendee.restore': {
    CE001: [
      [
        'present',
        meeting({ann, ben: present}),
        'ben is in the room now, so not blocked; every user named must be',
        undefined,
      ],
      [
        'not listed',
        meeting({ann}),
        'the room exists; ben is not on its attendee list',
        'roomctl attendee add r-1 ben',
      ],
      [
        'absent',
        meeting({ann, ben: listed}),
        'every user must be blocked at present, which the service does not show',
        'roomctl history r-1 --operation attendee.block',
      ],
    ],
  },
}

export const explanations = Object.entries(read).flatMap(([id, codes]) =>
  Object.entries(codes).flatMap(([code, readings]) =>
    readings.map((reading) => [id as OperationId, code, ...reading] as const),
  ),
)
