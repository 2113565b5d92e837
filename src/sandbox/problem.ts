import {catalogue} from '../contract/catalogue.js'
import type {Code} from '../contract/codes.js'
import type {Exit} from '../contract/exits.js'
import {Failure} from '../contract/failure.js'

/**
 * Something the sandbox's own commands cannot do. `code` is the one the service would answer, where it has one, and
 * decides the exit code; without one it is `exit`, a wrong state unless said otherwise.
 */
export class SandboxProblem extends Failure {
  override readonly name = 'SandboxProblem'
  readonly code: Code | undefined

  constructor(message: string, code?: Code, {exit = 'state', ...options}: ErrorOptions & {exit?: Exit} = {}) {
    super({exit: code ? catalogue[code].exit : exit, code, message}, options)
    this.code = code
  }
}
