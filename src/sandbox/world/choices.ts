import {type AmbiguityChoices, defaultAmbiguityChoices} from '../../api/contract/ambiguities.js'
import type {createConfiguration} from '../../api/contract/appConfig.js'
import type {Code} from '../../api/contract/codes.js'
import type {Input} from '../../api/contract/operation.js'
import type {Route} from '../../api/http/route/route.js'

/** The application configuration, under its wire names (room, Application configuration). */
export type Configuration = Input<typeof createConfiguration>['body']

/** A failure on demand: an HTTP status as a proxy in front would answer it, or a code of the document. */
export type FailRule =
  | {readonly kind: 'status'; readonly status: number; readonly percent: number}
  | {readonly kind: 'code'; readonly code: Code; readonly percent: number}

/** Readings of an ambiguous document, and intended faults. Stored in the world, for servers and commands alike. */
export interface Choices extends AmbiguityChoices {
  /** Failures on demand, before anything of a request is carried out. */
  readonly fail: readonly FailRule[]
  /** The delay of every answer, in milliseconds. */
  readonly latencyMs: number
  /** The connection breaks after this many bytes of a PATCH, once for each upload. */
  readonly cutAfter: number | null
  /** The service stops reading in the middle of a PATCH, once for each upload. */
  readonly stall: boolean
  /** A PATCH of more bytes than this is 413. */
  readonly maxChunk: number | null
  /** Routes of operations, in place of the documented or assumed ones, by their ids. */
  readonly routes: Readonly<Record<string, Route>>
}

export const defaultChoices: Choices = {
  ...defaultAmbiguityChoices,
  fail: [],
  latencyMs: 0,
  cutAfter: null,
  stall: false,
  maxChunk: null,
  routes: {},
}
