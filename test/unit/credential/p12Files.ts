import {appleMarks, type TestCredentials} from '../../../scripts/testCredentials.js'
import {der} from './der.js'
import {inPieces, joined, keyWithoutPassword, macWithoutPassword, signed} from './rarePkcs12.js'

/** A file, its password, and the expected verdict: the codes of its findings after their levels. */
export interface P12File<Maker> {
  readonly what: string
  readonly make: (maker: Maker) => Buffer
  readonly password?: string
  readonly bundleId?: string
  readonly verdict: readonly string[]
}

const korean = '비밀번호'
const old = 'warning old-encryption'
const noMac = 'warning no-mac'

/** Contents of a .p12, and their findings. */
export const p12Files: readonly P12File<TestCredentials>[] = [
  {what: 'AES-256', make: (made) => made.p12(), verdict: []},
  {what: '3DES', make: (made) => made.p12({encryption: '3des'}), verdict: [old]},
  {what: 'a Korean password', make: (made) => made.p12({password: korean}), password: korean, verdict: []},
  {
    what: 'a Korean password with 3DES',
    make: (made) => made.p12({password: korean, encryption: '3des'}),
    password: korean,
    verdict: [old],
  },
  {
    what: 'a Korean password without a MAC',
    make: (made) => made.p12({password: korean, mac: false}),
    password: korean,
    verdict: [noMac],
  },
  {what: 'an empty password', make: (made) => made.p12({password: ''}), password: '', verdict: []},
  {
    what: 'an empty password with 3DES',
    make: (made) => made.p12({password: '', encryption: '3des'}),
    password: '',
    verdict: [old],
  },
  {what: 'a key without any password', make: keyWithoutPassword, password: '', verdict: [old, noMac]},
  {what: 'a MAC without any password', make: macWithoutPassword, password: '', verdict: []},
  {what: 'no MAC', make: (made) => made.p12({mac: false}), verdict: [noMac]},
  {
    what: 'nothing encrypted',
    make: (made) => made.p12({encryption: 'none'}),
    verdict: [],
  },
  {what: 'a chain', make: (made) => made.p12({certificates: chain(made)}), verdict: []},
  {what: 'a chain, the authority first', make: (made) => made.p12({certificates: chain(made).reverse()}), verdict: []},
  {what: 'a name in Korean', make: (made) => named(made, 'Apple Push Services: 방'), verdict: []},
  {what: 'a wrong password', make: (made) => made.p12(), password: 'Secret', verdict: ['error wrong-password']},
  {
    what: 'a wrong password with 3DES',
    make: (made) => made.p12({encryption: '3des'}),
    password: '',
    verdict: ['error wrong-password'],
  },
  {
    what: 'a wrong password without a MAC',
    make: (made) => made.p12({mac: false}),
    password: 'Secret',
    verdict: ['error wrong-password'],
  },
  {what: 'no key', make: (made) => made.p12({key: null}), verdict: ['error no-key']},
  {what: 'no certificate', make: (made) => made.p12({certificates: []}), verdict: ['error no-certificate']},
  {what: 'the key of another certificate', make: mismatched, verdict: ['error key-mismatch', noMac]},
  {
    what: 'expired',
    make: (made) =>
      made.p12({certificates: [made.certificate({from: '2025-01-01T00:00:00Z', to: '2026-12-01T11:59:59Z'})]}),
    verdict: ['error expired'],
  },
  {
    what: 'expires in 29 days',
    make: (made) => made.p12({certificates: [made.certificate({to: '2026-12-30T23:59:59Z'})]}),
    verdict: ['warning expires-soon'],
  },
  {
    what: 'expires in 30 days',
    make: (made) => made.p12({certificates: [made.certificate({to: '2026-12-31T00:00:00Z'})]}),
    verdict: [],
  },
  {
    what: 'not yet valid',
    make: (made) => made.p12({certificates: [made.certificate({from: '2027-01-01T00:00:00Z'})]}),
    verdict: ['warning not-yet-valid'],
  },
  {
    what: 'another bundle id',
    make: (made) => made.p12(),
    bundleId: 'com.example.other',
    verdict: ['error other-bundle-id'],
  },
  {what: 'the bundle id that is expected', make: (made) => made.p12(), bundleId: 'com.example.rooms', verdict: []},
  {
    what: 'a topic of the certificate as the bundle id',
    make: (made) => made.p12({certificates: [made.certificate({extensions: {...appleMarks.production, ...topics}})]}),
    bundleId: 'com.example.rooms.voip',
    verdict: [],
  },
  {
    what: 'a certificate for distribution',
    make: (made) => named(made, 'Apple Distribution: Example (TEAM123456)', {'1.2.840.113635.100.6.1.7': '0500'}),
    verdict: ['error not-push'],
  },
  {what: 'a certificate of nobody', make: (made) => named(made, 'localhost', {}), verdict: ['error not-push']},
  {
    what: 'for the sandbox by its mark',
    make: (made) => named(made, 'Apple Push Services: com.example.rooms', appleMarks.sandbox),
    verdict: ['warning sandbox-only'],
  },
  {
    what: 'for the sandbox by its name',
    make: (made) => named(made, 'Apple Development IOS Push Services: com.example.rooms', {}),
    verdict: ['warning sandbox-only'],
  },
  {
    what: 'VoIP',
    make: (made) =>
      named(made, 'VoIP Services: com.example.rooms', {
        ...appleMarks.sandbox,
        ...appleMarks.production,
        ...appleMarks.voip,
      }),
    verdict: ['warning voip'],
  },
  {what: 'VoIP by its mark', make: (made) => named(made, 'Rooms', appleMarks.voip), verdict: ['warning voip']},
  {what: 'a Wallet pass', make: (made) => named(made, 'Pass Type ID: pass.com.example'), verdict: ['error pass']},
  {
    what: 'a Wallet pass by its mark',
    make: (made) => named(made, 'Rooms', {...appleMarks.production, ...passMark}),
    verdict: ['error pass'],
  },
  {what: 'a website', make: (made) => named(made, 'Website Push ID: web.com.example'), verdict: ['error website']},
  {
    what: 'a list of topics that is none',
    make: (made) => named(made, 'Apple Push Services: com.example.rooms', {...appleMarks.production, ...oddTopics}),
    bundleId: 'com.example.rooms',
    verdict: [],
  },
  {
    what: 'a list of topics that is cut off',
    make: (made) => named(made, 'Apple Push Services: com.example.rooms', {...appleMarks.production, ...cutTopics}),
    verdict: [],
  },
  {
    what: 'device management by its name',
    make: (made) => named(made, 'APSP:0f8fad5b-d9cb-469f-a165-70867728950e'),
    verdict: ['error mdm'],
  },
  {
    what: 'device management by its topic',
    make: (made) => made.p12({certificates: [made.certificate({uid: 'com.apple.mgmt.External.0f8fad5b', name: 'X'})]}),
    verdict: ['error mdm'],
  },
  {
    what: 'a push certificate beside one for distribution, of the same key',
    make: (made) => made.p12({certificates: [made.certificate(), distribution(made)]}),
    verdict: ['warning several-certificates'],
  },
  {
    what: 'a push certificate after one for distribution',
    make: (made) => made.p12({certificates: [distribution(made), made.certificate()]}),
    verdict: ['warning several-certificates'],
  },
  {
    what: 'an expired certificate before the one that replaced it',
    make: (made) => made.p12({certificates: [made.certificate({to: '2026-03-01T00:00:00Z'}), made.certificate()]}),
    verdict: ['warning several-certificates'],
  },
  {
    what: 'the certificates of two applications, with the bundle id of the second',
    make: (made) => made.p12({certificates: [made.certificate(), made.certificate({uid: 'com.other.app'})]}),
    bundleId: 'com.other.app',
    verdict: ['warning several-certificates'],
  },
  {
    what: 'the same certificate twice',
    make: (made) => made.p12({certificates: Array<string>(2).fill(made.certificate())}),
    verdict: [],
  },
  {
    what: 'a key of a type that Node does not know',
    make: (made) => unknownKey(made.p12({encryption: 'none', mac: false})),
    verdict: ['warning not-opened', noMac],
  },
  {what: 'several keys', make: severalKeys, verdict: ['warning several-keys', noMac]},
  {what: 'signed, without a password', make: (made) => signed(made.p12()), verdict: ['warning not-opened']},
  {what: 'cut off', make: (made) => made.p12().subarray(0, 1000), verdict: ['error damaged']},
  {what: 'with a line end after it', make: (made) => Buffer.concat([made.p12(), Buffer.from('\n')]), verdict: []},
  {what: 'in pieces, as BER allows', make: (made) => inPieces(made.p12({encryption: '3des'})), verdict: [old]},
]

