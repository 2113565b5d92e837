import {execFileSync} from 'node:child_process'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {nodeBinary} from '../../../scripts/nodes.js'
import {readApnsCertificate} from '../../../src/credential/apnsCertificate.js'
import {inspect} from '../../../src/credential/inspect.js'
import {Openssl} from '../../support/openssl.js'
import {opensslP12Files} from './opensslP12Files.js'

const openssl = new Openssl()
const now = new Date('2026-12-01T12:00:00Z')

test.each(opensslP12Files)(
  'a .p12 of openssl gets its verdict: $what',
  async ({make, password = 'secret', bundleId, verdict}) => {
    const {findings} = await readApnsCertificate(make(openssl), password, {bundleId, now})
    expect(findings.map(({level, code}) => `${level} ${code}`)).toEqual(verdict)
  },
)

test('the fingerprint of a certificate is the one that openssl tells, and its old encryption is named', async () => {
  const pem = openssl.certificate()
  const result = await readApnsCertificate(openssl.p12({certificates: [pem], flags: ['-legacy']}), 'secret', {now})
  const said = openssl.run(['x509', '-noout', '-fingerprint', '-sha256'], pem).toString()
  expect(said).toContain(result.fingerprint)
  expect(result.encryption).toBe('RC2-40 and 3DES')
})

test('a file with an unreadable key still shows its certificate', async () => {
  const flags = ['-legacy', '-keypbe', 'PBE-SHA1-RC4-128', '-certpbe', 'PBE-SHA1-3DES']
  const result = await readApnsCertificate(openssl.p12({flags}), 'secret', {now})
  expect(result).toMatchObject({opened: false, bundleId: 'com.example.rooms'})
  expect(result.findings[0]?.message).toBe('roomctl cannot open all of it (RC4-128), so its key was not checked')
})

/** An openssl that knows no -legacy and opens old ciphers without it, as the LibreSSL of macOS. */
const libressl = `#!/bin/sh
case " $* " in
  " version ") echo 'LibreSSL 3.3.6'; exit ;;
  *' -legacy '*) exit 1 ;;
  *' -export '*) ;;
  *) set -- "$@" -legacy ;;
esac
PATH=\${PATH#*:} exec openssl "$@"
`

test.each([
  ['OpenSSL 3', undefined],
  ['LibreSSL', libressl],
])('a file in old encryption is converted by the advised command, with %s', async (_, script) => {
  const file = openssl.file(openssl.fresh(' old.p12'), openssl.p12({flags: ['-legacy']}))
  const password = 'secret'
  const {findings} = await inspect(file, readFileSync(file), {now, password})
  const folder = path.join(openssl.folder, openssl.fresh('.bin'))
  mkdirSync(folder)
  if (script) writeFileSync(path.join(folder, 'openssl'), script, {mode: 0o755})
  const passwords = 'openssl pkcs12 -passin pass:secret -passout pass:secret'
  const command = findings[0]?.try?.replaceAll('openssl pkcs12', passwords) ?? ''
  const env = {...process.env, PATH: `${folder}:${process.env.PATH}`}
  execFileSync('sh', ['-c', command], {cwd: openssl.folder, env, stdio: 'ignore'})
  const written = await inspect('new.p12', openssl.read('new.p12'), {now, password})
  expect(written).toMatchObject({encryption: 'AES-256', opened: true, findings: []})
})

/** Prints for each `[file, password]` of its argument whether OpenSSL opens it. */
const opening = `
const {readFileSync} = require('node:fs')
const opens = ([file, passphrase]) => {
  try {
    return require('node:tls').createSecureContext({pfx: readFileSync(file), passphrase}) !== undefined
  } catch {
    return false
  }
}
console.log(JSON.stringify([process.versions.openssl, JSON.parse(process.argv[1]).map(opens)]))
`

test('a MAC is right or wrong as in the OpenSSL 3.5 of Node 24', async () => {
  const macs = opensslP12Files.filter(
    ({what}) => /^(?:PBMAC1|MAC) /u.test(what) && !/no program here|such a digest|are tried/u.test(what),
  )
  const files = macs.map(({make, password = 'secret'}) => {
    const bytes = make(openssl)
    return {bytes, password, file: openssl.file(openssl.fresh('.p12'), bytes)}
  })
  const node24 = nodeBinary(24, path.resolve(import.meta.dirname, '../../../.bench'))
  const given = JSON.stringify(files.map(({file, password}) => [file, password]))
  const [version, opened] = JSON.parse(execFileSync(node24, ['-e', opening, given], {encoding: 'utf8'}))
  expect(version).toMatch(/^3\.[5-9]/u)
  const ours = await Promise.all(
    files.map(async ({bytes, password}) => {
      const {findings} = await readApnsCertificate(bytes, password, {now})
      return !findings.some(({level}) => level === 'error')
    }),
  )
  const said = (verdicts: readonly boolean[]) => macs.map(({what}, at) => `${what}: ${verdicts[at]}`)
  expect(said(ours)).toEqual(said(opened))
  expect(new Set(ours).size).toBe(2)
})
