import fc from 'fast-check'

const lastCodePoint = 0x10_ffff

/**
 * Every character but the halves of a surrogate pair, those of ASCII and of the first plane more often than by chance. The
 * inverse of the mapping lets fast-check mix in the texts that it knows to be dangerous, `__proto__` and the like.
 */
const anyCharacter = fc
  .oneof(
    fc.integer({min: 0, max: 0x7f}),
    fc.integer({min: 0x80, max: 0xd7ff}),
    fc.integer({min: 0xe000, max: lastCodePoint}),
  )
  .map(
    (codePoint) => String.fromCodePoint(codePoint),
    (character) => String(character).codePointAt(0) ?? -1,
  )

/** A text of any characters. fast-check's unit `binary` makes a list of all of them first, a second of work for each worker. */
export function anyText(lengths: {minLength?: number; maxLength?: number} = {}): fc.Arbitrary<string> {
  return fc.string({...lengths, unit: anyCharacter})
}
