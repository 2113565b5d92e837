const endings: (() => unknown)[] = []

/**
 * Has something ended (and waited for) after the tests of the file under way, the last one first. A worker keeps its modules
 * from file to file, so an `afterAll` in a module beside the tests would run for the first of them alone.
 */
export function afterFile(end: () => unknown): void {
  endings.push(end)
}

/** Ends all that was to end after a file. */
export async function endFile(): Promise<void> {
  for (const end of endings.splice(0).reverse()) await end()
}
