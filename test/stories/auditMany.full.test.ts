import {writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {measured} from './measured.js'
import {freshPlace} from './place.js'
import {serve} from './service.js'

/** A service with every application, each with a server key of its own. */
async function service() {
  const {url} = await serve((path, response) => {
    const id = new URL(path, 'http://x').searchParams.get('application_id') ?? ''
    const shown = {
      ios_apns_type: 'CERTIFICATE',
      bundle_id: `com.example.${id}`,
      certificate_expiry_date: '2099-01-01',
      package_name: `com.example.${id}`,
      fcm_server_key: `AAAA${id.padEnd(7, 'x').slice(-7)}:${id.repeat(40).slice(0, 140)}`,
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(shown))
  })
  return url
}

test('three thousand applications take 80 MiB at most, as their rows are written and let go', async () => {
  const url = await service()
  const place = freshPlace({ROOMCTL_PUSH_URL: url, ROOMCTL_PUSH_TOKEN: 'a-token'})
  writeFileSync(path.join(place.dir, 'ids'), Array.from({length: 3000}, (_, at) => `app-${at}\n`).join(''))
  const ran = await measured(place, 'roomctl push audit --applications-from ids -o ndjson')
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(6000)
  expect(ran.peakMiB).toBeLessThan(80)
}, 60_000)
