import type {Meaning} from './catalogue.js'
import {failing, notPermitted, type StatusTable, seeRequest, tooMany, understoodAndRefused} from './statusEntry.js'

const refusedValue: Meaning = {
  condition: 'the service refused a value',
  why: 'a value is missing, or has not the form or the range that the service wants',
  try: seeRequest,
}

/**
 * The asset document shows neither error codes nor statuses of refusals (asset, Errors), so HTTP decides (product §3). What is
 * not listed is a refusal of a value, as 400 is.
 */
export const assetStatuses: StatusTable = {
  other: refusedValue,
  entries: [
    {status: 400, general: refusedValue},
    {
      status: 401,
      general: {
        condition: 'not authenticated',
        why: 'the service did not accept the token',
        try: 'roomctl config login asset',
      },
    },
    {status: 403, general: notPermitted},
    {
      status: 404,
      general: {
        condition: 'not found',
        why: 'the path leads to nothing, or to nothing that this token may see',
        try: 'check the path: roomctl asset list CONTAINER shows what a container holds',
      },
    },
    {
      status: 405,
      general: {
        condition: 'the service does not offer this',
        why: 'the service does not take this method at this path',
        try: 'roomctl asset methods {container} shows what it takes',
      },
    },
    {
      status: 409,
      general: {
        condition: 'wrong state',
        why: 'what is there already is in the way',
        try: 'roomctl asset list {container} shows what is there',
      },
    },
    {
      status: 412,
      general: {
        condition: 'a condition of the request does not hold',
        why: 'the service does not take what the request says of itself, such as its version of tus',
        try: 'run the command again with --debug to see request and answer',
      },
    },
    {
      status: 413,
      general: {
        condition: 'the request is larger than the service takes',
        why: 'the service, or a proxy in front of it, limits the size of a request',
        try: 'send smaller chunks',
      },
    },
    {status: 422, general: understoodAndRefused},
    {
      status: 423,
      general: {
        condition: 'the upload is locked',
        why: 'another request, most likely one that broke off, is still writing to it',
        try: 'wait a moment, then run the same command again',
      },
    },
    {status: 429, general: tooMany},
    {
      status: 460,
      general: {
        condition: 'the bytes arrived changed',
        why: 'their checksum is not the one that was sent with them (tus, Checksum)',
        try: 'run the same command again: it goes on where this one stopped',
      },
    },
    {status: '5xx', general: failing},
  ],
}
