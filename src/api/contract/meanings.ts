import type {Advice, AdvisedCommand} from '../../advice.js'
/** The meaning of a code that an operation answers. `{roomId}`, `{userId}` are the call's values. */
export interface Meaning {
  readonly condition: string
  readonly why?: string
  /** Follows `it is ENDED, ` if the room's state explains the refusal; default: `why`. */
  readonly inState?: string
  readonly try?: Advice
  /** The reason and the advice if the state of the room allows the operation. */
  readonly otherwise?: {readonly why: string; readonly try: Advice}
  /** What is undocumented about it. */
  readonly open?: string
}

/** Advice if the room is ENDED. */
export const createAnother = 'create another room with room create'

export const showRoom: AdvisedCommand = {command: ['room show', '{roomId}']}
export const missingRoom: Meaning = {
  condition: 'room for roomId does not exist',
  why: 'the id is wrong, the room was deleted, or it belongs to another application',
  try: {command: ['room list']},
}
export const justMissing: Meaning = {...missingRoom, condition: 'room missing'}
export const missingRoomOrRequester: Meaning = {
  condition: 'room or requester record missing',
  why: 'either the room does not exist or the requester is not in it',
  try: {...showRoom, sentence: 'name a listed user with --as'},
}
export const hostOnly: Meaning = {
  condition: 'the requester lacks permission',
  why: 'this operation is for the host of the room',
  try: 'run it with --as host, or name the host with --as',
}
export const invalidValue: Meaning = {
  condition: 'invalid value',
  why: 'the service refused a value of the request; its message names the problem',
  try: 'run the command again with --dry-run to see the request that is sent',
}

/** room, Errors: the condition of the table for all operations. */
export const wrongValue = 'a request value is wrong; message names the problem'
export const invalidQuery: Meaning = {
  ...invalidValue,
  condition: wrongValue,
  try: 'run the command again with --debug to see the request',
}

export const seeRequest = 'compare the values with the help of the command; --dry-run shows the request'
