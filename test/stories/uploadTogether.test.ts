import {randomBytes} from 'node:crypto'
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {createServer, request} from 'node:http'
import path from 'node:path'
import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {afterFile} from '../support/afterFile.js'
import {listen} from '../support/listen.js'
import {freshPlace, type Place, shell, start} from './place.js'

const mebibyte = 2 ** 20

/** A started upload: its file, and when its answer had reached the client. */
interface Created {
  readonly name: string
  answeredAt?: number
}

/** A sandbox behind a proxy that notes each upload that is started; `keeps` answers to creations that reach no client. */
async function countedSandbox(keeps = () => false) {
  const server = freshPlace()
  const serving = start(server, 'exec roomctl sandbox start --port 0 --seed demo --latency 10ms > lines')
  await serving.prints('Ctrl-C to stop')
  const lines = readFileSync(path.join(server.dir, 'lines'), 'utf8')
  const [, address = ''] = /ROOMCTL_ASSET_URL=(\S+)/u.exec(lines) ?? []
  const [, token = ''] = /ROOMCTL_ASSET_TOKEN=(\S+)/u.exec(lines) ?? []
  const target = new URL(address)
  const created: Created[] = []
  const proxy = createServer((incoming, answer) => {
    const {method, url = '', headers} = incoming
    const onwards = request(new URL(url, target.origin), {method, headers, agent: false})
    const one: Created = {name: String(headers.original_file_name)}
    const isCreate = method === 'POST' && headers['upload-length'] !== undefined
    if (isCreate) created.push(one)
    onwards.on('response', (response) => {
      if (isCreate && keeps()) return
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
      response.pipe(answer)
      if (isCreate) answer.once('finish', () => Object.assign(one, {answeredAt: performance.now()}))
    })
    onwards.on('error', () => answer.destroy())
    answer.on('close', () => onwards.destroy())
    incoming.pipe(onwards)
  })
  const port = await listen(proxy, {until: afterFile})
  afterFile(() => void serving.child.kill('SIGTERM'))
  const env = {
    ROOMCTL_ASSET_URL: `http://127.0.0.1:${port}${target.pathname}`,
    ROOMCTL_ASSET_TOKEN: token,
  }
  return {created, env}
}

/** Small files and two that are sent in several parts; gives their names. */
function build(place: Place, folder: string): string[] {
  const sizes = new Map([
    ['level.bundle', 3 * mebibyte],
    ['world.bundle', 2 * mebibyte + 5],
    ...Array.from({length: 12}, (_, at) => [`t${at}.png`, 1000 + at] as const),
  ])
  mkdirSync(path.join(place.dir, folder))
  for (const [name, size] of sizes) writeFileSync(path.join(place.dir, folder, name), randomBytes(size))
  return [...sizes.keys()].sort()
}

async function listed(place: Place, env: Readonly<Record<string, string>>): Promise<string[]> {
  const {stdout} = await shell(place, 'roomctl asset list games/archive -o json', {env})
  return JSON.parse(stdout)
    .map(({name}: {name: string}) => name)
    .sort()
}

const flags = "--platform ios --description 'Build 42' --chunk-size 512KiB -o json"
const sync = `exec roomctl asset sync games/archive build ${flags}`

interface Row {
  readonly file: string
  readonly uuid: string
  readonly outcome: string
}

test.each([
  // What the first finishes between the plan of the second and its claim is done.
  ['asset sync, the second after some files,', sync, 5],
  ['asset upload', `exec roomctl asset upload games/archive build/* ${flags}`, 0],
])(
  'two processes of %s over one ledger send each file once, and both know where it is',
  async (_, line, begun) => {
    const {created, env} = await countedSandbox()
    const place = freshPlace()
    const names = build(place, 'build')
    const first = shell(place, line, {env})
    while (created.length < begun) await pause(2)
    const both = await Promise.all([first, shell(place, line, {env})])
    expect(both.map(({exit, stderr}) => ({exit, failed: stderr.match(/error.*/u)?.[0]}))).toEqual(
      both.map(() => ({exit: 0, failed: undefined})),
    )
    expect(created.map(({name}) => name).sort()).toEqual(names)
    const rows: Row[][] = both.map(({stdout}) => JSON.parse(stdout))
    const uuids = rows.map((all) => new Map(all.map(({file, uuid}) => [path.basename(file), uuid])))
    expect(uuids[0]).toEqual(uuids[1])
    for (const name of names) {
      const outcomes = rows.map((all) => all.find(({file}) => path.basename(file) === name)?.outcome)
      expect(outcomes.sort(), name).toEqual(['done', 'skipped'])
    }
    expect(await listed(place, env)).toEqual(names)
  },
  60_000,
)

test('of two processes one is killed, and the other finishes without sending a started file twice', async () => {
  const {created, env} = await countedSandbox()
  const place = freshPlace()
  const names = build(place, 'build')
  const [first, second] = [start(place, sync, env), start(place, sync, env)]
  while (created.length < 6) await pause(2)
  first.child.kill('SIGKILL')
  const killedAt = performance.now()
  await first.ended
  const {exit, stdout, stderr} = await second.ended
  expect({exit, failed: stderr.match(/error.*/u)?.[0]}).toEqual({exit: 0, failed: undefined})
  expect(JSON.parse(stdout)).toHaveLength(names.length)
  expect(await listed(place, env)).toEqual(names)
  for (const name of names) {
    const [one, again] = created.filter((upload) => upload.name === name)
    // The ledger cannot know an upload whose address had not come back, or only just, when its process was killed.
    const isKnown = one?.answeredAt !== undefined && one.answeredAt < killedAt - 100
    expect({name, again: again !== undefined && isKnown}).toEqual({name, again: false})
  }
}, 60_000)

test('a process that is killed between the answer to a creation and its record stores nothing twice', async () => {
  let kept = 0
  const {created, env} = await countedSandbox(() => ++kept === 1)
  const place = freshPlace()
  mkdirSync(path.join(place.dir, 'build'))
  writeFileSync(path.join(place.dir, 'build/empty.png'), '')
  const first = start(place, sync, env)
  while (kept === 0) await pause(2)
  first.child.kill('SIGKILL')
  await first.ended
  expect(await listed(place, env)).toEqual(['empty.png'])
  const {exit, stdout} = await shell(place, sync, {env})
  expect({exit, created: created.length, listed: await listed(place, env)}).toEqual({
    exit: 0,
    created: 1,
    listed: ['empty.png'],
  })
  expect(JSON.parse(stdout)).toMatchObject([{file: 'empty.png', outcome: 'skipped', uuid: expect.stringMatching(/./u)}])
}, 30_000)
