import type {Code} from '../../api/contract/codes.js'

/** A request that a rule of the document refuses; it leaves as a FAIL envelope (room, Errors). */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: Code

  constructor(code: Code, message: string) {
    super(message)
    this.code = code
  }
}

/** Ends the request with a code of the document and the sentence that stands in `message`. */
export function refuse(code: Code, message: string): never {
  throw new Refusal(code, message)
}

/**
 * The HTTP status beside each code. The document shows none (room, Errors: "not shown"), so these are the customary
 * ones; the choice `failStatus: '200'` sends every refusal with 200 instead.
 */
export const statusOfCode: Readonly<Record<Code, number>> = {
  CE001: 400,
  AA001: 400,
  CE200: 401,
  CE003: 403,
  T001: 403,
  CE002: 404,
  RE003: 404,
  U001: 409,
  D001: 409,
  T002: 409,
  ER001: 409,
  AA002: 409,
  BR001: 409,
  BA001: 409,
  DH001: 409,
  RE001: 409,
  FAILED_PRECONDITION: 409,
  CE100: 503,
  CE101: 503,
}
