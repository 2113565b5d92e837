/** How long a piece of a secret must be to count: less of it says nothing. Of a file every one has some bytes. */
const textPiece = 10
const filePiece = 24

/**
 * Finds secrets in a text whatever they are written in, by undoing the writing: this knows nothing of how the tool masks.
 * A piece of ten characters is found like the whole, so that a secret cut in half is found, too.
 */
export class Finder {
  readonly #pieces: readonly (readonly [name: string, piece: string])[]

  /** Secrets by their names; one shorter than a piece is looked for as a whole. */
  constructor(secrets: Readonly<Record<string, string | Uint8Array>>) {
    this.#pieces = Object.entries(secrets).flatMap(([name, secret]) =>
      piecesOf(Buffer.from(secret).toString('latin1'), typeof secret === 'string' ? textPiece : filePiece).map(
        (one) => [name, one] as const,
      ),
    )
  }

  /** The names of the secrets that stand in the text, each with how it is written there. */
  find(text: string): string[] {
    const readings = Object.entries(readingsOf(text))
    const found = this.#pieces.flatMap(([name, one]) =>
      readings.filter(([, read]) => read.includes(one)).map(([how]) => `${name}, ${how}`),
    )
    return [...new Set(found)]
  }
}

function piecesOf(secret: string, piece: number): string[] {
  if (secret.length <= piece) return [secret]
  const last = secret.length - piece
  const starts = Array.from({length: Math.ceil(last / (piece / 2)) + 1}, (_, at) => Math.min(at * (piece / 2), last))
  return starts.map((start) => secret.slice(start, start + piece))
}

/** A text in every way that somebody could read it, as bytes: one character for each. */
function readingsOf(text: string): Readonly<Record<string, string>> {
  const bytes = Buffer.from(text).toString('latin1')
  const spoken = unescaped(bytes)
  const percent = percentless(bytes)
  const joined = (one: string) => one.replace(/\s+/g, '')
  return {
    'as it is': bytes,
    reversed: [...bytes].reverse().join(''),
    'with escapes': spoken,
    'with escapes twice': unescaped(spoken),
    'in percent': percent,
    'in percent, with a plus': percentless(bytes.replaceAll('+', ' ')),
    'in percent twice': percentless(percent),
    'in percent with escapes': unescaped(percent),
    'in HTML': plainOfHtml(bytes),
    'over several lines': joined(spoken),
    'in base64': coded(joined(bytes), /[\w+/-]{8,}/g, base64),
    'in base64 in percent': coded(joined(percent), /[\w+/-]{8,}/g, base64),
    'in base64 with escapes': coded(joined(spoken), /[\w+/-]{8,}/g, base64),
    'in base64, line by line': coded(spoken, /[\w+/-]{8,}/g, base64),
    'in hex': coded(joined(spoken), /[\da-f]{12,}/gi, hex),
  }
}

function percentless(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const controls: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', b: '\b', f: '\f'}

/** Escapes of JSON, of shells and those that the tool itself writes: \u{1b}. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(.))/gi, (_, wide, four, two, one) => {
    const code: unknown = wide ?? four ?? two
    if (typeof code !== 'string') return controls[one] ?? one
    return Buffer.from(String.fromCodePoint(Number.parseInt(code, 16))).toString('latin1')
  })
}

const entities: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', apos: "'"}

function plainOfHtml(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hexadecimal, decimal, name) => {
    if (name !== undefined) return entities[name] ?? whole
    const code = Number.parseInt(hexadecimal ?? decimal, hexadecimal === undefined ? 10 : 16)
    return Buffer.from(String.fromCodePoint(code)).toString('latin1')
  })
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
