/** Names that a sentence or a preview spells out; the rest is counted. */
const namesShown = 5

/** The ids in lists of at most `size`, in their order. */
export function inBatches(ids: readonly string[], size: number): string[][] {
  const count = Math.ceil(ids.length / size)
  return Array.from({length: count}, (_, at) => ids.slice(at * size, (at + 1) * size))
}

/** `1 user`, `1201 users`. */
export function usersCounted(count: number): string {
  return count === 1 ? '1 user' : `${count} users`
}

/** The first few of a list of users, and how many there are beside: `ann, ben and 499 more`. The ids as they are. */
export function firstOf(ids: readonly string[]): string {
  const more = ids.length - namesShown
  return more > 0 ? `${ids.slice(0, namesShown).join(', ')} and ${more} more` : ids.join(', ')
}
