/** No document has anything near it; what is deeper would overflow the stack of whoever draws it. */
const mostLevels = 500

/** 64 MiB of a list of rooms hold fewer; 64 MiB of the smallest values hold 32 million, which take gigabytes once they are read. */
const mostValues = 4_000_000

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * What a text of JSON has more of than can be read in a bounded time and memory, in words fit for a sentence; undefined where
 * it has not. It is one pass over the text, before anything is made of it. Whether it is JSON at all is not looked at.
 */
export function jsonExcess(text: string): string | undefined {
  let [levels, values] = [0, 0]
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfText(text, at)
        break
      case comma:
        values += 1
        break
      case openList:
      case openObject:
        levels += 1
        values += 1
        if (levels > mostLevels) return `${mostLevels} levels`
        break
      case closeList:
      case closeObject:
        levels -= 1
    }
  }
  return values > mostValues ? `${mostValues.toLocaleString('en')} values` : undefined
}

/** Where the text that begins at a quote ends: at the next quote that is not escaped, or with the whole. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

/** Whether an odd number of backslashes stands before it. */
function isEscaped(text: string, place: number): boolean {
  let first = place
  while (text.charCodeAt(first - 1) === backslash) first -= 1
  return (place - first) % 2 === 1
}
