import {Failure} from '../../api/contract/failure.js'
import {decodeOnce} from '../../text/text.js'

/** A content address at the end of a description: what a later run, on any machine, knows the bytes of a resource by. */
// Without the flag u, with which the long s would count as an s.
const stampAtEnd = /\[sha256:([\da-f]{64})\]\s*$/i

/** A description with the sha256 (hex) of the file at its end, after a blank where there is text. */
export function stampedDescription(text: string, sha256: string): string {
  const stamp = `[sha256:${sha256}]`
  return text === '' ? stamp : `${text} ${stamp}`
}

/** The sha256 (lower-case hex) that a description ends with, which a service may keep percent-encoded; undefined where it has no stamp. */
export function stampOf(description: string | null | undefined): string | undefined {
  const text = description ?? ''
  return (stampAtEnd.exec(text) ?? stampAtEnd.exec(decodeOnce(text)))?.[1]?.toLowerCase()
}

/** A description without the stamp at its end and the blank before it. */
export function unstamped(description: string): string {
  return description.replace(stampAtEnd, '').replace(/ $/u, '')
}

/** Raises a Failure (usage) for a description that would be taken for a stamp: only roomctl writes one, of bytes that it has read. */
export function assertNoStamp(description: string): void {
  if (stampOf(description) === undefined) return
  throw new Failure({
    exit: 'usage',
    message: 'the description ends with [sha256:DIGEST], which roomctl would take for a stamp',
    why: 'a stamp says what the bytes of the file are, so only roomctl writes it',
    try: 'remove it, and add --stamp',
  })
}
