import {execFileSync} from 'node:child_process'
import path from 'node:path'
import {expect, test} from 'vitest'
import {nodeBinary} from '../../../scripts/nodes.js'
import {readApnsCertificate} from '../../../src/credential/apnsCertificate.js'
import {Openssl} from '../../support/openssl.js'
import {opensslP12Files} from './opensslP12Files.js'

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

test('a MAC is right or wrong as the OpenSSL 3.5 of Node 24 says', async () => {
  const openssl = new Openssl()
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
  const now = new Date('2026-12-01T12:00:00Z')
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
