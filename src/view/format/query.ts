import type {JSONValue} from '@jmespath-community/jmespath'
import {ViewProblem} from '../../text/problem.js'
import {safeText} from '../../text/text.js'

const advice =
  "quote it for the shell, for example --query '[?is_public].room_id'; the language is described at jmespath.org"

/** Reads a JMESPath expression without applying it. Raises ViewProblem when it cannot be read. */
export async function checkQuery(expression: string): Promise<void> {
  const {compile} = await import('@jmespath-community/jmespath')
  explained(() => compile(expression))
}

/** What a JMESPath expression finds in a result. Raises ViewProblem when it cannot be read or applied. */
export async function applyQuery(result: unknown, expression: string): Promise<unknown> {
  const {search} = await import('@jmespath-community/jmespath')
  // A result came out of JSON, which the compiler cannot know.
  return explained(() => search(result as JSONValue, expression))
}

function explained<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ViewProblem(`--query cannot be used: ${safeText(reason)}`, advice)
  }
}
