import {error, type Finding} from './finding.js'

/** What a text is that stands where a .p12, a binary file, is asked. */
export function pemInstead(text: string): Finding {
  const hasKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)
  const hasCertificate = text.includes('-----BEGIN CERTIFICATE-----')
  if (hasKey && hasCertificate) {
    const message = 'it is PEM text with a certificate and a key, where a .p12 is asked'
    return error('pem', message, 'openssl pkcs12 -export -in FILE -out NEW.p12')
  }
  if (hasKey) {
    const message = 'it is a key in PEM text, as in a .p8, where a .p12 certificate with its key is asked'
    return error('pem-key', message, 'roomctl push ios-key FILE registers a .p8 key')
  }
  if (hasCertificate) {
    const message = 'it is a certificate in PEM text without its key, where a .p12 with both is asked'
    return error('pem-certificate', message, 'openssl pkcs12 -export -inkey KEY.pem -in FILE -out NEW.p12')
  }
  if (/^MII[\w+/=\s]+$/u.test(text.trim())) {
    const message = 'it is base64 text, where the .p12 itself is asked'
    return error('base64', message, 'base64 -d FILE > NEW.p12')
  }
  return error(
    'not-p12',
    'it is text, where a .p12 certificate with its key is asked',
    'see whether this is the right file',
  )
}
