import {generateKeyPairSync} from 'node:crypto'
import {lstatSync, mkdirSync} from 'node:fs'
import path from 'node:path'
import {fileFailure} from '../../failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'

/** The files that the lines of the README and the guides use: a build, keys as Apple hands them out, a certificate and its password. */
const exampleFiles: readonly [name: string, make: () => string | Buffer, readers: 'user' | 'umask'][] = [
  ['build/board.bundle', () => 'x'.repeat(300_000), 'umask'],
  ['build/catalog.json', () => '{"bundles": ["board.bundle"]}', 'umask'],
  ['AuthKey_ABC123DEFG.p8', newKey, 'user'],
  ['AuthKey_NEW1234567.p8', newKey, 'user'],
  ['push.p12', () => Buffer.from(certificate, 'base64'), 'user'],
  ['push.password', () => 'a pass word', 'user'],
]

/** Writes the example files that are missing; returns their paths. Throws Failure (file). */
export function writeExampleFiles(folder: string): string[] {
  return exampleFiles.flatMap(([name, make, readers]) => {
    const file = path.join(folder, name)
    try {
      if (lstatSync(file, {throwIfNoEntry: false})) return []
      mkdirSync(path.dirname(file), {recursive: true})
      const content = make()
      replaceFile(file, typeof content === 'string' ? Buffer.from(content) : content, readers)
      return [file]
    } catch (error) {
      const facts = {why: systemReason(error), try: 'fix that, or name another folder'}
      throw fileFailure(`cannot write ${file}`, facts, {cause: error})
    }
  })
}

function newKey(): string {
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  return privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
}

/** A push certificate of com.example.shop until the end of 2049, signed by itself, with its key: Node cannot make one. */
const certificate = `
MIIE6QIBAzCCBKAGCSqGSIb3DQEHAaCCBJEEggSNMIIEiTCCA0EGCSqGSIb3DQEHBqCCAzIwggMuAgEAMIIDJwYJKoZIhvcNAQcBMFYGCSqGSIb3DQEFDTBJ
MCgGCSqGSIb3DQEFDDAbBAhGtbaLKT79EAIBZDAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQkftkWvbkaK4hMoubZJzQDYCCAsBeWO0r80Sgf3ANtd+T
Eb9wUgLim5P1hwryuHkzNNPDKVFSpoLmQbOs7xyCSmgtJbvbMLGm1iuslI8ZpGdJkK33Xt6QDllXvWYdjGsN4AHenW7AxaN4KXlqABjbCmpuDMGl0i5+HhNY
O/eJet2SyC7JxP6ERjiLxDsgwIRkNt8l4EyrAhbYSCyrSm1yXvc8bDZLq3zF1NACzMJdRVTVWxzdF1mtNne6hmfS4sZyCeYRAqFJXwWNKSTUi6QqBUk++SFK
Phz8I4pOkvq5/sB34XA8B/uOWSy6w7PA/Om+9l4yjYF10Sc7ns/G6WhjSwAYA+dX5wem5ouzn6y+9Dn5L6EXqJJzJTNiYlgZxCKWNBpkZ3yvU1BJcOmp2ouf
f8bCd+Q1IfAtwqQ4zNJ4mD0SigdpY3QBoAamCjWb064qqd71nrcAGRFBG1rR4H/hbnjIvHxgkKHN4BwBUPuNTaBspd+0UmaI/+7klPnHBoy/RTiEAHtiBVCW
ng54np+Xz//WUV68Boc1lAlvqxWA50tibv4Rdvp7NKayY8JOqISLbnmEF0FkY+niVgnqSxYpOWmFHsTIY/jaZhqcQ8Ced2quZI0U93tJXVuxH91bTm3Ir4mG
iyBaeEPFUV1f31XjlrV1peJqMgN5DnsluwhjbAHcrzYh0QHtkTGHk5WilPUGwDE2mX7q2TSjXIXx/NGtuA3dtrRV2hG3yVHqXZb2i8O1nsRu1hwI77ONSw9y
ilH5rz4v6LBe2IvU1q6kUt/aVCGt1ys93tmk33/3Wx3+wnT6btI+VAWJeXB+A2akn1bc4v820MPsAOKuVYHjjtoYhJHjvYIZSeM4v2prCIXw+tP5U404s4yB
1xSkWmGIYmEaQIh5yIraQQwtr8s1BgXnhGQJoaJrrUk87Fx4n/TveyqLF5lmTJ1dbxm9iBn2JD9DQQtfVTCCAUAGCSqGSIb3DQEHAaCCATEEggEtMIIBKTCC
ASUGCyqGSIb3DQEMCgECoIHuMIHrMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAg676RSzspcIQIBZDAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQB
KgQQp+KffaIevjtwpglExk5NfwSBkB+2F9bbEccaWMwLhuY8kcl1pAuQj6oOPY+b71GxFYETqc9zgeZX0UVFlMuAmP22a9DRg+KO/B5JYlnhwnQyi+qEfHcq
6IHQ4BVKp+xpcOJPMIwpFImQAd9qRWDuxVOR/NeSdisCVZM+odoEXq1tiq397HGsCKluDnfuABJkdZ+5nvQszrCI5qA86QnO/oayAjElMCMGCSqGSIb3DQEJ
FTEWBBRKI+jnr4JSk3Gav/FbfQ7f/ujEijBAMDEwDQYJYIZIAWUDBAIBBQAEII5kuemdMFNc9ZZzPMw3WEVYMVFWdTLpO4vwGiSfWXoWBAix0/5hrop7UgIB
ZA==
`
