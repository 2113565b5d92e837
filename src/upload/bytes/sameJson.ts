/** Whether two values parsed from JSON are the same, whatever the order of their members. */
export function sameJson(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]]
  // A list of what is left instead of calls within calls: a catalog may be nested deeper than the stack is.
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const parts = partsOf(...pair)
    if (parts === undefined) return false
    for (const part of parts) pairs.push(part)
  }
  return true
}

/** The parts in which two values must be the same too; undefined where they differ already. */
function partsOf(one: unknown, other: unknown): [unknown, unknown][] | undefined {
  if (one === other) return []
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return undefined
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length || !names.every((name) => Object.hasOwn(other, name))) return undefined
  return names.map((name) => [one[name], other[name]])
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
