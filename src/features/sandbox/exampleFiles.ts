import {generateKeyPairSync} from 'node:crypto'
import {lstatSync, mkdirSync} from 'node:fs'
import path from 'node:path'
import {Failure} from '../../api/contract/failure.js'
import {systemReason} from '../../storage/disk/privateFile.js'
import {replaceFile} from '../../storage/disk/replaceFile.js'

interface ExampleFile {
  readonly name: string
  readonly make: () => string | Buffer
  readonly readers: 'user' | 'umask'
}

/** The files that the lines of the README and the guides use: a build, keys as Apple hands them out, a certificate and its password. */
const exampleFiles: readonly ExampleFile[] = [
  {name: 'build/board.bundle', make: () => 'x'.repeat(300_000), readers: 'umask'},
  {name: 'build/catalog.json', make: () => '{"bundles": ["board.bundle"]}', readers: 'umask'},
  {name: 'AuthKey_ABC123DEFG.p8', make: newKey, readers: 'user'},
  {name: 'AuthKey_NEW1234567.p8', make: newKey, readers: 'user'},
  {name: 'push.p12', make: () => Buffer.from(certificate, 'base64'), readers: 'user'},
  {name: 'push.password', make: () => 'a pass word', readers: 'user'},
]

/** Writes the example files that are missing; returns their paths. Raises a Failure (file). */
export function writeExampleFiles(folder: string): string[] {
  return exampleFiles.flatMap(({name, make, readers}) => {
    const file = path.join(folder, name)
    try {
      if (lstatSync(file, {throwIfNoEntry: false})) return []
      mkdirSync(path.dirname(file), {recursive: true})
      const content = make()
      replaceFile(file, typeof content === 'string' ? Buffer.from(content) : content, readers)
      return [file]
    } catch (error) {
      const advice = 'fix that, or name another folder'
      throw new Failure(
        {exit: 'file', message: `cannot write ${file}`, why: systemReason(error), try: advice},
        {cause: error},
      )
    }
  })
}

function newKey(): string {
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  return privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
}

