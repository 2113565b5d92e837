/** The members that may name a request, the likeliest first: the document does not show what comes back (push, Rules 5). */
const names = ['request_uuid', 'requestUuid', 'request_id', 'requestId', 'uuid', 'id'] as const

/** An id is one word; what is no such thing could not be offered, nor typed. */
const idForm = /^[^\s\p{C}]{1,200}$/u

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The uuid of the request in an answer whose shape is not shown: a member of a likely name, at the top or within `data` or
 * `result`, else the only text that has the form of a uuid. Undefined where there is none, or no telling which.
 */
export function requestUuid(reply: unknown): string | undefined {
  const tops = [reply, memberOf(reply, 'data'), memberOf(reply, 'result')].map((one) =>
    Array.isArray(one) ? one[0] : one,
  )
  for (const top of tops) {
    if (typeof top === 'string' && uuidForm.test(top)) return top
    const named = names
      .map((name) => memberOf(top, name))
      .find((value) => typeof value === 'string' && idForm.test(value))
    if (typeof named === 'string') return named
  }
  const texts = [...new Set(tops.flatMap((top) => (isObject(top) ? Object.values(top) : [])))]
  const uuids = texts.filter((text): text is string => typeof text === 'string' && uuidForm.test(text))
  return uuids.length === 1 ? uuids[0] : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
