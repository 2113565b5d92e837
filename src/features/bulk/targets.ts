import {Failure} from '../../api/contract/failure.js'

/** The ids that a command was given. */
export interface Targets {
  readonly ids: readonly string[]
  /** Whether the answer is about one target alone: it fails with its own exit code. */
  readonly single: boolean
}

/** The refusal of more targets than `--max` allows. */
export function tooManyTargets(count: number, limit: number): Failure {
  return new Failure({
    exit: 'unconfirmed',
    code: 'too-many',
    message: `${count} targets are more than --max ${limit} allows, nothing was sent`,
    why: 'the limit is a brake against a list that is longer than it was meant to be',
    try: `--max ${count}, if they are all meant`,
  })
}
