import type {Meaning} from './catalogue.js'
import {failing, notPermitted, type StatusTable, seeRequest, tooMany, understoodAndRefused} from './statusEntry.js'

/** The path is a guess until somebody sets it (push, Endpoints). */
const assumedRoute = {
  why: 'the document shows neither method nor path of the push operations; those that are assumed may be wrong',
  try: 'roomctl config route list shows them all; roomctl config route set sets the one that your service has',
}

/** push, Rules 2. Both may be meant by 403: the state of the request, and the rights of the token. */
const alreadySent: Meaning = {
  condition: 'most likely it has been sent already',
  why: 'only what is not yet sent can be modified or cancelled (push, Rules 2); or this token may not do it',
  try: 'roomctl push records may show whether it was sent; if it was not, ask the administrator of the service',
}

const dispatch: Meaning = {
  condition: 'the service refused a value of the notification',
  why: 'dispatch type, destination and date must fit: a date, in UTC and still to come, for SCHEDULED only; RECURRING and iOS are not supported (push, Enumerations, Rules 1)',
  try: seeRequest,
}

const apnsFile: Meaning = {
  condition: 'the service did not accept the file or what was sent with it',
  why: 'the file is not what Apple gave out, or it does not belong to the ids that were given',
  try: 'roomctl push inspect FILE shows what the file is and which ids are in it',
}

/**
 * The statuses of push §1 to §9 (400, 403, 422), and what HTTP says of the others: the document shows neither error codes nor
 * an error body (push, Errors).
 */
export const pushStatuses: StatusTable = {
  other: {
    condition: 'the service refused the request',
    why: 'the document does not show this status (push, Endpoints)',
    try: 'run the command again with --debug to see request and answer',
  },
  entries: [
    {
      status: 400,
      general: {
        condition: 'the service refused the request',
        why: 'a value is missing, or has not the form that the service wants',
        try: seeRequest,
      },
      for: {
        'push.iosKey': apnsFile,
        'push.iosCertificate': {
          ...apnsFile,
          why: 'the file is no certificate with its key, its password is another, or it does not belong to the bundle id that was given',
        },
      },
    },
    {
      status: 401,
      general: {
        condition: 'not authenticated',
        why: 'the service did not accept the token, or wants it under another scheme than it was sent with (push, Authentication)',
        try: 'roomctl config login push; if the token is right, roomctl config set push.authScheme none, or the scheme of your service',
      },
    },
    {
      status: 403,
      general: notPermitted,
      for: {
        'push.modify': alreadySent,
        'push.cancel': alreadySent,
      },
    },
    {status: 404, general: {condition: 'not found', ...assumedRoute}},
    {status: 405, general: {condition: 'the service does not take this method at this path', ...assumedRoute}},
    {
      status: 409,
      general: {
        condition: 'wrong state',
        why: 'what the service holds already is in the way',
        try: 'run the command again with --debug to see the whole answer',
      },
    },
    {
      status: 413,
      general: {
        condition: 'the request is larger than the service takes',
        why: 'the service, or a proxy in front of it, limits the size of a request; the document shows no limits of it (push, Limits)',
        try: 'shorten the text or the data, or send to fewer users at a time with --batch',
      },
    },
    {
      status: 422,
      general: understoodAndRefused,
      for: {
        'push.register': {
          condition: 'the service refused a value of the registration',
          why: 'a push type has at most 10 characters and is ANDROID or IOS, and a token holds no white space (push, Device token registration)',
          try: 'take the token from the device again, and check that it is of the type that was given',
        },
        'push.send': {
          condition: 'the service refused a value of the push',
          why: 'it does not take a recipient, the push type or the message; sending to iOS is not supported at present (push, Enumerations)',
          try: seeRequest,
        },
        'push.modify': {...dispatch, why: `no request has this uuid, or a value does not fit: ${dispatch.why}`},
        'push.broadcast': dispatch,
        'push.cancel': {
          condition: 'the service does not take a request uuid',
          why: 'no request of this application has it, or the request is cancelled already',
          try: 'check the application id and the uuid that the broadcast answered with',
        },
      },
    },
    {status: 429, general: tooMany},
    {status: '5xx', general: failing},
  ],
}
