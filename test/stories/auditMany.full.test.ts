import {readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {measured} from './measured.js'
import {freshPlace, shell} from './place.js'
import {serve} from './service.js'

const most = 1000

/** A service with every application, each with a server key of its own, and the times of its requests. */
async function service() {
  const times: number[] = []
  const {url} = await serve((path, response) => {
    times.push(performance.now())
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
  return {url, times}
}

/** Says at the end how much of the heap is in use, in MiB, after a collection. */
const heapInUse = `const {setFlagsFromString} = require('node:v8')
setFlagsFromString('--expose-gc')
process.on('exit', () => {
  require('node:vm').runInNewContext('gc')()
  require('node:fs').writeFileSync('heap', String(process.memoryUsage().heapUsed / 1048576))
})`

test('a thousand applications are audited within the budget, in the memory that ten take', async () => {
  const {url, times} = await service()
  const place = freshPlace({ROOMCTL_PUSH_URL: url, ROOMCTL_PUSH_TOKEN: 'a-token'})
  writeFileSync(path.join(place.dir, 'heap.cjs'), heapInUse)
  const audit = async (count: number) => {
    writeFileSync(path.join(place.dir, 'ids'), Array.from({length: count}, (_, at) => `app-${at}\n`).join(''))
    const line = 'push audit --applications-from ids --budget 200/s --ics push.ics -o ndjson'
    const {stdout, exit} = await shell(place, `NODE_OPTIONS='-r ./heap.cjs' roomctl ${line}`)
    expect(exit).toBe(15)
    return {
      rows: stdout.trimEnd().split('\n').length,
      heapMiB: Number(readFileSync(path.join(place.dir, 'heap'), 'utf8')),
    }
  }
  const few = await audit(10)
  times.length = 0
  const many = await audit(most)
  expect(many.rows).toBe(2 * most)
  expect(times).toHaveLength(most)
  // 200 a second: in no second are there more, but for those that come late after a pause of the machine.
  const inSecond = times.map((from, at) => times.slice(at).filter((time) => time < from + 1000).length)
  expect(Math.max(...inSecond)).toBeLessThanOrEqual(240)
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(4_900)
  expect(many.heapMiB - few.heapMiB).toBeLessThan(3)
}, 60_000)

test('three thousand applications take 80 MiB at most, as their rows are written and let go', async () => {
  const {url} = await service()
  const place = freshPlace({ROOMCTL_PUSH_URL: url, ROOMCTL_PUSH_TOKEN: 'a-token'})
  writeFileSync(path.join(place.dir, 'ids'), Array.from({length: 3000}, (_, at) => `app-${at}\n`).join(''))
  const ran = await measured(place, 'roomctl push audit --applications-from ids --budget 1000/s -o ndjson')
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(6000)
  expect(ran.peakMiB).toBeLessThan(80)
}, 60_000)
