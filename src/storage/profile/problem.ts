interface ProblemDetail {
  /** The cause, one sentence without a capital or a full stop. */
  readonly why?: string
  /** What to do next: a command or one sentence. */
  readonly advice?: string
}

/**
 * A problem with a profile that a person can fix. `usage`: what was typed (exit 2); `configuration`: what is stored, or an address
 * in the environment (exit 3, product §3). No text of it holds a secret or content of the profile file.
 */
export class ProfileProblem extends Error {
  override readonly name: string = 'ProfileProblem'
  readonly kind: 'usage' | 'configuration'
  readonly why?: string
  readonly advice?: string

  constructor(kind: 'usage' | 'configuration', message: string, detail: ProblemDetail = {}) {
    super(message)
    this.kind = kind
    if (detail.why !== undefined) this.why = detail.why
    if (detail.advice !== undefined) this.advice = detail.advice
  }
}

/** The profile file is there and is not what it must be; `openProfileFile` puts it right. */
export class DamagedProfile extends ProfileProblem {
  override readonly name = 'DamagedProfile'

  /** In words that follow "it". */
  readonly damage: string

  constructor(path: string, damage: string) {
    super('configuration', `the profile file ${path} is damaged`, {advice: 'roomctl config list'})
    this.damage = damage
  }
}
