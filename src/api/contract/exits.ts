/** The exit codes that scripts rely on; every failure of the tool ends with one of them. */
export const exits = {
  done: {code: 0, meaning: 'done; an empty list; a dry run'},
  bug: {code: 1, meaning: 'our bug'},
  usage: {code: 2, meaning: 'usage: unknown command or flag, a value of the wrong form (time, number, id, enum, JSON)'},
  configuration: {code: 3, meaning: 'configuration: profile, address or token missing, file damaged'},
  unauthenticated: {code: 4, meaning: 'not authenticated: CE200, 401'},
  forbidden: {code: 5, meaning: 'not permitted: CE003, T001, 403'},
  missing: {code: 6, meaning: 'not found: CE002, 404'},
  state: {
    code: 7,
    meaning:
      'wrong state: U001 D001 ER001 BR001 BA001 DH001 RE001 AA002 T002 FAILED_PRECONDITION, 409, 412; `room can` or `attendee why` said no',
  },
  refused: {code: 8, meaning: 'value or limit refused by the service: CE001, AA001, 400, 413, 422'},
  temporary: {code: 9, meaning: 'temporary: CE100, CE101, 429, 5xx after retries'},
  network: {code: 10, meaning: 'network, TLS, timeout, broken answer'},
  partial: {code: 11, meaning: 'several targets: some failed'},
  waited: {code: 12, meaning: '`--until` or `--wait` ran out'},
  unconfirmed: {code: 13, meaning: 'confirmation missing or declined; the profile is read-only'},
  file: {code: 14, meaning: 'local file unreadable, not what it must be, changed, or bytes not equal'},
  found: {code: 15, meaning: 'a check found something'},
  hungUp: {code: 129, meaning: 'SIGHUP: the terminal went away'},
  interrupted: {code: 130, meaning: 'Ctrl-C'},
  terminated: {code: 143, meaning: 'SIGTERM'},
} as const

export type Exit = keyof typeof exits
