import type {createConfiguration} from '../../api/contract/appConfig.js'
import type {Code, Input} from '../../api/contract/operation.js'
import type {Route} from '../../api/http/route/route.js'

/** The application configuration, under its wire names (room, Application configuration). */
export type Configuration = Input<typeof createConfiguration>['body']

/** A failure on demand: an HTTP status as a proxy in front would answer it, or a code of the document. */
export type FailRule =
  | {readonly kind: 'status'; readonly status: number; readonly percent: number}
  | {readonly kind: 'code'; readonly code: Code; readonly percent: number}

/**
 * Which reading the sandbox takes where the document is of two minds, or silent, and how it fails on purpose. Kept in the
 * world, so that a server and the commands beside it behave alike.
 */
export interface Choices {
  /** Deleting an ENDED room: one text allows it, the unified-version text only RESERVED (room, States). */
  readonly deleteEnded: 'allow' | 'refuse'
  /** Deleting an IDLE room: not among the valid states, yet the error table refuses only MEETING (room, Errors D001). */
  readonly deleteIdle: 'allow' | 'refuse'
  /** The host leaves with is_elect_host false: the meeting continues, or the room is destroyed (room, States). */
  readonly hostLeave: 'continue' | 'destroy'
  /** Who may enter while is_joinable is false: nobody, or (one text) only the host (room §1). */
  readonly joinableFalse: 'nobody' | 'host'
  /** HTTP status of refusals: 200, or one of the 4xx and 5xx (not shown by the document). */
  readonly failStatus: '200' | '4xx'
  /** The tenant variant: biz_id and bizId are required (room §1, §2). */
  readonly tenant: boolean
  /** Room-creation options of the console, which override a create request's values (room §1 rule 8). */
  readonly console: Configuration
  /** Failures on demand, before anything of a request is carried out. */
  readonly fail: readonly FailRule[]
  /** How long every answer is held back, in milliseconds. */
  readonly latencyMs: number
  /** What the path of a create request names: the new container itself, or its parent (asset, Container operations). */
  readonly containerPath: 'self' | 'parent'
  /** HEAD on an upload is 405: whether the service has it is not shown (asset, Resource operations). */
  readonly noHead: boolean
  /** The Location of an upload lies on another origin. */
  readonly foreignLocation: boolean
  /** The connection breaks after this many bytes of a PATCH, once for each upload. */
  readonly cutAfter: number | null
  /** The service stops reading in the middle of a PATCH, once for each upload. */
  readonly stall: boolean
  /** A PATCH of more bytes than this is 413. */
  readonly maxChunk: number | null
  /** No algorithm of Upload-Checksum is known: 400. */
  readonly noChecksum: boolean
  /** A create request needs no more than a name and a creator: only one of the references lists the other fields (room §1). */
  readonly minimalCreate: boolean
  /** Rows of the list call the state meeting_status, as one sample does (room, Room). */
  readonly meetingStatus: boolean
  /** What an update calls the requester: the field table and the example differ (room §4 rule 1). */
  readonly updateRequester: 'either' | 'requester_id' | 'user_id'
  /** Who may change is_joinable: the creator, too (room §1 rule 7), or the host alone (room §4 rule 1). */
  readonly joinableBy: 'creator' | 'host'
  /** Changing is_joinable in a MEETING or IDLE room: the state table refuses it, room §1 rule 7 does not. */
  readonly joinableMet: 'allow' | 'refuse'
  /** A maximum equal to the number of attendees: rule and error text differ (room §4 rule 3). */
  readonly equalMax: 'allow' | 'refuse'
  /** Which of OPTIONS and HEAD carries Allow and which Link: the table and the notes differ (asset, Container operations). */
  readonly methodHeaders: 'both' | 'table' | 'notes'
  /** Uploads need not say their version of tus, which is not among the headers of the document (asset, Resource operations). */
  readonly lenientTus: boolean
  /** Where operations are, in place of the documented or assumed routes, by their ids. */
  readonly routes: Readonly<Record<string, Route>>
  /** What the answers hold whose bodies are not shown (push, Rules 5): something, or nothing. */
  readonly pushBodies: 'full' | 'none'
  /** The destination ALL, which the older variant does not have (push, Enumerations). */
  readonly pushAll: 'allow' | 'refuse'
  /** Whether an iOS key comes with its file: one variant of the document requires it (push §6). */
  readonly keyFile: 'required' | 'optional'
}

export const defaultChoices: Choices = {
  deleteEnded: 'allow',
  deleteIdle: 'allow',
  hostLeave: 'continue',
  // The two texts agree that participants wait; without the second a room of a creator who is host could never begin.
  joinableFalse: 'host',
  failStatus: '4xx',
  tenant: false,
  console: {},
  fail: [],
  latencyMs: 0,
  containerPath: 'self',
  noHead: false,
  foreignLocation: false,
  cutAfter: null,
  stall: false,
  maxChunk: null,
  noChecksum: false,
  minimalCreate: false,
  meetingStatus: false,
  updateRequester: 'either',
  joinableBy: 'creator',
  joinableMet: 'refuse',
  equalMax: 'allow',
  methodHeaders: 'both',
  lenientTus: false,
  routes: {},
  pushBodies: 'full',
  pushAll: 'allow',
  keyFile: 'optional',
}
