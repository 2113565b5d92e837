/** The meaning of a code that an operation answers. `{roomId}`, `{userId}` are the call's values. */
export interface Meaning {
  readonly condition: string
  readonly why?: string
  /** What follows `it is ENDED, ` where the room's state explains the refusal, if not `why`. */
  readonly inState?: string
  readonly try?: string
}

export const show = 'roomctl room show {roomId}'
export const missingRoom: Meaning = {
  condition: 'room for roomId does not exist',
  why: 'the id is wrong, the room was deleted, or it belongs to another application',
  try: 'roomctl room list',
}
export const justMissing: Meaning = {...missingRoom, condition: 'room missing'}
export const missingRoomOrRequester: Meaning = {
  condition: 'room or requester record missing',
  why: 'either the room does not exist or the requester is not in it',
  try: `${show}, then use --as USER with somebody listed there`,
}
export const hostOnly: Meaning = {
  condition: 'the requester lacks permission',
  why: 'this operation is for the host of the room',
  try: 'run it with --as host, or name the host with --as USER',
}
export const invalidValue: Meaning = {
  condition: 'invalid value',
  why: 'the service refused a value of the request; its message names the problem',
  try: 'run the command again with --dry-run to see the request that is sent',
}

export const seeRequest = 'compare the values with the help of the command; --dry-run shows the request'
