import {marks, type Workshop} from '../../support/openssl.js'
import {der} from './der.js'
import {inPieces, joined, keyWithoutPassword, macWithoutPassword, signed} from './rarePkcs12.js'

/** A file, what it is opened with, and the verdict that is expected: the codes of its findings after their levels. */
export interface Row {
  readonly what: string
  readonly make: (shop: Workshop) => Buffer
  readonly password?: string
  readonly bundleId?: string
  readonly verdict: readonly string[]
}

const korean = '비밀번호'
const old = 'warning old-encryption'
const noMac = 'warning no-mac'

/** Files that openssl makes, and what is to be said of them. */
export const p12Files: readonly Row[] = [
  {what: 'RSA, as openssl 3 writes it (AES-256)', make: (shop) => shop.p12(), verdict: []},
  {what: 'RSA with -legacy (RC2-40, 3DES)', make: (shop) => shop.p12({flags: ['-legacy']}), verdict: [old]},
  {what: 'RC2-128', make: (shop) => shop.p12({flags: ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128']}), verdict: [old]},
  {what: '3DES', make: (shop) => shop.p12({flags: both('PBE-SHA1-3DES')}), verdict: [old]},
  {what: '3DES with two keys', make: (shop) => shop.p12({flags: both('PBE-SHA1-2DES')}), verdict: [old]},
  {what: '3DES in PBES2', make: (shop) => shop.p12({flags: both('des-ede3-cbc')}), verdict: [old]},
  {what: 'AES-128', make: (shop) => shop.p12({flags: both('aes-128-cbc')}), verdict: []},
  {what: 'AES-192', make: (shop) => shop.p12({flags: both('aes-192-cbc')}), verdict: []},
  {what: 'MAC with SHA-1', make: (shop) => shop.p12({flags: ['-macalg', 'sha1']}), verdict: []},
  {what: 'MAC with SHA-384', make: (shop) => shop.p12({flags: ['-macalg', 'sha384']}), verdict: []},
  {what: 'MAC with SHA-512', make: (shop) => shop.p12({flags: ['-macalg', 'sha512']}), verdict: []},
  {what: 'EC', make: (shop) => shop.p12(ecPair(shop)), verdict: []},
  {what: 'EC with -legacy', make: (shop) => shop.p12({...ecPair(shop), flags: ['-legacy']}), verdict: [old]},
  {what: '600,000 iterations', make: (shop) => shop.p12({flags: ['-iter', '600000']}), verdict: []},
  {what: 'a Korean password', make: (shop) => shop.p12({password: korean}), password: korean, verdict: []},
  {
    what: 'a Korean password with -legacy',
    make: (shop) => shop.p12({password: korean, flags: ['-legacy']}),
    password: korean,
    verdict: [old],
  },
  {
    what: 'a Korean password without a MAC',
    make: (shop) => shop.p12({password: korean, flags: ['-nomac']}),
    password: korean,
    verdict: [noMac],
  },
  {
    what: 'a password typed in Latin-1',
    make: (shop) => shop.p12({password: Buffer.from('clé', 'latin1')}),
    password: 'clé',
    verdict: [],
  },
  {
    what: 'a password in UTF-8 that was taken for Latin-1',
    make: (shop) => shop.p12({password: Buffer.from('clé', 'utf8').toString('latin1'), flags: ['-legacy']}),
    password: 'clé',
    verdict: [old],
  },
  {what: 'an empty password', make: (shop) => shop.p12({password: ''}), password: '', verdict: []},
  {
    what: 'an empty password with -legacy',
    make: (shop) => shop.p12({password: '', flags: ['-legacy']}),
    password: '',
    verdict: [old],
  },
  {what: 'a key without any password', make: keyWithoutPassword, password: '', verdict: [old, noMac]},
  {what: 'a MAC without any password', make: macWithoutPassword, password: '', verdict: ['warning bare-key']},
  {what: 'no MAC', make: (shop) => shop.p12({flags: ['-nomac']}), verdict: [noMac]},
  {
    what: 'nothing encrypted',
    make: (shop) => shop.p12({flags: both('NONE')}),
    verdict: ['warning bare-key'],
  },
  {what: 'a chain', make: (shop) => shop.p12({certificates: chain(shop)}), verdict: []},
  {what: 'a chain, the authority first', make: (shop) => shop.p12({certificates: chain(shop).reverse()}), verdict: []},
  {what: 'a name in Korean', make: (shop) => named(shop, 'Apple Push Services: 방'), verdict: []},

  {what: 'a wrong password', make: (shop) => shop.p12(), password: 'Secret', verdict: ['error wrong-password']},
  {
    what: 'a wrong password with -legacy',
    make: (shop) => shop.p12({flags: ['-legacy']}),
    password: '',
    verdict: ['error wrong-password'],
  },
  {
    what: 'a wrong password without a MAC',
    make: (shop) => shop.p12({flags: ['-nomac']}),
    password: 'Secret',
    verdict: ['error wrong-password'],
  },
  {what: 'no key', make: (shop) => shop.p12({flags: ['-nokeys']}), verdict: ['error no-key']},
  {what: 'no certificate', make: (shop) => shop.p12({flags: ['-nocerts']}), verdict: ['error no-certificate']},
  {what: 'the key of another certificate', make: mismatched, verdict: ['error key-mismatch', noMac]},
  {
    what: 'expired',
    make: (shop) => shop.p12({certificates: [shop.certificate({from: '20250101000000Z', to: '20261201115959Z'})]}),
    verdict: ['error expired'],
  },
  {
    what: 'expires in 29 days',
    make: (shop) => shop.p12({certificates: [shop.certificate({to: '20261231115959Z'})]}),
    verdict: ['warning expires-soon'],
  },
  {
    what: 'expires in 30 days',
    make: (shop) => shop.p12({certificates: [shop.certificate({to: '20261231120000Z'})]}),
    verdict: [],
  },
  {
    what: 'not yet valid',
    make: (shop) => shop.p12({certificates: [shop.certificate({from: '20270101000000Z'})]}),
    verdict: ['warning not-yet-valid'],
  },
  {
    what: 'another bundle id',
    make: (shop) => shop.p12(),
    bundleId: 'com.example.other',
    verdict: ['error other-bundle-id'],
  },
  {what: 'the bundle id that is expected', make: (shop) => shop.p12(), bundleId: 'com.example.rooms', verdict: []},
  {
    what: 'a topic of the certificate as the bundle id',
    make: (shop) => shop.p12({certificates: [shop.certificate({extensions: [marks.production, topics]})]}),
    bundleId: 'com.example.rooms.voip',
    verdict: [],
  },
  {
    what: 'a certificate for distribution',
    make: (shop) => named(shop, 'Apple Distribution: Example (TEAM123456)', ['1.2.840.113635.100.6.1.7=DER:0500']),
    verdict: ['error not-push'],
  },
  {what: 'a certificate of nobody', make: (shop) => named(shop, 'localhost', []), verdict: ['error not-push']},
  {
    what: 'for the sandbox by its mark',
    make: (shop) => named(shop, 'Apple Push Services: com.example.rooms', [marks.sandbox]),
    verdict: ['warning sandbox-only'],
  },
  {
    what: 'for the sandbox by its name',
    make: (shop) => named(shop, 'Apple Development IOS Push Services: com.example.rooms', []),
    verdict: ['warning sandbox-only'],
  },
  {
    what: 'VoIP',
    make: (shop) => named(shop, 'VoIP Services: com.example.rooms', [marks.sandbox, marks.production, marks.voip]),
    verdict: ['warning voip'],
  },
  {what: 'VoIP by its mark', make: (shop) => named(shop, 'Rooms', [marks.voip]), verdict: ['warning voip']},
  {what: 'a Wallet pass', make: (shop) => named(shop, 'Pass Type ID: pass.com.example'), verdict: ['warning pass']},
  {what: 'a website', make: (shop) => named(shop, 'Website Push ID: web.com.example'), verdict: ['warning website']},
  {what: 'several keys', make: severalKeys, verdict: ['warning several-keys', noMac]},
  {
    what: 'RC4, which cannot be opened here',
    make: (shop) => shop.p12({flags: ['-legacy', ...both('PBE-SHA1-RC4-128')]}),
    verdict: ['warning not-opened', old],
  },
  {
    what: 'RC4 and a wrong password',
    make: (shop) => shop.p12({flags: ['-legacy', ...both('PBE-SHA1-RC4-128')]}),
    password: 'Secret',
    verdict: ['error wrong-password'],
  },
  {what: 'a MAC of more iterations than are tried', make: (shop) => tooMany(shop, []), verdict: ['warning not-opened']},
  {
    what: 'more iterations than are tried, and no MAC',
    make: (shop) => tooMany(shop, ['-nomac']),
    verdict: ['warning not-opened', noMac],
  },
  {what: 'signed, without a password', make: (shop) => signed(shop.p12()), verdict: ['warning not-opened']},
  {what: 'cut off', make: (shop) => shop.p12().subarray(0, 1000), verdict: ['error damaged']},
  {what: 'with a line end after it', make: (shop) => Buffer.concat([shop.p12(), Buffer.from('\n')]), verdict: []},
  {what: 'in pieces, as BER allows', make: (shop) => inPieces(shop.p12({flags: ['-legacy']})), verdict: [old]},
]

/** SEQUENCE {UTF8String, SEQUENCE {UTF8String}, …}: the bundle id and its topic for VoIP. */
const topics = `1.2.840.113635.100.6.3.6=DER:${topicsDer(['com.example.rooms', 'app'], ['com.example.rooms.voip', 'voip'])}`

function topicsDer(...pairs: readonly (readonly [string, string])[]): string {
  const text = (value: string) => der(0x0c, Buffer.from(value))
  return der(0x30, ...pairs.flatMap(([topic, kind]) => [text(topic), der(0x30, text(kind))])).toString('hex')
}

function both(cipher: string): string[] {
  return ['-keypbe', cipher, '-certpbe', cipher]
}

function ecPair(shop: Workshop) {
  shop.key('ec', 'P-256')
  return {key: 'ec', certificates: [shop.certificate({key: 'ec'})]}
}

function chain(shop: Workshop): string[] {
  const authority = shop.certificate({
    key: 'authority',
    name: 'Apple Worldwide Developer Relations',
    extensions: ['basicConstraints = critical, CA:true'],
  })
  return [shop.certificate({issuer: {certificate: authority, key: 'authority'}}), authority]
}

function named(shop: Workshop, name: string, extensions?: readonly string[]): Buffer {
  return shop.p12({certificates: [shop.certificate({name, ...(extensions ? {extensions} : {})})]})
}

/** openssl itself refuses to write these two. */
function mismatched(shop: Workshop): Buffer {
  return joined(shop.p12({flags: ['-nokeys']}), shop.p12({key: 'other', flags: ['-nocerts']}))
}

function severalKeys(shop: Workshop): Buffer {
  return joined(shop.p12({key: 'other', flags: ['-nocerts']}), shop.p12())
}

/** 8,388,607 iterations, written over 65,536. */
function tooMany(shop: Workshop, flags: readonly string[]): Buffer {
  const file = shop.p12({flags: ['-iter', '65536', ...flags]})
  return Buffer.from(file.toString('hex').replaceAll('0203010000', '02037fffff'), 'hex')
}
