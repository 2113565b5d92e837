/** The longest name on every file system, with room for a counter or a suffix. */
const longestBytes = 200

const longestExtension = 20

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
  const last = text.split(/[/\\]/u).findLast((segment) => segment !== '') ?? ''
  // Of a name beyond reason only its ends are looked at.
  const bounded = last.length <= 700 ? last : last.slice(0, 600) + last.slice(-100)
  const visible = bounded.normalize('NFC').replace(forbidden, '_')
  const name = trimEnds(visible).replace(/^-/u, '_')
  const named = device.test(name) ? `_${name}` : name
  return truncateName(named) || 'unnamed'
}

/** Removes spaces at both ends, dots in front (hidden files) and behind (Windows drops them), in any order. */
function trimEnds(name: string): string {
  return name.replace(/^[.\s]+|[.\s]+$/gu, '')
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
  return new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), {stream: true})
}
