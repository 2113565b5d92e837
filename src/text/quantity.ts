import {type Failure, wrongUsage} from '../failure.js'
import {quotedText} from './text.js'
import {dayMs, minuteMs} from './time.js'

/** Milliseconds of each unit, from large to small. A day is 24 hours: a duration has no calendar. */
const units: ReadonlyMap<string, number> = new Map([
  ['w', 7 * dayMs],
  ['d', dayMs],
  ['h', 60 * minuteMs],
  ['m', minuteMs],
  ['s', 1000],
  ['ms', 1],
])

const longest = 3650 * dayMs
const shape = /^(?:\d+(?:\.\d+)?[a-z]+)+$/i
const part = /(\d+(?:\.\d+)?)([a-z]+)/gi

/** Reads `500ms`, `8h`, `1h30m`, `1.5h`, units from large to small. Throws Failure (usage), also beyond ten years. */
export function parseDuration(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) throw wrongUsage(`no unit in ${quotedText(text)}`, {try: durationAdvice})
  if (!shape.test(text)) throw refuse(text, 'expected numbers with units')
  let total = 0
  let previous = Number.POSITIVE_INFINITY
  for (const [, amount, unit = ''] of text.matchAll(part)) {
    const size = units.get(unit)
    if (size === undefined) throw refuse(text, `unknown unit ${quotedText(unit)}`)
    if (size >= previous) throw refuse(text, 'units go from large to small, each once')
    total += Number(amount) * size
    previous = size
  }
  if (total > longest) throw refuse(text, 'it is longer than 10 years')
  return Math.round(total)
}

/** Writes milliseconds the way `parseDuration` reads them: `1h30m`, `2d`, `0s`; a negative one gets a `-` in front. */
export function formatDuration(milliseconds: number): string {
  let rest = Math.abs(Math.round(milliseconds))
  let text = ''
  for (const [unit, size] of units) {
    // 7d, not 1w: people compare ages in days.
    if (unit === 'w') continue
    const amount = Math.floor(rest / size)
    if (amount > 0) text += `${amount}${unit}`
    rest -= amount * size
  }
  if (text === '') return '0s'
  return milliseconds < 0 ? `-${text}` : text
}

const durationAdvice = 'write it as 500ms, 30s, 15m (minutes), 8h, 2d, 4w or 1h30m'

function refuse(text: string, why: string): Failure {
  return wrongUsage(`invalid duration ${quotedText(text)}: ${why}`, {try: durationAdvice})
}

const byteUnits: Readonly<Record<string, number>> = {'': 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30}

/** A number of bytes as a person writes it: `64MiB`, `1.5 GiB`, `65536`. Powers of 1024 only: KiB, MiB, GiB. Throws Failure (usage). */
export function parseByteCount(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)\s*([kmg]ib|)$/iu.exec(text.trim()) ?? []
  const bytes = Number(count) * (byteUnits[unit.toLowerCase()] ?? 1)
  if (count !== '' && Number.isSafeInteger(bytes)) return bytes
  throw wrongUsage(`${quotedText(text)} is not a number of bytes`, {
    try: 'write it like 64MiB, 512KiB, 1GiB or 65536',
  })
}
