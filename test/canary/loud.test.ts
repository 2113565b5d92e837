import {beforeAll, describe, expect, test} from 'vitest'
import {type Results, runMatrix, type Telling} from './matrix.js'
import {expectNothingSeen, longest} from './verdict.js'

/** All the parts of Node that print, but the one under which no token is sent. */
const parts = 'http,https,http2,net,tls,undici,fetch,fs,timer,child_process,module,esm,worker,vm,url'

/** What makes libraries and Node itself print. None of it depends on the format of a result. */
const tellings: Readonly<Record<string, Telling>> = {
  'DEBUG=*': {env: {DEBUG: '*', ROOMCTL_DEBUG: '1'}, sparse: true},
  'NODE_DEBUG of all that prints requests': {env: {NODE_DEBUG: parts}, sparse: true},
  'NODE_DEBUG=*': {env: {NODE_DEBUG: '*'}, sparse: true},
}

describe.each(Object.entries(tellings))(
  'nothing secret is shown or kept under %s, whatever a service answers',
  (name, telling) => {
    let results: Results
    beforeAll(async () => {
      results = await runMatrix(telling)
    }, longest)

    expectNothingSeen(() => results)

    test('and it is printed what was asked for', () => {
      const said = results.said('api')
      if (name === 'DEBUG=*') expect(said).toContain('authorization: ***')
      else expect(said).toMatch(/^[A-Z]+ \d+: /m)
    })
  },
)
