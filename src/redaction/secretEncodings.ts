/** A larger file is no credential (a certificate with its chain has 10 KiB); of one that is sent all the same this much is known. */
const longestFile = 32 * 1024

/** A line of a file that is shorter says nothing of its secret. */
const shortestLine = 16

/** Base64 that is shorter stands in words by chance. */
const shortestBase64 = 6

/** The lines of a secret that are text and its own: not the first and the last of a PEM file, which every such file has. */
export function secretLines(secret: string | Uint8Array): string[] {
  const text = typeof secret === 'string' ? secret : textOf(secret)
  const lines = text?.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('-----')) ?? []
  return lines.length === 1 ? lines : lines.filter((line) => line.length >= shortestLine)
}

/** A line as it is, in percent and in JSON: as services write what they were sent. */
export function textEncodings(line: string): string[] {
  const json = JSON.stringify(line).slice(1, -1)
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [line, ...percentEncodings(line), json, json.replaceAll('/', '\\/'), ascii]
}

/** In percent: as addresses have it, as forms have it, and with small letters. */
export function percentEncodings(text: string): string[] {
  // By way of the bytes, because a lone surrogate cannot be percent-encoded.
  const percent = encodeURIComponent(Buffer.from(text).toString())
  const form = new URLSearchParams({s: text}).toString().slice(2)
  const small = (coded: string) => coded.replace(/%../g, (hex) => hex.toLowerCase())
  return [percent, percent.replaceAll("'", '%27'), form, small(percent), small(form)]
}

/**
 * Base64 of a secret alone, and what is the same in the base64 of every text around it: the characters in which no neighbour has
 * a part, for each of the three places at which it can begin.
 */
export function base64Encodings(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret).subarray(0, longestFile)
  const within = [0, 1, 2].map((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [bytes.toString('base64'), ...within].filter((coded) => coded.length >= shortestBase64)
}

/** A text in the usual alphabet of base64 where it is in that of base64url, and as long. */
export function usualAlphabet(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}

/** The bytes of a file as text; undefined where they are none. */
export function textOf(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : undefined
}
