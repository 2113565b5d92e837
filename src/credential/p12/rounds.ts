import {hash} from 'node:crypto'

/** Hashes a digest again and again. SHA-1 and SHA-256, which files have, are compiled: a call of node:crypto takes ten times as long. */
export function hashAgain(digest: string, piece: Buffer, times: number): Buffer {
  const shape = shapes[digest]
  if (shape) return runCompiled(digest, shape, piece, times)
  let last = piece
  for (let round = 0; round < times; round++) last = hash(digest, last, 'buffer')
  return last
}

type Rounds = (state: Int32Array, times: number) => void

const compiled = new Map<string, Rounds>()

function runCompiled(digest: string, shape: Shape, piece: Buffer, times: number): Buffer {
  const rounds = compiled.get(digest) ?? compile(shape)
  compiled.set(digest, rounds)
  const state = Int32Array.from(shape.initial, (_, at) => piece.readInt32BE(4 * at))
  rounds(state, times)
  const result = Buffer.alloc(piece.length)
  for (const [at, word] of state.entries()) result.writeInt32BE(word, 4 * at)
  return result
}

/** A digest of FIPS 180-4 with blocks of 16 words. */
interface Shape {
  readonly initial: readonly number[]
  readonly count: number
  /** The expression of word `at`, from 16 on. */
  word(at: number): string
  /** The statements of a round, for the names of its words; the last name holds the first word of the next round. */
  round(at: number, names: readonly string[]): string
}

/** The words are variables and every round is written out, so that the engine keeps them in registers. Nothing of a file is in the text. */
function compile({initial, count, word, round}: Shape): Rounds {
  const state = initial.map((_, at) => `h${at}`)
  const block = Array.from({length: 16}, (_, at) => state[at] ?? padding(at, initial.length))
  const names = initial.map((_, at) => `v${at}`)
  const size = names.length
  const lines = [
    `let ${state.map((name, at) => `${name}=s[${at}]`).join()};`,
    `for(let n=0;n<times;n++){let ${block.map((value, at) => `w${at}=${value}`).join()};`,
    `let ${names.map((name, at) => `${name}=${initial[at]}`).join()};`,
    ...Array.from({length: count}, (_, at) => {
      const turned = names.map((__, place) => names[(place - (at % size) + size) % size] ?? '')
      return `${at < 16 ? '' : `w${at % 16}=${word(at)};`}${round(at, turned)}`
    }),
    `${state.map((name, at) => `${name}=${sum(`v${at}`, `${initial[at]}`)};`).join('')}}`,
    state.map((name, at) => `s[${at}]=${name};`).join(''),
  ]
  return new Function('s', 'times', lines.join('\n')) as Rounds
}

/** The rest of a block after a message of `size` words: a bit, zeros, and the number of bits. */
function padding(at: number, size: number): number {
  if (at === 15) return size * 32
  return at === size ? -0x80000000 : 0
}

function sum(...terms: readonly string[]): string {
  return terms.reduce((first, second) => `(${first}+(${second})|0)`)
}

function right(value: string, bits: number): string {
  return `(${value}>>>${bits}|${value}<<${32 - bits})`
}

function earlier(at: number, back: number): string {
  return `w${(at - back) % 16}`
}

const sha1: Shape = {
  initial: [0x67452301, -0x10325477, -0x67452302, 0x10325476, -0x3c2d1e10],
  count: 80,
  word: (at) => right(`(${[3, 8, 14, 16].map((back) => earlier(at, back)).join('^')})`, 31),
  round(at, [a = '', b = '', c = '', d = '', e = '']) {
    const choice = `${d}^${b}&(${c}^${d})`
    const majority = `${b}&${c}|${d}&(${b}|${c})`
    const mixed = [choice, `${b}^${c}^${d}`, majority, `${b}^${c}^${d}`][Math.floor(at / 20)] ?? ''
    const constant = [0x5a827999, 0x6ed9eba1, -0x70e44324, -0x359d3e2a][Math.floor(at / 20)]
    return `${e}=${sum(right(a, 27), mixed, e, `w${at % 16}`, `${constant}`)};${b}=${right(b, 2)};`
  },
}

const primes: number[] = []
for (let number = 2; primes.length < 64; number++) {
  if (primes.every((prime) => number % prime !== 0)) primes.push(number)
}

/** The first 32 bits of the fraction. */
function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0
}

const sha256: Shape = {
  initial: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))),
  count: 64,
  word(at) {
    const [far, near] = [earlier(at, 15), earlier(at, 2)]
    const first = `${right(far, 7)}^${right(far, 18)}^${far}>>>3`
    const second = `${right(near, 17)}^${right(near, 19)}^${near}>>>10`
    return sum(earlier(at, 16), first, earlier(at, 7), second)
  },
  round(at, [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = '']) {
    const [low, high] = [[6, 11, 25].map((bits) => right(e, bits)), [2, 13, 22].map((bits) => right(a, bits))]
    const constant = `${fraction(Math.cbrt(primes[at] ?? 0))}`
    const added = sum(h, low.join('^'), `${g}^${e}&(${f}^${g})`, constant, `w${at % 16}`)
    return `${h}=${added};${d}=${sum(d, h)};${h}=${sum(h, high.join('^'), `${a}&${b}|${c}&(${a}|${b})`)};`
  },
}

const shapes: Readonly<Record<string, Shape>> = {sha1, sha256}
