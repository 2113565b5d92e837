/** What is there under that key; made where nothing is yet. */
export function getOrCreate<Key, T>(all: Map<Key, T>, key: Key, make: (key: Key) => T): T {
  const made = all.get(key) ?? make(key)
  all.set(key, made)
  return made
}

/** Makes something when it is first asked for, and gives back the same from then on. */
export function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
