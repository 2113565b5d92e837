/** A value with its texts changed, at any depth. What is made of more than members, a date for one, stays as it is. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}

/** Whether it is made of members alone: no date, no error. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const made: unknown = Object.getPrototypeOf(value)
  return made === Object.prototype || made === null
}
