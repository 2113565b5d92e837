import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** A certificate with its key, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority made for one test file; `file` is where its certificate lies until `remove`. */
export interface Authority {
  readonly pem: string
  readonly file: string
  issue(name: string, alternatives: string, days?: number): Certificate
  remove(): void
}

const CURVE = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** Makes an authority with openssl. `alternatives` of a certificate are written as in `IP:127.0.0.1,DNS:localhost`. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'roomctl-ca-'))
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, {stdio: 'pipe', cwd: folder})
  const caFiles = ['-keyout', at('ca.key'), '-out', at('ca.pem')]
  openssl('req', '-x509', ...CURVE, ...caFiles, '-days', '2', '-subj', '/CN=Test authority')
  const issue = (name: string, alternatives: string, days = 1) => {
    writeFileSync(at(`${name}.ext`), `subjectAltName=${alternatives}\n`)
    openssl('req', ...CURVE, '-keyout', at(`${name}.key`), '-out', at(`${name}.csr`), '-subj', `/CN=${name}`)
    const signer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial', '-days', String(days)]
    openssl(
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      ...signer,
      '-extfile',
      at(`${name}.ext`),
      '-out',
      at(`${name}.pem`),
    )
    return {cert: readFileSync(at(`${name}.pem`), 'utf8'), key: readFileSync(at(`${name}.key`), 'utf8')}
  }
  const remove = () => rmSync(folder, {recursive: true, force: true})
  return {pem: readFileSync(at('ca.pem'), 'utf8'), file: at('ca.pem'), issue, remove}
}
