/** Secrets from this length on are found wherever they stand, in characters. */
const shortestAlone = 4

/** Of a short secret only the spellings as they are, with percent signs and plus: base64 of it is chance again. */
const shortSpellings = 5

/** A line of a file that is shorter says nothing of its secret. */
const shortestLine = 16

/** A larger file is found by its pieces alone: it would be a pattern that no engine takes. */
const largestWhole = 64 * 1024

/** How a secret, a text or the bytes of a file, is spelled on the wire, each with the pattern that finds it. */
export function patternsOf(secret: string | Uint8Array): [spelling: string, pattern: string][] {
  const texts = typeof secret === 'string' ? [secret] : textsOf(Buffer.from(secret))
  return texts.flatMap((text) => (text.length < shortestAlone ? shortPatterns(text) : longPatterns(text)))
}

function longPatterns(text: string): [string, string][] {
  return spellings(text).map((spelling) => [spelling, literal(spelling)])
}

/** Only where it stands as the value of something. */
function shortPatterns(text: string): [string, string][] {
  const asIs = spellings(text).slice(0, shortSpellings)
  return asIs.map((spelling) => [spelling, `(?<=[=:] ?"?)${literal(spelling)}(?![\\w-])`])
}

/** How the bytes of a file can be found in a text: in base64, and where they are a text, it and each of its lines. */
function textsOf(bytes: Buffer): string[] {
  if (bytes.length > largestWhole) return []
  const text = bytes.toString('utf8')
  const coded = [bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  if (!Buffer.from(text).equals(bytes)) return coded
  const lines = text.split(/\r?\n/).filter((line) => !line.startsWith('-----'))
  return [text, lines.join(''), ...lines.filter((line) => line.length >= shortestLine), ...coded]
}

/** A secret as a text, or the lines of a file; nothing of what is no text. */
export function linesOf(secret: Buffer): string[] {
  const text = secret.toString('utf8')
  if (!Buffer.from(text).equals(secret)) return []
  return text.split(/\r?\n/).filter((line) => line.length >= shortestAlone && !line.startsWith('-----'))
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  // By way of the bytes, because a lone surrogate cannot be percent-encoded.
  const percent = encodeURIComponent(bytes.toString())
  const json = JSON.stringify(secret).slice(1, -1)
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    percent.replaceAll('%20', '+'),
    new URLSearchParams({s: secret}).toString().slice(2),
    json,
    json.replaceAll('/', '\\/'),
    json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    // Alone, and with what stands before it in a header.
    ...[bytes, Buffer.from(`Bearer ${secret}`)].flatMap((text) =>
      (['base64', 'base64url'] as const).flatMap((coding) => {
        const coded = text.toString(coding)
        return [coded, coded.replace(/=+$/, '')]
      }),
    ),
  ]
}
