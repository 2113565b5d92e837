import {readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {ProfileProblem} from '../../../../src/storage/profile/problem.js'
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

/** The ProfileProblem that a call raises. */
export function problemOf(call: () => unknown): ProfileProblem {
  try {
    call()
  } catch (error) {
    return asProblem(error)
  }
  throw new Error('no problem was raised')
}

/** The ProfileProblem that a promise is rejected with. */
export async function rejectionOf(promise: Promise<unknown>): Promise<ProfileProblem> {
  return promise.then(() => {
    throw new Error('no problem was raised')
  }, asProblem)
}

function asProblem(error: unknown): ProfileProblem {
  if (error instanceof ProfileProblem) return error
  throw error
}

/** Everything a person could see of a problem. */
export function textOf(problem: ProfileProblem): string {
  return [problem.message, problem.why, problem.advice, problem.stack].join('\n')
}
