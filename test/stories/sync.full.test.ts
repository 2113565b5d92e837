import {createHash, randomBytes} from 'node:crypto'
import {cpSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {expect, test} from 'vitest'
import {freshPlace, type Place, type Running, shell, start} from './place.js'

const mebibyte = 2 ** 20

/** A build: an asset, the bundle that belongs to it, a catalog, and many small files. */
function build(folder: string): Map<string, string> {
  mkdirSync(path.join(folder, 'textures'), {recursive: true})
  const sizes = new Map([
    ['level.unity', 4 * mebibyte],
    ['level.bundle', 8 * mebibyte],
    ['catalog_1.json', 0],
    ...Array.from({length: 20}, (_, at) => [`textures/t${at}.png`, 1000 + at] as const),
  ])
  return new Map(
    [...sizes].map(([name, size]) => {
      const bytes = name.endsWith('.json') ? Buffer.from('{"levels": [1]}') : randomBytes(size)
      writeFileSync(path.join(folder, name), bytes)
      return [name, createHash('sha256').update(bytes).digest('hex')]
    }),
  )
}

/** Kills a program, as a machine that vanishes does, once it has said this. */
async function killed(running: Running, said: string): Promise<void> {
  await running.prints(said)
  running.child.kill('SIGKILL')
  expect((await running.ended).signal).toBe('SIGKILL')
}

/** The sha256 of what the service returns, fetched by curl. */
async function fetched(place: Place, env: Readonly<Record<string, string>>, uuid: string): Promise<string> {
  const meta = await shell(
    place,
    `curl -sSf -H "Authorization: Bearer $ROOMCTL_ASSET_TOKEN" "$ROOMCTL_ASSET_URL/games/archive/${uuid}?type=meta"`,
    {env},
  )
  const {dataUrl} = JSON.parse(meta.stdout)
  await shell(place, 'curl -sSf -o fetched "$DATA_URL"', {env: {DATA_URL: dataUrl}})
  return createHash('sha256')
    .update(readFileSync(path.join(place.dir, 'fetched')))
    .digest('hex')
}

test('a sync that is killed twice is finished on another machine, each file once and every byte equal', async () => {
  const server = freshPlace()
  const serving = start(server, 'exec roomctl sandbox start --port 0 --seed demo --latency 50ms > lines')
  await serving.prints('Ctrl-C to stop')
  const lines = readFileSync(path.join(server.dir, 'lines'), 'utf8')
  const [, url = ''] = /ROOMCTL_ASSET_URL=(\S+)/u.exec(lines) ?? []
  const [, token = ''] = /ROOMCTL_ASSET_TOKEN=(\S+)/u.exec(lines) ?? []
  const env = {ROOMCTL_ASSET_URL: url, ROOMCTL_ASSET_TOKEN: token}
  const line =
    "exec roomctl asset sync games/archive build --state-dir ledger --platform ios --description 'Build 42' " +
    '--chunk-size 1MiB --progress json -o json'

  const machine = freshPlace()
  const sums = build(path.join(machine.dir, 'build'))
  await killed(start(machine, line, env), '"event":"acked","file":"level.unity","acked":1048576')
  await killed(start(machine, line, env), '"event":"acked","file":"level.bundle","acked":3145728')

  const other = freshPlace()
  for (const folder of ['build', 'ledger']) {
    cpSync(path.join(machine.dir, folder), path.join(other.dir, folder), {recursive: true})
  }
  const {exit, stdout, stderr} = await shell(other, line, {env})
  expect({exit, stderr: stderr.match(/"event":"(?:renewed|failed|warned)".*/u)?.[0]}).toEqual({
    exit: 0,
    stderr: undefined,
  })
  const rows: {file: string; uuid: string; sha256: string; outcome: string; resumed_from?: number}[] =
    JSON.parse(stdout)
  expect(new Map(rows.map(({file, sha256}) => [file, sha256]))).toEqual(sums)
  expect(rows.find(({file}) => file === 'level.unity')?.outcome).toBe('skipped')
  expect(rows.find(({file}) => file === 'level.bundle')?.resumed_from).toBeGreaterThanOrEqual(3 * mebibyte)

  const listed = await shell(other, 'roomctl asset list games/archive -o json', {env})
  const names: string[] = JSON.parse(listed.stdout).map(({name}: {name: string}) => name)
  expect(names.sort()).toEqual([...sums.keys()].map((file) => path.basename(file)).sort())
  for (const {file, uuid} of rows) expect(await fetched(other, env, uuid), file).toBe(sums.get(file))

  const again = await shell(other, line, {env})
  expect(again.exit).toBe(0)
  expect(again.stderr).toContain('"done":0')
  expect(again.stderr).toContain(`"already_there":${sums.size}`)
  serving.child.kill('SIGTERM')
  await serving.ended
}, 60_000)
