import type {Code} from '../contract/codes.js'

/** Something the sandbox's own commands cannot do; `code` is the one the service would answer, where it has one. */
export class SandboxProblem extends Error {
  override readonly name = 'SandboxProblem'
  readonly code: Code | undefined

  constructor(message: string, code?: Code, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