/** SEQUENCE {UTF8String, SEQUENCE {UTF8String}, …}: the bundle id and its topic for VoIP. */
const topics = {
  '1.2.840.113635.100.6.3.6': topicsDer(['com.example.rooms', 'app'], ['com.example.rooms.voip', 'voip']),
}

const oddTopics = {'1.2.840.113635.100.6.3.6': '0c0161'}
const cutTopics = {'1.2.840.113635.100.6.3.6': '300a0c01'}
const passMark = {'1.2.840.113635.100.6.1.16': '0500'}

function topicsDer(...pairs: readonly (readonly [string, string])[]): string {
  const text = (value: string) => der(0x0c, Buffer.from(value))
  return der(0x30, ...pairs.flatMap(([topic, kind]) => [text(topic), der(0x30, text(kind))])).toString('hex')
}

function chain(made: TestCredentials): string[] {
  const authority = made.certificate({key: 'authority', name: 'Apple Worldwide Developer Relations', authority: true})
  return [made.certificate({issuer: {certificate: authority, key: 'authority'}}), authority]
}

function named(made: TestCredentials, name: string, extensions?: Readonly<Record<string, string>>): Buffer {
  return made.p12({certificates: [made.certificate({name, ...(extensions ? {extensions} : {})})]})
}

function mismatched(made: TestCredentials): Buffer {
  return joined(made.p12({key: null}), made.p12({key: 'other', certificates: []}))
}

function distribution(made: TestCredentials): string {
  return made.certificate({uid: 'TEAM123456', name: 'iPhone Distribution: Example (TEAM123456)', extensions: {}})
}

/** PrivateKeyInfo with another object identifier than that of RSA. */
function unknownKey(p12: Buffer): Buffer {
  return Buffer.from(p12.toString('hex').replace(/(020100300d06092a864886f70d0101)01/u, '$163'), 'hex')
}

function severalKeys(made: TestCredentials): Buffer {
  return joined(made.p12({key: 'other', certificates: []}), made.p12())
}
