import type {Code} from '../../api/contract/codes.js'
import type {WireRequest, WireResponse} from '../../api/http/wire/transport.js'
import type {WorldStore} from '../world/store.js'
import type {World} from '../world/world.js'

/** What every service works with. */
export interface ServiceOptions {
  readonly store: WorldStore
  readonly now: () => Date
  /** From 0 up to 1, as Math.random. */
  readonly random: () => number
  /** Gives the folder of uploaded bytes. */
  readonly files: () => string
}

/** One of the services. `world` is as it was when the request came: to look at, not to change. */
export interface SandboxService {
  /** Rejects with a SandboxProblem when the store cannot be used, and with a WireError for a connection that breaks. */
  answer(request: WireRequest, world: World): Promise<WireResponse>
  /** What the service says when it was asked to fail with a code. */
  fail(code: Code, world: World): WireResponse
}
