/** A text in every way that somebody could read it, as bytes: one character for each. A way that changes nothing is left out. */
export function readingsOf(text: string): [how: string, read: string][] {
  const bytes = Buffer.from(text).toString('latin1')
  const spoken = unescaped(bytes)
  const percent = percentless(bytes)
  const inLine = joined(spoken)
  const readings: Readonly<Record<string, string>> = {
    'as it is': bytes,
    // A file that was read so.
    'byte by byte': /[\u0100-\uffff]/.test(text) ? '' : text,
    reversed: bytes.split('').reverse().join(''),
    'with escapes': spoken,
    'with escapes twice': unescaped(spoken),
    'in percent': percent,
    'in percent, with a plus': bytes.includes('+') ? percentless(bytes.replaceAll('+', ' ')) : percent,
    'in percent twice': percentless(percent),
    'in percent with escapes': unescaped(percent),
    'in HTML': plainOfHtml(bytes),
    'over several lines': inLine,
    'in base64': coded(joined(bytes), base64Run, base64),
    'in base64 in percent': percent === bytes ? '' : coded(joined(percent), base64Run, base64),
    'in base64 with escapes': spoken === bytes ? '' : coded(inLine, base64Run, base64),
    'in base64, line by line': coded(spoken, base64Run, base64),
    'in hex': coded(inLine, /[\da-f]{12,}/gi, hex),
    // As Node prints a buffer.
    'in hex, byte by byte': coded(spoken, /\b[\da-f]{2}(?: [\da-f]{2}){5,}/gi, (run) => hex(joined(run))),
  }
  const seen = new Set([''])
  return Object.entries(readings).filter(([, read]) => !seen.has(read) && seen.add(read))
}

const base64Run = /[\w+/-]{8,}/g

function joined(text: string): string {
  return text.replace(/\s+/g, '')
}

function percentless(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const controls: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', b: '\b', f: '\f'}

/** Escapes of JSON, of shells and those that the tool itself writes: \u{1b}. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, wide, four, two, one) => {
    const code: unknown = wide ?? four ?? two
    if (typeof code !== 'string') return controls[one] ?? one
    return characterOf(Number.parseInt(code, 16))
  })
}

const entities: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"}

function plainOfHtml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hexadecimal, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole
    return characterOf(Number.parseInt(hexadecimal ?? decimal, hexadecimal === undefined ? 10 : 16))
  })
}

function characterOf(code: number): string {
  return code > 0x10ffff ? '' : Buffer.from(String.fromCodePoint(code)).toString('latin1')
}

/** What the runs of a coding say, begun at each of their characters: a run may begin before the secret does. */
function coded(text: string, run: RegExp, decode: (run: string) => string): string {
  return (text.match(run) ?? []).map(decode).join('\n')
}

function base64(run: string): string {
  return [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')).join('\n')
}

function hex(run: string): string {
  return [0, 1].map((start) => Buffer.from(run.slice(start), 'hex').toString('latin1')).join('\n')
}
