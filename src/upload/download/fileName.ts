/** The longest name on every file system, with room for a counter or a suffix. */
const longestBytes = 200

const longestExtension = 20

/** Of a name beyond reason only its ends are looked at. */
const [keptStart, keptEnd] = [600, 100]

/** Names that Windows takes for devices, with whatever extension. */
const device = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/iu

/** Controls, formatting and hidden characters, halves of characters, and what Windows keeps for itself. */
const forbidden =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}<>:"|?*]+/gu

/**
 * A safe name for this machine: the last segment, nothing hidden, no option of a command, no device of Windows, at most 200 bytes of
 * UTF-8 with the extension kept; `unnamed` if nothing is left. Safe names are unchanged.
 */
export function safeFileName(text: string): string {
  const visible = boundLength(lastSegment(text)).normalize('NFC').replace(forbidden, '_')
  const name = trimEnds(visible).replace(/^-/u, '_')
  const named = device.test(name) ? `_${name}` : name
  return truncateName(named) || 'unnamed'
}

function lastSegment(text: string): string {
  let end = text.length
  while (isSeparator(text[end - 1])) end--
  let start = end
  while (start > 0 && !isSeparator(text[start - 1])) start--
  return text.slice(start, end)
}

function isSeparator(character: string | undefined): boolean {
  return character === '/' || character === '\\'
}

function boundLength(name: string): string {
  return name.length <= keptStart + keptEnd ? name : name.slice(0, keptStart) + name.slice(-keptEnd)
}

/** Removes spaces at both ends, dots in front (hidden files) and behind (Windows drops them), in any order. */
function trimEnds(name: string): string {
  let [start, end] = [0, name.length]
  while (start < end && isTrimmed(name[start])) start++
  while (start < end && isTrimmed(name[end - 1])) end--
  return name.slice(start, end)
}

function isTrimmed(character: string | undefined): boolean {
  return character === '.' || character?.trim() === ''
}

function truncateName(name: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name
  const dot = name.lastIndexOf('.')
  const extension = dot > 0 ? name.slice(dot) : ''
  const kept = Buffer.byteLength(extension) <= longestExtension ? extension : ''
  return trimEnds(takeBytes(name.slice(0, name.length - kept.length), longestBytes - Buffer.byteLength(kept))) + kept
}

/** The beginning of a text in that many bytes of UTF-8, without a halved character. */
function takeBytes(text: string, bytes: number): string {
  let [end, size] = [0, 0]
  for (const character of text) {
    size += Buffer.byteLength(character)
    if (size > bytes) break
    end += character.length
  }
  return text.slice(0, end)
}
