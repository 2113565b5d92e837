import type {Meaning} from './catalogue.js'

/** What an HTTP status means where a service has no error codes. */
export interface StatusMeaning extends Meaning {
  /** A status, or a class of them: `5xx`. */
  readonly status: number | '5xx'
}

const refusedValue: StatusMeaning = {
  status: 400,
  condition: 'the service refused a value',
  why: 'a value is missing, or has not the form or the range that the service wants',
  try: 'compare the values with the help of the command; --dry-run shows the request',
}

/**
 * The asset document shows neither error codes nor statuses of refusals (asset, Errors), so HTTP decides (product §3). What is
 * not listed is a refusal of a value, as 400 is.
 */
export const statuses: readonly StatusMeaning[] = [
  refusedValue,
  {
    status: 401,
    condition: 'not authenticated',
    why: 'the service did not accept the token',
    try: 'roomctl config login asset',
  },
  {
    status: 403,
    condition: 'not permitted',
    why: 'the service knows the token, and does not let its owner do this',
    try: 'ask the administrator of the service, or use another profile with -p',
  },
  {
    status: 404,
    condition: 'not found',
    why: 'the path leads to nothing, or to nothing that this token may see',
    try: 'check the path: roomctl asset list CONTAINER shows what a container holds',
  },
  {
    status: 405,
    condition: 'the service does not offer this',
    why: 'the service does not take this method at this path',
    try: 'roomctl asset methods {container} shows what it takes',
  },
  {
    status: 409,
    condition: 'wrong state',
    why: 'what is there already is in the way',
    try: 'roomctl asset list {container} shows what is there',
  },
  {
    status: 412,
    condition: 'a condition of the request does not hold',
    why: 'the service does not take what the request says of itself, such as its version of tus',
    try: 'run the command again with --debug to see request and answer',
  },
  {
    status: 413,
    condition: 'the request is larger than the service takes',
    why: 'the service, or a proxy in front of it, limits the size of a request',
    try: 'send smaller chunks',
  },
  {
    status: 422,
    condition: 'the service understands a value and refuses it',
    why: 'the value has the right form and still cannot be taken',
    try: 'compare the values with the help of the command; --dry-run shows the request',
  },
  {
    status: 423,
    condition: 'the upload is locked',
    why: 'another request, most likely one that broke off, is still writing to it',
    try: 'wait a moment, then run the same command again',
  },
  {
    status: 429,
    condition: 'too many requests',
    why: 'the service asks its callers to slow down',
    try: 'wait a moment, then run the same command again',
  },
  {
    status: 460,
    condition: 'the bytes arrived changed',
    why: 'their checksum is not the one that was sent with them (tus, Checksum)',
    try: 'run the same command again: it goes on where this one stopped',
  },
  {
    status: '5xx',
    condition: 'the service, or a gateway in front of it, failed',
    why: 'it is overloaded, being maintained, or broken',
    try: 'wait a moment, then run the same command again',
  },
]

/** The meaning of a status of 400 and above. */
export function meaningOfStatus(status: number): StatusMeaning {
  const wanted = status === 410 ? 404 : status >= 500 ? '5xx' : status
  return statuses.find((one) => one.status === wanted) ?? refusedValue
}
