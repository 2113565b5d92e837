import {catalogue} from '../../api/contract/catalogue.js'
import {Failure, type FailureFacts} from '../../api/contract/failure.js'
import type {Code} from '../../api/contract/operation.js'

/**
 * Something the sandbox's own commands cannot do. `code` is the one the service would answer, where it has one, and
 * decides the exit code; without one it is `exit`, a wrong state unless said otherwise.
 */
export class SandboxProblem extends Failure {
  override readonly name = 'SandboxProblem'
  readonly code: Code | undefined

  constructor(
    message: string,
    code?: Code,
    {exit = 'state', why, try: advice, cause}: ErrorOptions & Partial<Pick<FailureFacts, 'exit' | 'why' | 'try'>> = {},
  ) {
    super({exit: code ? catalogue[code].exit : exit, code, message, why, try: advice}, {cause})
    this.code = code
  }
}
