/** A value of DER: its tag, its length and its content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const digits = content.length.toString(16)
  const size = Buffer.from(digits.padStart(Math.ceil(digits.length / 2) * 2, '0'), 'hex')
  const length = content.length < 0x80 ? size : Buffer.concat([Buffer.of(0x80 + size.length), size])
  return Buffer.concat([Buffer.of(tag), length, content])
}

/** A constructed value of BER whose end is marked, in place of a length. */
export function endless(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x80), ...contents, Buffer.of(0, 0)])
}

/** What a value of DER holds. */
export function contentOf(value: Buffer): Buffer {
  const first = value[1] ?? 0
  return value.subarray(first < 0x80 ? 2 : 2 + first - 0x80)
}

/** The values of DER that stand one after the other. */
export function valuesIn(bytes: Buffer): Buffer[] {
  if (bytes.length === 0) return []
  const first = bytes[1] ?? 0
  const more = first < 0x80 ? 0 : first - 0x80
  const end = 2 + more + (more === 0 ? first : bytes.readUIntBE(2, more))
  return [bytes.subarray(0, end), ...valuesIn(bytes.subarray(end))]
}

/** The values that a constructed value of DER holds. */
export function partsOf(value: Buffer): Buffer[] {
  return valuesIn(contentOf(value))
}
