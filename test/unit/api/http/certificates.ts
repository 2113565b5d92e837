import {TestCredentials} from '../../../../scripts/testCredentials.js'

/** A certificate with its key, both as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** A certificate authority made for one test file; `file` is the path of its certificate. */
export interface Authority {
  readonly pem: string
  readonly file: string
  /** A certificate for `alternatives`, such as `IP:127.0.0.1`, until `to` (an instant in ISO 8601) or 2049. */
  issue(name: string, alternatives: string, to?: string): Certificate
}

/** Makes an authority; `key` is the name of its key, so that another one has another key. */
export function makeAuthority(key = 'authority'): Authority {
  const made = new TestCredentials()
  const from = '2020-01-01T00:00:00Z'
  const pem = made.certificate({key, name: `The authority ${key}`, authority: true, from})
  return {
    pem,
    file: made.file('ca.pem', pem),
    issue: (name, alternatives, to) => ({
      cert: made.certificate({
        key: 'server',
        name,
        alternatives,
        from,
        issuer: {certificate: pem, key},
        ...(to ? {to} : {}),
      }),
      key: made.key('server'),
    }),
  }
}
