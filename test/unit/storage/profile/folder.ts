import {readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {Failure} from '../../../../src/failure.js'
import {readFailure} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'

/** A config folder that is not there yet; gone after the test. */
export function newConfigDir(): string {
  const parent = freshFolder()
  return join(parent, 'config')
}

/** The mode bits of a file or folder. */
export function modeOf(path: string): number {
  return statSync(path).mode & 0o7777
}

/** The names in a folder that match. */
export function filesLike(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder).filter((name) => pattern.test(name))
}

/** The Failure that a call throws. */
export function problemOf(call: () => unknown): Failure {
  try {
    call()
  } catch (error) {
    return asProblem(error)
  }
  throw new Error('no problem was raised')
}

/** The Failure that a promise is rejected with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(() => {
    throw new Error('no problem was raised')
  }, asProblem)
}

function asProblem(error: unknown): Failure {
  if (error instanceof Failure) return readFailure(error)
  throw error
}

/** Everything a person could see of a problem. */
export function textOf(problem: Failure): string {
  return [problem.message, problem.facts.why, problem.facts.try, problem.stack].join('\n')
}
