/** No id or date of the documents is longer; a sentence that holds a longer one is no sentence. */
const longest = 300

/** A text of a service for a sentence: the beginning of one that is too long, with an ellipsis. */
export function shortly(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
