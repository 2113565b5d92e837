import {isUtf8} from 'node:buffer'

/** A larger file is no credential (a certificate with its chain has 10 KiB); only this much of it is masked. */
const longestFile = 32 * 1024

/** A shorter line of a file is no secret. */
const shortestLine = 16

/** Shorter base64 occurs in words by chance. */
const shortestBase64 = 6

/** The text lines of a secret without the first and the last of a PEM file, which every such file has. */
export function secretLines(secret: string | Uint8Array): string[] {
  const text = typeof secret === 'string' ? secret : utf8Text(secret)
  const lines = text?.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('-----')) ?? []
  return lines.length === 1 ? lines : lines.filter((line) => line.length >= shortestLine)
}

/** A line in plain text, percent-encoded, in JSON and in JSON within JSON, as services echo it. */
export function textEncodings(line: string): string[] {
  const json = JSON.stringify(line).slice(1, -1)
  const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [line, ...percentEncodings(line), json, JSON.stringify(json).slice(1, -1), json.replaceAll('/', '\\/'), ascii]
}

/** Percent-encoded for addresses, for forms, and with every sign; each also in lower case. */
function percentEncodings(text: string): string[] {
  if (/^[A-Za-z0-9]*$/.test(text)) return [] // it is its own pattern
  // Through the bytes: a lone surrogate cannot be percent-encoded.
  const percent = encodeURIComponent(Buffer.from(text).toString())
  const form = new URLSearchParams({s: text}).toString().slice(2)
  const all = percent.replace(/[-_.!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const small = (coded: string) => coded.replace(/%../g, (hex) => hex.toLowerCase())
  return [percent, percent.replaceAll("'", '%27'), form, all, small(percent), small(form), small(all)]
}

/**
 * Base64 of a secret alone, and the characters that are the same in the base64 of any text around it, for each of the three places
 * where it can begin.
 */
export function base64Encodings(secret: string | Uint8Array): string[] {
  const bytes = Buffer.from(secret).subarray(0, longestFile)
  const within = [0, 1, 2].map((before) => {
    const coded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
    return coded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [bytes.toString('base64'), ...within].filter((coded) => coded.length >= shortestBase64)
}

/** The longest part that JSON, percent and forms write alike; an empty one is in any text. */
export function longestRun(line: string): string {
  const runs = line.match(/[A-Za-z0-9]+/g) ?? ['']
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

export function usualAlphabet(text: string): string {
  return text.replaceAll('-', '+').replaceAll('_', '/')
}

/** Undefined for bytes that are no text. */
function utf8Text(bytes: Uint8Array): string | undefined {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : undefined
}
