import {expect} from 'vitest'
import type {Ran} from './place.js'
import {token} from './service.js'

/** The token, and its codings on the wire, in JSON and in logs. */
const spellings = [
  token,
  Buffer.from(token).toString('base64'),
  Buffer.from(`Bearer ${token}`).toString('base64'),
  Buffer.from(token).toString('hex'),
  [...token].reverse().join(''),
]

/** The token of the stories is in neither stream, in no spelling. */
export function expectNoToken({stdout, stderr}: Pick<Ran, 'stdout' | 'stderr'>): void {
  for (const spelling of spellings) expect(stdout + stderr).not.toContain(spelling)
}
