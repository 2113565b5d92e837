import type {Code} from '../../api/contract/operation.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import type {WorldStore} from '../world/store.js'
import type {World} from '../world/world.js'
import {SandboxRefusal, statusOfCode} from './refusal.js'
import {jsonResponse} from './response.js'

/** What every service works with. */
export interface ServiceOptions {
  readonly store: WorldStore
  readonly now: () => Date
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number
  /** Gives the folder of uploaded bytes. */
  readonly files: () => string
}

/** One of the services. `world` is as it was when the request came, and is only read. */
export interface SandboxService {
  /** Rejects with a SandboxProblem when the store cannot be used, and with a WireError for a connection that breaks. */
  handle(request: WireRequest, world: World): Promise<WireResponse>
  /** The answer of a service that was asked to fail with a code. */
  fail(code: Code, world: World): WireResponse
}

/** A service without an envelope: the HTTP status says how it went, and a refusal is a sentence in JSON. */
export function plainService(now: () => Date, handle: SandboxService['handle']): SandboxService {
  return {
    handle: (request, world) =>
      handle(request, world).catch((error: unknown) => {
        if (!(error instanceof SandboxRefusal)) throw error
        return jsonResponse(error.status, {message: error.message}, now(), error.headers)
      }),
    fail: (code) => jsonResponse(statusOfCode[code], {message: askedToFail}, now()),
  }
}

/** The message of every failure on demand. */
export const askedToFail = 'the sandbox was asked to fail'
