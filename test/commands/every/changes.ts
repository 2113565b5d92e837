import {pushChanges} from './pushChanges.js'

/** A command line that changes something, with the request that the document has for it. */
export interface Change {
  readonly operation: string
  readonly line: readonly string[]
  readonly method: string
  /** Below `http://sandbox.localhost`: the addresses of the sandbox end with `/media`, `/asset` and `/push`. */
  readonly path: string
  /** Absent if it is no JSON. */
  readonly body: object | undefined
  /** What `--dry-run` shows instead: secrets masked, a file by its size. */
  readonly shown?: {readonly path?: string; readonly body?: object}
  /** It asks before it acts, and `--yes` answers. */
  readonly asks?: true
  /** It asks for this word before it acts, and only `--confirm` answers. */
  readonly word?: string
  /** What stderr begins with whatever comes of it; nothing otherwise. */
  readonly says?: RegExp
  /** It looks up the requester. */
  readonly looksUp?: true
  /** A repetition would make something a second time. */
  readonly creates?: true
  /** It is answered without an envelope: the HTTP status decides. */
  readonly plain?: true
}

/**
 * Every operation that changes something, written out by hand: of room.md (room §1 to §15 and those outside the list), those
 * of asset.md on containers, and those of push.md. Uploads send more than one request and have tests of their own.
 */
export const changes: readonly Change[] = [
  {
    operation: 'room.create',
    line: ['room', 'create', 'Design review', '--created-by', 'ann', '-a', 'ben'],
    method: 'POST',
    path: '/media/v1/rooms',
    body: {
      name: 'Design review',
      created_by: 'ann',
      is_public: true,
      host_selection_type: 'CREATOR',
      is_elect_host: true,
      is_joinable: true,
      attendees: ['ann', 'ben'],
      is_token_receive: false,
    },
    creates: true,
  },
  {
    operation: 'room.update',
    line: ['room', 'update', 'r-standup', '--max', '50'],
    method: 'PATCH',
    path: '/media/media/v1/rooms/r-standup',
    body: {requester_id: 'ann', max_attendee_count: 50},
    looksUp: true,
  },
  {
    operation: 'room.adminUpdate',
    line: ['room', 'update', 'r-standup', '--admin', '--application-id', 'app-1', '--name', 'Stand-up'],
    method: 'PATCH',
    path: '/media/v1/applications/app-1/rooms/r-standup',
    body: {name: 'Stand-up'},
  },
  {
    operation: 'room.delete',
    line: ['room', 'delete', 'r-townhall'],
    method: 'DELETE',
    path: '/media/v1/rooms/r-townhall',
    body: {requester_id: 'ann'},
    asks: true,
    looksUp: true,
  },
  {
    operation: 'room.end',
    line: ['room', 'end', 'r-standup'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/end',
    body: {requester_id: 'ann'},
    asks: true,
    looksUp: true,
  },
  {
    operation: 'room.presenter',
    line: ['room', 'presenter', 'r-standup', 'ben'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/update-presenter',
    body: {requester_id: 'ann', user_id: 'ben'},
    looksUp: true,
  },
  {
    operation: 'room.delegate',
    line: ['room', 'delegate', 'r-standup', 'ben'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/delegate',
    body: {requester_id: 'ann', user_id: 'ben'},
    looksUp: true,
  },
  {
    operation: 'room.send',
    line: ['room', 'send', 'r-standup', 'we close', '--from', 'ann'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/send-data',
    body: {from: 'ann', data: 'we close'},
    creates: true,
  },
  {
    operation: 'attendee.add',
    line: ['attendee', 'add', 'r-townhall', 'zoe', 'yuna'],
    method: 'POST',
    path: '/media/v1/rooms/r-townhall/attendees',
    body: {attendees: ['zoe', 'yuna']},
  },
  {
    operation: 'attendee.token',
    line: ['attendee', 'token', 'r-standup', 'ben'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/attendees/ben/token',
    body: {},
    creates: true,
  },
  {
    operation: 'attendee.block',
    line: ['attendee', 'block', 'r-standup', 'ben'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/block',
    body: {requester_id: 'ann', attendees: ['ben']},
    asks: true,
    looksUp: true,
  },
  {
    operation: 'attendee.restore',
    line: ['attendee', 'restore', 'r-standup', 'dora'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/restore',
    body: {requester_id: 'ann', attendees: ['dora']},
    looksUp: true,
  },
  {
    operation: 'record.start',
    line: ['record', 'start', 'r-standup', '--layout', 'grid'],
    method: 'POST',
    path: '/media/v1/rooms/r-standup/record',
    body: {requester_id: 'ann', layout: 'GRID'},
    looksUp: true,
  },
  {
    operation: 'record.stop',
    line: ['record', 'stop', 'r-support'],
    method: 'POST',
    path: '/media/v1/rooms/r-support/stop-record',
    body: {requester_id: 'carl'},
    looksUp: true,
  },
  {
    operation: 'appConfig.create',
    line: ['config', 'app', 'create', '--application-id', 'app-1', '--max', '50'],
    method: 'POST',
    path: '/media/v1/applications/app-1/config',
    body: {config_max_attendee_count: 50},
    creates: true,
  },
  {
    operation: 'appConfig.update',
    line: ['config', 'app', 'update', '--application-id', 'app-1', '--no-download-record'],
    method: 'PATCH',
    path: '/media/v1/applications/app-1/config',
    body: {config_is_download_record: false},
  },
  {
    operation: 'asset.create',
    line: ['asset', 'create', 'games/chess', '--description', 'Chess'],
    method: 'POST',
    path: '/asset/games/chess/',
    body: {type: 'BasicContainer', name: 'chess', description: 'Chess'},
    creates: true,
    plain: true,
  },
  {
    operation: 'asset.describe',
    line: ['asset', 'describe', 'games/puzzle', 'Levels'],
    method: 'PATCH',
    path: '/asset/games/puzzle/',
    body: {description: 'Levels'},
    plain: true,
  },
  ...pushChanges,
]

/** The changes that are answered with an envelope. */
export const enveloped = changes.filter(({plain}) => !plain)

/** The line with its question answered in advance. */
export function answered({word, ...change}: Change): string[] {
  return word === undefined ? withYes(change) : [...change.line, '--confirm', word]
}

/** The line with `--yes`, where it takes that. */
export function withYes({line, asks}: Pick<Change, 'line' | 'asks'>): string[] {
  return asks ? [...line, '--yes'] : [...line]
}

/** What stderr holds beside what the change always says there. */
export function remarks({says}: Change, {stderr}: {readonly stderr: string}): string {
  return says === undefined ? stderr : stderr.replace(says, '')
}

/** The names of changes, for `test.each`. */
export const named = changes.map((change) => [change.operation, change] as const)

export const namedEnveloped = enveloped.map((change) => [change.operation, change] as const)

/** The change of that operation. */
export function changeOf(operation: string): Change {
  const found = changes.find((change) => change.operation === operation)
  if (!found) throw new Error(`no change ${operation}`)
  return found
}
