import {beforeAll, describe, expect, test} from 'vitest'
import {type Results, runMatrix} from './matrix.js'
import {expectNothingSeen, longest} from './verdict.js'

let results: Results
beforeAll(async () => {
  results = await runMatrix({flags: ['--debug'], sparse: true})
}, longest)

describe('nothing secret is shown or kept under --debug, whatever a service answers', () => {
  expectNothingSeen(() => results)

  test('and the requests are shown, with their secrets masked', () => {
    expect(results.said('push:ios-cert')).toMatch(/apns_certificate_password=\*\*\*&/)
    expect(results.said('push:register')).toContain('"push_token":"***"')
    expect(results.said('room:list')).toContain('authorization: ***')
  })
})
