import type {Openssl} from '../../support/openssl.js'
import {flipped, unknownDigest, withPbmac1} from './macs.js'
import type {P12File} from './p12Files.js'

const korean = '비밀번호'
const old = 'warning old-encryption'
const _noMac = 'warning no-mac'

/** What openssl writes by its flags: every encryption, every MAC, and passwords in other encodings. */
export const opensslP12Files: readonly P12File<Openssl>[] = [
  {what: 'RSA, as openssl 3 writes it (AES-256)', make: (openssl) => openssl.p12(), verdict: []},
  {what: 'RSA with -legacy (RC2-40, 3DES)', make: (openssl) => openssl.p12({flags: ['-legacy']}), verdict: [old]},
  {
    what: 'RC2-128',
    make: (openssl) => openssl.p12({flags: ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128']}),
    verdict: [old],
  },
  {what: '3DES', make: (openssl) => openssl.p12({flags: both('PBE-SHA1-3DES')}), verdict: [old]},
  {what: '3DES with two keys', make: (openssl) => openssl.p12({flags: both('PBE-SHA1-2DES')}), verdict: [old]},
  {what: '3DES in PBES2', make: (openssl) => openssl.p12({flags: both('des-ede3-cbc')}), verdict: [old]},
  {what: 'AES-128', make: (openssl) => openssl.p12({flags: both('aes-128-cbc')}), verdict: []},
  {what: 'AES-192', make: (openssl) => openssl.p12({flags: both('aes-192-cbc')}), verdict: []},
  ...['sha1', 'sha384', 'sha512', 'sha3-256', 'sha3-512', 'sha512-224', 'sha512-256', 'ripemd160', 'md5'].map(
    (digest) => ({
      what: `MAC with ${digest}`,
      make: (openssl: Openssl) => openssl.p12({flags: ['-macalg', digest]}),
      verdict: [],
    }),
  ),
  {
    what: 'MAC with sha3-256, one bit wrong',
    make: (openssl) => flipped(openssl.p12({flags: ['-macalg', 'sha3-256']})),
    verdict: ['error wrong-password'],
  },
  {
    what: 'MAC of a digest that no program here has',
    make: (openssl) => unknownDigest(openssl.p12()),
    verdict: ['warning mac-not-checked'],
  },
  {
    what: 'MAC of such a digest, and nothing encrypted',
    make: (openssl) => unknownDigest(openssl.p12({flags: both('NONE')})),
    verdict: ['error mac-not-checked'],
  },
  ...(['sha256', 'sha512', 'sha3-256', 'sha1'] as const).map((digest) => ({
    what: `PBMAC1 with ${digest}`,
    make: (openssl: Openssl) => withPbmac1(openssl.p12({flags: ['-nomac']}), {digest}),
    verdict: ['warning new-mac'],
  })),
  {
    what: 'PBMAC1 with sha256, one bit wrong',
    make: (openssl) => flipped(withPbmac1(openssl.p12({flags: ['-nomac']}))),
    verdict: ['error wrong-password'],
  },
  {
    what: 'PBMAC1 and a Korean password',
    make: (openssl) => withPbmac1(openssl.p12({password: korean, flags: ['-nomac']}), {password: korean}),
    password: korean,
    verdict: ['warning new-mac'],
  },
  {
    what: 'PBMAC1 and a wrong password, nothing encrypted',
    make: (openssl) => withPbmac1(openssl.p12({flags: ['-nomac', ...both('NONE')]})),
    password: 'Secret',
    verdict: ['error wrong-password'],
  },
  {
    what: 'PBMAC1 without the length of its key',
    make: (openssl) => withPbmac1(openssl.p12({flags: ['-nomac']}), {keyLength: undefined}),
    verdict: ['error damaged'],
  },
  {
    what: 'PBMAC1 of a digest that no program here has',
    make: (openssl) => withPbmac1(openssl.p12({flags: ['-nomac']}), {digest: 'unknown'}),
    verdict: ['warning mac-not-checked'],
  },
  {
    what: 'PBMAC1 of more iterations than are tried',
    make: (openssl) => withPbmac1(openssl.p12({flags: ['-nomac']}), {rounds: 600_001}),
    verdict: ['warning mac-not-checked'],
  },
  {what: 'EC', make: (openssl) => openssl.p12(ecPair(openssl)), verdict: []},
  {what: 'EC with -legacy', make: (openssl) => openssl.p12({...ecPair(openssl), flags: ['-legacy']}), verdict: [old]},
  {what: '600,000 iterations', make: (openssl) => openssl.p12({flags: ['-iter', '600000']}), verdict: []},
  {
    what: '600,000 iterations with 3DES',
    make: (openssl) => openssl.p12({flags: ['-iter', '600000', ...both('PBE-SHA1-3DES')]}),
    verdict: [old],
  },
  {what: 'a Korean password', make: (openssl) => openssl.p12({password: korean}), password: korean, verdict: []},
  {
    what: 'a Korean password with -legacy',
    make: (openssl) => openssl.p12({password: korean, flags: ['-legacy']}),
    password: korean,
    verdict: [old],
  },
  {
    what: 'a password typed in Latin-1',
    make: (openssl) => openssl.p12({password: Buffer.from('clé', 'latin1')}),
    password: 'clé',
    verdict: [],
  },
  {
    what: 'a password in UTF-8 that was taken for Latin-1',
    make: (openssl) => openssl.p12({password: Buffer.from('clé', 'utf8').toString('latin1'), flags: ['-legacy']}),
    password: 'clé',
    verdict: [old],
  },
  {
    what: 'an empty password with -legacy',
    make: (openssl) => openssl.p12({password: '', flags: ['-legacy']}),
    password: '',
    verdict: [old],
  },
  {
    what: 'RC4, which cannot be opened here',
    make: (openssl) => openssl.p12({flags: ['-legacy', ...both('PBE-SHA1-RC4-128')]}),
    verdict: ['warning not-opened', old],
  },
  {
    what: 'RC4 and a wrong password',
    make: (openssl) => openssl.p12({flags: ['-legacy', ...both('PBE-SHA1-RC4-128')]}),
    password: 'Secret',
    verdict: ['error wrong-password'],
  },
  {
    what: 'a MAC of more iterations than are tried',
    make: (openssl) => tooMany(openssl, []),
    verdict: ['warning not-opened', 'error mac-not-checked'],
  },
  {
    what: 'more iterations than are tried, and no MAC',
    make: (openssl) => tooMany(openssl, ['-nomac']),
    verdict: ['warning not-opened', 'warning no-mac'],
  },
]

function both(cipher: string): string[] {
  return ['-keypbe', cipher, '-certpbe', cipher]
}

function ecPair(openssl: Openssl) {
  openssl.key('ec', 'P-256')
  return {key: 'ec', certificates: [openssl.certificate({key: 'ec'})]}
}

/** 8,388,607 iterations, written over 65,536. */
function tooMany(openssl: Openssl, flags: readonly string[]): Buffer {
  const file = openssl.p12({flags: ['-iter', '65536', ...flags]})
  return Buffer.from(file.toString('hex').replaceAll('0203010000', '02037fffff'), 'hex')
}
