import {expect, test} from 'vitest'
import {checkAddress} from '../../../../../src/api/http/network/address.js'

test.each([
  'http://256',
  'https://10.1',
  'https://0x7f.1',
  'https://%41.example',
  'https://a\u00adb.example',
  'https://:@host',
])('an address that URL would change is refused: %s', (address) => {
  expect(() => checkAddress(address, {allowHttp: true})).toThrow('invalid address')
})

test.each([
  ['https://Ex.example:443/a', 'https://ex.example/a'],
  ['https://bücher.example', 'https://xn--bcher-kva.example/'],
  ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example/'],
  ['http://[::0001]:80', 'http://[::1]/'],
])('another spelling of the same host is taken: %s', (address, expected) => {
  expect(checkAddress(address, {allowHttp: false}).href).toBe(expected)
})
