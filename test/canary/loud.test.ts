import {beforeAll, describe, expect, test} from 'vitest'
import {expectNothingSeen, longest, type Results, runMatrix, type Telling} from './matrix.js'

/** Both make the tool and its libraries print. */
const telling: Telling = {flags: ['--debug'], env: {DEBUG: '*'}, every: 15}

describe('nothing secret is shown or kept under --debug and DEBUG=*', () => {
  let results: Results
  beforeAll(async () => {
    results = await runMatrix(telling)
  }, longest)

  expectNothingSeen(() => results)

  test('prints the requested traces with the secrets of a request masked', () => {
    expect(results.said('room:list')).toContain('authorization: ***')
    expect(results.said('push:ios')).toMatch(/apns_certificate_password=\*\*\*&/)
    expect(results.said('push:register')).toContain('"push_token":"***"')
  })
})
