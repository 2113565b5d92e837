import type forgeTypes from 'node-forge'

type Forge = typeof forgeTypes
type Node = forgeTypes.asn1.Asn1

/** The bytes are not DER, or not the expected value. */
export class Damaged extends Error {
  override readonly name = 'Damaged'
}

/** One value of ASN.1 in BER or DER, as node-forge reads it. Every member throws Damaged for any other value. */
export class Der {
  constructor(
    private readonly forge: Forge,
    private readonly node: Node,
  ) {}

  get parts(): Der[] {
    const {value} = this.node
    if (typeof value === 'string') throw new Damaged('a value instead of a structure')
    return value.map((node) => new Der(this.forge, node))
  }

  at(index: number): Der {
    const part = this.parts[index]
    if (part === undefined) throw new Damaged('a structure ends too early')
    return part
  }

  /** The bytes of a string; BER may have cut it into several. */
  get bytes(): Buffer {
    const {value} = this.node
    return typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.concat(this.parts.map(({bytes}) => bytes))
  }

  get oid(): string {
    const {asn1} = this.forge
    if (!this.is(asn1.Class.UNIVERSAL, asn1.Type.OID)) throw new Damaged('the object identifier is missing')
    return asn1.derToOid(this.bytes.toString('latin1'))
  }

  /** An integer of at most 6 bytes; larger ones are Infinity. */
  get integer(): number {
    const {bytes} = this
    if (bytes.length === 0 || bytes.readInt8() < 0) throw new Damaged('a count is negative')
    return bytes.length > 6 ? Number.POSITIVE_INFINITY : bytes.readUIntBE(0, bytes.length)
  }

  get isInteger(): boolean {
    return this.is(this.forge.asn1.Class.UNIVERSAL, this.forge.asn1.Type.INTEGER)
  }

  get isUtf8(): boolean {
    return this.is(this.forge.asn1.Class.UNIVERSAL, this.forge.asn1.Type.UTF8)
  }

  get text(): string {
    const {bytes} = this
    const isWide = this.is(this.forge.asn1.Class.UNIVERSAL, this.forge.asn1.Type.BMPSTRING) && bytes.length % 2 === 0
    return isWide ? Buffer.from(bytes).swap16().toString('utf16le') : bytes.toString('utf8')
  }

  /** Whether it is marked [number], as the members of a structure are that may be missing. */
  isTagged(number: number): boolean {
    return this.is(this.forge.asn1.Class.CONTEXT_SPECIFIC, number)
  }

  get encoded(): Buffer {
    return Buffer.from(this.forge.asn1.toDer(this.node).getBytes(), 'latin1')
  }

  private is(tagClass: number, type: number): boolean {
    return this.node.tagClass === tagClass && this.node.type === type
  }
}

/** Reads one value. `rest`: bytes after it are left alone. Throws Damaged for anything else, and below a depth of 32. */
export async function readDer(bytes: Uint8Array, {rest = false} = {}): Promise<Der> {
  const {default: forge} = await import('node-forge')
  // The types of node-forge have the flag only with these options.
  const fromDer = forge.asn1.fromDer as unknown as (bytes: string, options: object) => Node
  try {
    const options = {strict: true, parseAllBytes: !rest, decodeBitStrings: false, maxDepth: 32}
    return new Der(forge, fromDer(Buffer.from(bytes).toString('latin1'), options))
  } catch (error) {
    throw new Damaged('it cannot be read to its end', {cause: error})
  }
}
