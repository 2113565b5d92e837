import {FormError, quoted} from './form.js'

const factors: Readonly<Record<string, number>> = {'': 1, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30}

/** A number of bytes as a person writes it: `64MiB`, `1.5 GiB`, `65536`. Powers of 1024 only: KiB, MiB, GiB. Raises a FormError. */
export function parseByteCount(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?)\s*([kmg]ib|)$/iu.exec(text.trim()) ?? []
  const bytes = Number(count) * (factors[unit.toLowerCase()] ?? 1)
  if (count !== '' && Number.isSafeInteger(bytes)) return bytes
  throw new FormError(`${quoted(text)} is not a number of bytes`, {
    advice: 'write it like 64MiB, 512KiB, 1GiB or 65536',
  })
}
