import {type Meaning, seeRequest} from './meanings.js'
import type {Operation, Service} from './operation.js'
import {operations} from './operations.js'

/** A service without error codes, whose refusals differ by HTTP status alone. */
export type CodelessService = Exclude<Service, 'room'>

export const codelessServices: readonly CodelessService[] = ['asset', 'push']

type Status = number | '5xx'

interface StatusTable {
  readonly general: Readonly<Partial<Record<Status, Meaning>>>
  readonly other: Meaning
}

const understoodAndRefused: Meaning = {
  condition: 'the service refused a value',
  why: 'probably a value is well formed but not acceptable',
  try: seeRequest,
}

const tooMany: Meaning = {
  condition: 'too many requests',
  why: 'probably the service limits the request rate',
  try: 'wait a moment, then run the same command again',
}

const failing: Meaning = {
  condition: 'the service or a gateway in front of it failed',
  why: 'probably it is overloaded, under maintenance or broken',
  try: 'wait a moment, then run the same command again',
}

const notPermitted: Meaning = {
  condition: 'not permitted',
  why: 'probably the token is valid but does not permit this',
  try: 'ask the administrator of the service, or use another profile with -p',
}

const refusedValue: Meaning = {
  condition: 'the service refused a value',
  why: 'probably a value is missing, malformed or out of range',
  try: seeRequest,
}

const notAuthenticated = {condition: 'not authenticated', why: 'probably the service did not accept the token'}

const tooLarge = {
  condition: 'the request is too large for the service',
  why: 'probably the service, or a proxy in front of it, limits the size of a request',
}

/** The same in both services. */
const shared = {403: notPermitted, 422: understoodAndRefused, 429: tooMany, '5xx': failing}

/** The asset document shows neither error codes nor statuses of refusals (asset, Errors), so HTTP decides. */
const assetStatuses: StatusTable = {
  other: refusedValue,
  general: {
    ...shared,
    400: refusedValue,
    401: {...notAuthenticated, try: {command: ['config login', 'asset']}},
    404: {
      condition: 'not found',
      why: 'probably nothing exists at this path, or the token cannot see it',
      try: 'check the path with asset list',
    },
    405: {
      condition: 'not supported by the service',
      why: 'probably the service does not allow this method at this path',
      try: {command: ['asset info', '{container}', '--methods']},
    },
    409: {
      condition: 'wrong state',
      why: 'probably it conflicts with something that already exists',
      try: {command: ['asset list', '{container}']},
    },
    412: {
      condition: 'a condition of the request does not hold',
      why: 'probably the service rejects a header of the request, such as the tus version',
      try: 'run the command again with --debug to see request and response',
    },
    413: {...tooLarge, try: 'send smaller chunks'},
    423: {
      condition: 'the upload is locked',
      why: 'another request, probably an interrupted one, is still writing to it',
      try: 'wait a moment, then run the same command again',
    },
    460: {
      condition: 'the data was corrupted in transit',
      why: 'its checksum does not match the one sent with it (tus, Checksum)',
      try: 'run the same command again to resume',
    },
  },
}

/** The path is a guess until it is set (push, Endpoints). */
const assumedRoute: Pick<Meaning, 'why' | 'try'> = {
  why: 'the method and path of push operations are undocumented; the assumed ones may be wrong',
  try: {sentence: 'to see the route of each operation', command: ['config route list']},
}

/** The statuses of push §1 to §9 (400, 403, 422), and what HTTP says about the others (push, Errors). */
const pushStatuses: StatusTable = {
  other: {
    condition: 'the service refused the request',
    why: 'the document does not show this status (push, Endpoints)',
    try: 'run the command again with --debug to see request and response',
  },
  general: {
    ...shared,
    400: {condition: 'invalid request', why: 'probably a value is missing or malformed', try: seeRequest},
    401: {
      ...notAuthenticated,
      why: `${notAuthenticated.why}, or expects another scheme than the setting push.authScheme (push, Authentication)`,
      try: {command: ['config login', 'push']},
    },
    404: {condition: 'not found', ...assumedRoute},
    405: {condition: 'the service does not allow this method at this path', ...assumedRoute},
    409: {
      condition: 'wrong state',
      why: 'probably it conflicts with existing data',
      try: 'run the command again with --debug to see the full response',
    },
    413: {
      ...tooLarge,
      why: `${tooLarge.why}; the document shows no limits of it (push, Limits)`,
      try: 'shorten the text or the data, or send to fewer users at a time with --batch',
    },
  },
}

const tables: Readonly<Record<CodelessService, StatusTable>> = {asset: assetStatuses, push: pushStatuses}

export function codelessService({service}: Operation): CodelessService | undefined {
  return service === 'room' ? undefined : service
}

export interface StatusCase {
  readonly meaning: Meaning
  /** Ids of operations, and for all the others of a service `every push operation`, `every other push operation`. */
  readonly of: readonly string[]
}

/** `5xx` is all of them. */
export function statusesOf(service: CodelessService): Status[] {
  return Object.keys(tables[service].general).map((status) => (status === '5xx' ? status : Number(status)))
}

/** The meaning of a status of 400 and above for an operation without codes. */
export function meaningOfStatus(status: number, {statuses, service}: Operation): Meaning {
  const {general, other} = tables[service === 'room' ? 'asset' : service]
  const row = rowOf(status)
  return statuses?.[Number(row)] ?? general[row] ?? other
}

/** Whether the document shows the status for the operation (push, Endpoints); the asset document shows none. */
export function isDocumentedStatus(status: number, {refusals}: Operation): boolean {
  return refusals?.includes(status) === true
}

/** Each different meaning of a status, with the services and the operations that share it. */
export function casesOfStatus(status: number): StatusCase[] {
  const cases = new Map<Meaning, string[]>()
  const add = (meaning: Meaning, whom: string) => cases.set(meaning, [...(cases.get(meaning) ?? []), whom])
  const row = rowOf(status)
  for (const service of codelessServices) {
    const {general, other} = tables[service]
    const own = operations.flatMap(({id, statuses, service: of}: Operation) => {
      const meaning = of === service ? statuses?.[Number(row)] : undefined
      return meaning === undefined ? [] : [{id, meaning}]
    })
    add(general[row] ?? other, `every ${own.length > 0 ? 'other ' : ''}${service} operation`)
    for (const {id, meaning} of own) add(meaning, id)
  }
  return [...cases].map(([meaning, of]) => ({meaning, of}))
}

function rowOf(status: number): Status {
  return status === 410 ? 404 : status >= 500 ? '5xx' : status
}
