import {execFileSync} from 'node:child_process'
import {readFileSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import path from 'node:path'
import {numberedFolder} from './folder.js'

export type KeyKind = 'rsa' | 'P-256' | 'P-384' | 'secp256k1'

/** The extensions by which Apple marks what a push certificate is for. */
export const marks = {
  sandbox: '1.2.840.113635.100.6.3.1=DER:0500',
  production: '1.2.840.113635.100.6.3.2=DER:0500',
  voip: '1.2.840.113635.100.6.3.4=DER:0500',
} as const

export interface CertificateOptions {
  /** The name of the key that it is for. */
  readonly key?: string
  /** CN, UID and OU of its subject. */
  readonly name?: string
  readonly uid?: string
  readonly team?: string
  /** Lines of extensions. */
  readonly extensions?: readonly string[]
  /** `20260101000000Z` */
  readonly from?: string
  readonly to?: string
  /** The certificate, and the name of its key, that signs it; it signs itself otherwise. */
  readonly issuer?: {readonly certificate: string; readonly key: string}
}

export interface P12Options {
  readonly key?: string
  /** Certificates in PEM; the first is the key's. */
  readonly certificates?: readonly string[]
  /** Bytes are given to openssl as they are. */
  readonly password?: string | Buffer
  readonly flags?: readonly string[]
}

/** A folder, gone with the run, in which openssl makes keys and certificates: each once, by its name or its options. */
export class Openssl {
  readonly folder = numberedFolder(path.join(tmpdir(), 'roomctl-openssl-'))
  readonly #keys = new Map<string, string>()
  readonly #certificates = new Map<string, string>()
  readonly #p12s = new Map<string, Buffer>()
  #count = 0

  /** What openssl wrote to stdout. It runs in the folder, with `-` for what `input` is. */
  run(args: readonly string[], input?: string | Buffer): Buffer {
    const stdio = ['pipe', 'pipe', 'ignore'] as const
    return execFileSync('openssl', args, {cwd: this.folder, stdio: [...stdio], ...(input === undefined ? {} : {input})})
  }

  /** A private key in PKCS#8 PEM. */
  key(name: string, kind: KeyKind = 'rsa'): string {
    const known = this.#keys.get(name)
    if (known !== undefined) return known
    const pem = this.run(['genpkey', ...keyArguments[kind]]).toString()
    writeFileSync(path.join(this.folder, `${name}.pem`), pem)
    this.#keys.set(name, pem)
    return pem
  }

  /** A certificate in PEM: by default one that Apple could have given for com.example.rooms, valid from 2026 to 2049. */
  certificate(options: CertificateOptions = {}): string {
    return kept(this.#certificates, options, () => this.#certificate(options))
  }

  #certificate(options: CertificateOptions): string {
    const {key = 'key', uid = 'com.example.rooms', name = `Apple Push Services: ${uid}`, team = 'TEAM123456'} = options
    const {extensions = [marks.sandbox, marks.production], from = '20260101000000Z', to = '20491231000000Z'} = options
    this.key(key)
    const config = this.file('ca.cnf', caConfig(extensions))
    this.file('index.txt', '')
    const subject = `/UID=${uid}/CN=${name}/OU=${team}/O=Example/C=KR`
    const request = [
      'req',
      '-new',
      '-utf8',
      '-config',
      config,
      '-key',
      `${key}.pem`,
      '-subj',
      subject,
      '-out',
      'csr.pem',
    ]
    this.run(request)
    const issuer = options.issuer
      ? ['-cert', this.file('issuer.pem', options.issuer.certificate), '-keyfile', `${options.issuer.key}.pem`]
      : ['-selfsign', '-keyfile', `${key}.pem`]
    const dates = ['-startdate', from, '-enddate', to]
    const flags = ['-batch', '-notext', '-preserveDN', '-extensions', 'extensions']
    this.run(['ca', '-config', config, ...issuer, '-in', 'csr.pem', ...dates, ...flags, '-out', 'made.pem'])
    return readFileSync(path.join(this.folder, 'made.pem'), 'utf8')
  }

  /** A .p12 with a key and its certificates, as `openssl pkcs12 -export` writes it. */
  p12(options: P12Options = {}): Buffer {
    return Buffer.from(kept(this.#p12s, options, () => this.#p12(options)))
  }

  #p12({key = 'key', certificates, password = 'secret', flags = []}: P12Options): Buffer {
    this.key(key)
    const pem = (certificates ?? [this.certificate({key})]).join('')
    const given = [
      '-in',
      this.file('certificates.pem', pem),
      '-passout',
      `file:${this.file('password', password, '\n')}`,
    ]
    const keyed = flags.includes('-nokeys') ? [] : ['-inkey', `${key}.pem`]
    return this.run(['pkcs12', '-export', ...keyed, ...given, ...flags])
  }

  /** Writes a file into the folder and gives its path. */
  file(name: string, content: string | Buffer, ending = ''): string {
    const file = path.join(this.folder, name)
    writeFileSync(file, Buffer.concat([Buffer.from(content), Buffer.from(ending)]))
    return file
  }

  /** A file that openssl wrote into the folder. */
  read(name: string): Buffer {
    return readFileSync(path.join(this.folder, name))
  }

  /** A name that no other file in the folder has. */
  fresh(extension: string): string {
    this.#count += 1
    return `file${this.#count}${extension}`
  }
}

/** What was made with these options before, or is made now. */
function kept<T>(made: Map<string, T>, options: object, make: () => T): T {
  const name = JSON.stringify(options)
  const value = made.get(name) ?? make()
  made.set(name, value)
  return value
}

const keyArguments: Readonly<Record<KeyKind, readonly string[]>> = {
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  'P-256': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'],
  'P-384': ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-384'],
  secp256k1: ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1'],
}

/** `openssl ca` is the one command that sets both dates in every openssl 3. */
function caConfig(extensions: readonly string[]): string {
  return `[ca]
default_ca = authority
[authority]
database = index.txt
new_certs_dir = .
rand_serial = yes
unique_subject = no
default_md = sha256
policy = anything
[anything]
commonName = supplied
[extensions]
${extensions.join('\n')}
[req]
distinguished_name = names
[names]
`
}
