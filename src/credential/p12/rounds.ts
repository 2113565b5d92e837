import {hash} from 'node:crypto'

/**
 * Hashes a digest many times, as the key derivation of PKCS #12 does (RFC 7292, Appendix B). SHA-1 and SHA-256, which files have, are
 * computed here: each message fits in one block, and a call of node:crypto takes ten times as long.
 */
export function hashAgain(digest: string, piece: Buffer, times: number): Buffer {
  const compress = digest === 'sha1' ? sha1 : digest === 'sha256' ? sha256 : undefined
  if (compress === undefined) {
    let last = piece
    for (let round = 0; round < times; round++) last = hash(digest, last, 'buffer')
    return last
  }
  const size = piece.length / 4
  const state = Int32Array.from({length: size}, (_, at) => piece.readInt32BE(4 * at))
  // FIPS 180-4, 5.1.1: after the message a bit, zeros, and the number of bits.
  const block = new Int32Array(80)
  for (let round = 0; round < times; round++) {
    block.fill(0, size, 16)
    block.set(state)
    block[size] = -0x80000000
    block[15] = size * 32
    compress(state, block)
  }
  const result = Buffer.alloc(piece.length)
  for (const [at, word] of state.entries()) result.writeInt32BE(word, 4 * at)
  return result
}

/**
 * FIPS 180-4, 6.1.2: replaces `state` by the digest of the one block in `w`. Each function has a loop of its own: one loop that chooses
 * takes about twice the time.
 */
function sha1(state: Int32Array, w: Int32Array): void {
  for (let at = 16; at < 80; at++) {
    const mixed = word(w, at - 3) ^ word(w, at - 8) ^ word(w, at - 14) ^ word(w, at - 16)
    w[at] = (mixed << 1) | (mixed >>> 31)
  }
  let a = 0x67452301
  let b = -0x10325477
  let c = -0x67452302
  let d = 0x10325476
  let e = -0x3c2d1e10
  for (let at = 0; at < 20; at++) {
    const next = (((a << 5) | (a >>> 27)) + (d ^ (b & (c ^ d))) + e + (w[at] ?? 0) + 0x5a827999) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let at = 20; at < 40; at++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + (w[at] ?? 0) + 0x6ed9eba1) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let at = 40; at < 60; at++) {
    const next = (((a << 5) | (a >>> 27)) + ((b & c) | (d & (b | c))) + e + (w[at] ?? 0) - 0x70e44324) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  for (let at = 60; at < 80; at++) {
    const next = (((a << 5) | (a >>> 27)) + (b ^ c ^ d) + e + (w[at] ?? 0) - 0x359d3e2a) | 0
    e = d
    d = c
    c = (b << 30) | (b >>> 2)
    b = a
    a = next
  }
  state[0] = 0x67452301 + a
  state[1] = -0x10325477 + b
  state[2] = -0x67452302 + c
  state[3] = 0x10325476 + d
  state[4] = -0x3c2d1e10 + e
}

const primes: number[] = []
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
}
/** FIPS 180-4, 4.2.2 and 5.3.3: the first 32 bits of the fractions of roots of primes. */
const [constants, initial] = [primes.map(Math.cbrt), primes.slice(0, 8).map(Math.sqrt)].map((roots) =>
  Int32Array.from(roots, (root) => Math.floor((root % 1) * 2 ** 32)),
) as [Int32Array, Int32Array]

/** FIPS 180-4, 6.2.2: replaces `state` by the digest of the one block in `w`. */
function sha256(state: Int32Array, w: Int32Array): void {
  for (let at = 16; at < 64; at++) {
    const far = word(w, at - 15)
    const near = word(w, at - 2)
    const first = left(far, 25) ^ left(far, 14) ^ (far >>> 3)
    const second = left(near, 15) ^ left(near, 13) ^ (near >>> 10)
    w[at] = word(w, at - 16) + first + word(w, at - 7) + second
  }
  let a = word(initial, 0)
  let b = word(initial, 1)
  let c = word(initial, 2)
  let d = word(initial, 3)
  let e = word(initial, 4)
  let f = word(initial, 5)
  let g = word(initial, 6)
  let h = word(initial, 7)
  for (let at = 0; at < 64; at++) {
    const low = left(e, 26) ^ left(e, 21) ^ left(e, 7)
    const added = (h + low + (g ^ (e & (f ^ g))) + word(constants, at) + word(w, at)) | 0
    const high = left(a, 30) ^ left(a, 19) ^ left(a, 10)
    const next = (added + high + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + added) | 0
    d = c
    c = b
    b = a
    a = next
  }
  state.set([a, b, c, d, e, f, g, h])
  for (let at = 0; at < 8; at++) state[at] = word(state, at) + word(initial, at)
}

function left(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function word(words: Int32Array, at: number): number {
  return words[at] ?? 0
}
