/** Crockford's, in lower case: no letter looks like a digit, and ids sort as their times do. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const timeDigits = 9
const tailDigits = 3
const tails = digits.length ** tailDigits

let last = {time: 0, tail: 0}

/**
 * The id of an entry that is written at this time: 12 characters, greater than all that this process has given before, and unlike
 * those of other processes but for one chance in 32,768 within the same millisecond.
 */
export function entryId(at: Date): string {
  const time = at.getTime()
  const isLater = time > last.time
  // Room is left for the ids that follow in the same millisecond.
  if (isLater) last = {time, tail: Math.floor(Math.random() * tails * 0.9)}
  else if (last.tail + 1 < tails) last = {time: last.time, tail: last.tail + 1}
  else last = {time: last.time + 1, tail: 0}
  return `${text(last.time, timeDigits)}${text(last.tail, tailDigits)}`
}

/** A number in so many digits. */
function text(number: number, length: number): string {
  let rest = number
  let written = ''
  for (let at = 0; at < length; at += 1) {
    written = `${digits.charAt(rest % digits.length)}${written}`
    rest = Math.floor(rest / digits.length)
  }
  return written
}
