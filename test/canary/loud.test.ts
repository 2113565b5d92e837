import {beforeAll, describe, expect, test} from 'vitest'
import {expectNothingSeen, longest, type Results, runMatrix, type Telling} from './matrix.js'

/** All the parts of Node that print, but the one under which no token is sent. */
const parts = 'http,https,http2,net,tls,undici,fetch,fs,timer,child_process,module,esm,worker,vm,url'

/** Variables that make the tool, libraries and Node itself print. */
const tellings: Readonly<Record<string, Telling>> = {
  '--debug and DEBUG=*': {flags: ['--debug'], env: {DEBUG: '*'}, every: 4},
  'NODE_DEBUG of all that prints requests': {env: {NODE_DEBUG: parts}, every: 4},
  'NODE_DEBUG=*': {env: {NODE_DEBUG: '*'}, every: 16},
}

describe.each(Object.entries(tellings))('nothing secret is shown or kept under %s', (name, telling) => {
  let results: Results
  beforeAll(async () => {
    results = await runMatrix(telling)
  }, longest)

  expectNothingSeen(() => results)

  test('and the requested tracing is printed, the secrets of a request masked', () => {
    if (name !== '--debug and DEBUG=*') return expect(results.said('api')).toMatch(/^[A-Z]+ \d+: /m)
    expect(results.said('room:list')).toContain('authorization: ***')
    expect(results.said('push:ios')).toMatch(/apns_certificate_password=\*\*\*&/)
    expect(results.said('push:register')).toContain('"push_token":"***"')
  })
})