/** A push certificate of com.example.shop until the end of 2049, signed by itself, with its key: Node cannot make one. */
const certificate = `
MIIKSwIBAzCCCgIGCSqGSIb3DQEHAaCCCfMEggnvMIIJ6zCCBIQGCSqGSIb3DQEHBqCCBHUwggRxAgEAMIIEagYJKoZIhvcNAQcBMFkGCSqGSIb3DQEF
DTBMMCsGCSqGSIb3DQEFDDAeBAg+hKcNqAnYIgIBZAIBIDAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQvOUQ5Z+HmFDJjUbZsRaOzYCCBADFAIQR
dax5kHmOe+Duh5SblJuttDx72f2cvmOEJ1n39cp10QdaZ3uY5ZRv9Q02HmU4McxQRA3vhKfXo4AcszQnnPR0GCtDrmrNPACHw1v5iA0t0pr4vB9RKc0F
mf5uaqumIEc6m41hIudn7Pqdbu/I94I8RSWxEU3Tp0C5hSk6hTlcTz7V8YopQ5Z7+CX2YBnNCXkT4uYK2VohrIdn4rOFzGDkMZ1acelGkKq7WxY59iQP
VlnTBHsrVT/NGr9NxguUXBfOJDk1kVVOymUg2bcmT0kykqSIy16SK6dDpHZbPrHc94WhozQDdR3v3NIO/w8V327vhTZMABqhnUQ30y1yPqtWuZqFo+MM
YbIoqUV56LU8RBvKucy2EsJ3FhoaMCkA2hPUXcb5takGh/ktfCs/wOjSGGL4Iz16bvi2l1MqfiLOuwi2MENeqixYuTek1eXGKfBxwHb4Ti98fTIqu10r
pb7wGs7fWeRksuKe4YcDUbFIUg9oKbKixOeY9D97zhB2ssx8LDKIN45sLRXAZHOa3WfYagry203TMofPCEBIPYgQmwEr3s8ucSekyendYK1G4c2TLIZK
sKwW0KeQO28b/h7hz5dqHdyZBQl/rnTAP7ZqKgiaz/S6wYzFJVYVlKpiZWs7/kOfpxjxtO8Kzankrg7YPpu6vCz2N/BYyaXueT6Gs4+KuZJ8cJkCiS7J
rqhtCPq6/AUkubKcRQnMBG08JkJij8AQ+tU1rfVCMNnAv1zfE66sD6oe0PVCeGZgai1trG2ZNLZn9V/e7MtmUog7wK6T67hcxZ9InZ2DcsHYnuoTbba2
G6l2sfm1N7aVsbjSomnBvvIFvd51SOb47rJ11nufInXK/NaQblGZ55SqsfdOdMBS36yTRiJpU/3nftIxQGBKhtp7dPHixCYCx3DU1QQSUrVZWzs0d37U
LTP8+TM2ye9gPf0jvvUp33duBPi4Yl9qaOmpcgLX1Y48SW/Xzk0p71LLLRIGT5jO4XZlagixo6MpARHz+R3kwv5YEvsEjBn+bzJ+3pv/DHEtxriHAr9Z
/mN3uyZji1KNJR2ZoE5hNrpLqGeVnS+dY5NOlCvNzsGdOPtlrPkM9ncIUdG3VAGqo2bwBUmW9M4iuRJOjT6Sd7AfOkCKk0UCi/+yEjPvI1bQdXrqhzf7
r6D8irxUgQbeZlELPrldV4M/ZZPEEZHv7yiQEBCH2HgJschbEgSt/bVm6V7lFYjz/r53NiV7Qy2qWi3tzNYcag20pIpT8Q9gV/xxaZLyQg4JPmBzWT4J
sJqSPAw/l+93erSDYGLCarVdgRFfLZ0aBx7NjPap+PuGbbtxPmqV+W/9m/q9e0csamrO7KHZ9imHzjuY/KfGMIIFXwYJKoZIhvcNAQcBoIIFUASCBUww
ggVIMIIFRAYLKoZIhvcNAQwKAQKgggUzMIIFLzBZBgkqhkiG9w0BBQ0wTDArBgkqhkiG9w0BBQwwHgQI7OYljgmln/4CAWQCASAwDAYIKoZIhvcNAgkF
ADAdBglghkgBZQMEASoEEGwrRUW07F6XTI9Ph0SuI7UEggTQPK1/CVC07jYV2W1caDyGMUJ+MwH468U1AHsEP871reRzWBGkPgOvgWHE5iTsiGRb9qh7
HGlHJy4aH7ZPKXdjSbwvbYR4x+cHims5BJ0dur3IzEboCxU2paYqJ7vP4hT1zYWJh0Wa7vxdJE7nkr+6n35d58OcIBIaiuvyTUFdTvdUYWx51a7QToT2
BWVTY33y6r/qKEXoxF/Y0i023b9W0tXB+2ZBEzmC5WyMcWMt6bGeC/+AXBcJBWh/wEfRZNN8JmrWSdKGqUXAMZ6lOR9DlL9vpcLp5Cbyv/doDP03EZjJ
+PvIz58Rxdo0+hThm31czDNBOI25ZHaXKpx+YN4ErhHQf95Exy7jkWQB9ntVlKB0SNf1uGNikwP+wxEBqphrZTipANMbZqJRMiDxKcnilf/NlXtaucEl
Sk2p87fbHg37GPjKm/xofLiX5SP3XueqZmifXqMqFtEwG/1xjNYmF1SC2/e4je5joj0NqsA2tSeC8Went7A+sDqA3Lgtt4SH8FmAO7mJ81jTRS0cezMU
qLSawLDbl0k9kiX4ickEaDmLF0M+WSnmoz2mUW/BEgaU84OUzsSdrX5F2vCA9tUTF1wZOdwzzyoDRjrh1fsv4Oopj2pi7hlyr1gmGFO6TuspQIxmAdOv
XJf+Ynm7zZg2Y8A5JUxua6bmnUmCcIoUmpLjMgWUaFEdc3/WgoKF58iHW0sKbLj/Hg1FOaKIRB2T7Vx5uX8e6yeKgoVt38WK6/d6BeHld4k5nGiKuWW7
T61+eu3vYunfBUYwRYBLiZapqnGust1E0Laph5TwMTDUrkt2ZeQS/NWqUSAamB8BBODnL3LQu9eBpzOakqMFQaWpWqVYsutwrsNPTO8M6V/X/+zDm5kQ
dm5r1zhwL/t1lcyeBwS0VCQ3MjIcMcpHJXUftCT9p7+8L/LvaknQz4txkwVzGPuKleonpZOrBBM4H0/+jD+rNEmqiyddiP32fc7G5ve4Y/WhlQM+Ekil
f/MbqfQ1z8jXGRpGbNf5/AD3syQcnP9tSnTfQCJiCEH5eSPPkZCWpCWL5JWjjbzyWG2ESPclcackP/0zM+G5pKziFpjsng/+FzyJ5nC8Bvorvfrq0hFf
GmtQU2jsc7Us5e09pnHh0fMjzek/RLHsd+8WszvzR1LYyqc2QbV6qhBPxYolNTyiC+Fzkh7YuaBC8y6VhcM9aIc9tw4m2re4Nq1XGMzTx7Y0rT7iRHZp
AzDXYSNjpCHokkEawfY5cDUVomZr50ptg1o3Y1uClewXZXdECUGhM6nDdCa2ssrRWcQv9gdr49QhNodsk1OQdK1otlT/8vKVAqlv/owcZPr7VB9hh9ED
XoM/k0B5l0YHRsf+mXqfKaUwW4pX2PHr8H1etu+4fSna2i5PCuZdMArEu9P1iLooY+yBoNFRk0qSE2CMnWE0BFBUrlzuYBVUzp+tE976U60WGIg4rWVz
NvSQcCJNf+jWjisrP3bz9iwdN+i4cRblR70byfSLWyv4oESYrEOwdZPxmXt2U+PnGz6AEvgxqBmh4Ntzl/sooVf102WOly8XZf5en1akfR5jsCFQaZ5O
vdOmk4LIppNY+nztKwQre77I3bDyYY/gMLALJDcE4TNkfnfJjLZp2RUb4zf0EYTEKzgwQDAxMA0GCWCGSAFlAwQCAQUABCDtqjmSbuNuwZtiL1IMGUCE
jADF2Y9xRull+d9r/tKrjQQINEyrr40IfkUCAWQ=
`
