/** No sentence of a service is longer; what is longer would push everything else off the screen. */
const quotedLength = 300

/**
 * A service's own words as a sentence quotes them: the first 300 characters, and an ellipsis that tells whoever masks them that
 * they were cut.
 */
export function truncateMessage(words: string): string {
  return words.length > quotedLength ? `${words.slice(0, quotedLength)}…` : words
}
