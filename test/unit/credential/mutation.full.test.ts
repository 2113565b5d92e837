import {beforeAll, expect, test} from 'vitest'
import {inspect, reportOf} from '../../../src/credential/inspect.js'
import {marks, Openssl} from '../../support/openssl.js'
import {inPieces} from './rarePkcs12.js'

const openssl = new Openssl()
const now = new Date('2026-12-01T12:00:00Z')
/** One iteration: the test is about reading, not about deriving keys. */
const quick = ['-iter', '1']
const mutants = 100

interface Base {
  readonly what: string
  readonly fileName: string
  readonly make: () => Buffer
}

const none = ['-keypbe', 'NONE', '-certpbe', 'NONE']
const bases: readonly Base[] = [
  {what: 'AES', fileName: 'a.p12', make: () => openssl.p12({flags: quick})},
  {what: 'RC2-40', fileName: 'a.p12', make: () => openssl.p12({flags: ['-legacy', ...quick]})},
  {what: 'AES without a MAC', fileName: 'a.p12', make: () => openssl.p12({flags: [...quick, '-nomac']})},
  {what: 'RC2-40 without a MAC', fileName: 'a.p12', make: () => openssl.p12({flags: ['-legacy', ...quick, '-nomac']})},
  {what: 'nothing encrypted', fileName: 'a.p12', make: () => openssl.p12({flags: [...none, '-nomac']})},
  {what: 'EC, nothing encrypted', fileName: 'a.p12', make: elliptic},
  {what: 'BER in pieces', fileName: 'a', make: () => inPieces(openssl.p12({flags: [...none, '-nomac']}))},
  {what: 'a chain', fileName: 'a.pfx', make: () => openssl.p12({certificates: chain(), flags: [...none, '-nomac']})},
  {what: 'a .p8', fileName: 'AuthKey_ABC123DEFG.p8', make: () => Buffer.from(openssl.key('ec', 'P-256'))},
  {
    what: 'a key in DER that lost its name',
    fileName: 'key',
    make: () => openssl.run(['pkcs8', '-topk8', '-nocrypt', '-outform', 'DER'], openssl.key('ec', 'P-256')),
  },
]

let random: () => number
beforeAll(() => {
  random = seeded(20_261_201)
})

test.each(bases)(
  'damaged files give findings, never an error: $what',
  async ({fileName, make}) => {
    const base = make()
    const verdicts = new Set<string>()
    for (let count = 0; count < mutants; count++) {
      const bytes = mutated(base)
      const result = await inspect(fileName, bytes, {now, password: 'secret'})
      const {findings} = JSON.parse(JSON.stringify(reportOf(fileName, result)))
      for (const {level, code} of findings) verdicts.add(`${level} ${code}`)
    }
    expect(verdicts.size).toBeGreaterThan(1)
  },
  60_000,
)

/** One to four changes: a bit turned, a byte replaced, bytes left out, bytes put in, the end cut off. */
function mutated(base: Buffer): Buffer {
  let bytes: Buffer = Buffer.from(base)
  for (let changes = 1 + below(4); changes > 0; changes--) bytes = changed(bytes)
  return bytes
}

function changed(bytes: Buffer): Buffer {
  const at = below(bytes.length)
  const kind = below(12)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  if (kind < 4) return Buffer.concat([before, Buffer.of((after[0] ?? 0) ^ (1 << below(8))), after.subarray(1)])
  if (kind < 8) return Buffer.concat([before, Buffer.of(below(256)), after.subarray(1)])
  if (kind === 8) return Buffer.concat([before, after.subarray(1 + below(16))])
  if (kind === 9)
    return Buffer.concat([before, Buffer.from(Array.from({length: 1 + below(8)}, () => below(256))), after])
  if (kind === 10) return Buffer.concat([before, bytes.subarray(below(bytes.length)).subarray(0, 64), after])
  return below(4) === 0 ? before : bytes
}

function below(limit: number): number {
  return Math.floor(random() * limit)
}

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

function elliptic(): Buffer {
  openssl.key('ec', 'P-256')
  const certificates = [openssl.certificate({key: 'ec'})]
  return openssl.p12({key: 'ec', certificates, flags: [...none, '-nomac']})
}

function chain(): string[] {
  const authority = openssl.certificate({
    key: 'authority',
    name: 'An authority',
    extensions: ['basicConstraints = CA:true'],
  })
  const issuer = {certificate: authority, key: 'authority'}
  return [openssl.certificate({issuer, extensions: [marks.sandbox]}), authority]
}
