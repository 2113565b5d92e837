import {type ChildProcess, spawn} from 'node:child_process'
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {readdirSync, readFileSync} from 'node:fs'
import path from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {bundled} from '../../../support/bundled.js'
import {freshFolder} from '../../../support/folder.js'
import {type Handler, serveAssets} from './stage.js'

const bytes = randomBytes(2_000_000)
let script: string

beforeAll(async () => {
  script = await bundled(new URL('downloader.ts', import.meta.url), 'cjs')
})

/** A process that downloads into a folder; `before` is what a shell does first. */
function start(address: URL, into: string, before = ':'): ChildProcess {
  const words = ['-c', `${before}; exec "$@"`, 'sh', process.execPath, script, address.href, into]
  return spawn('sh', words, {stdio: ['ignore', 'pipe', 'inherit']})
}

async function said(child: ChildProcess): Promise<unknown> {
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  return JSON.parse(text)
}

const whole: Handler = (_, response) => response.end(bytes)
const meta = () => ({dataUrl: '/data', originalFileName: 'a.bundle'})

test('a download that is killed leaves no file under the final name, and can be run again', async () => {
  const into = freshFolder()
  for (const share of [0, 0.1, 0.5, 0.9, 1]) {
    let reached = () => {}
    const sent = new Promise<void>((resolve) => {
      reached = resolve
    })
    const own = await serveAssets(meta, (_, response) => {
      response.writeHead(200, {'content-length': bytes.length + 1})
      response.write(bytes.subarray(0, bytes.length * share), () => setTimeout(reached, 50))
    })
    const child = start(own.url, into)
    await sent
    child.kill('SIGKILL')
    await once(child, 'close')
    expect(readdirSync(into).filter((name) => !/^\.roomctl-[0-9a-f]+\.(?:part|proof|run)$/.test(name))).toEqual([])
  }
  const own = await serveAssets(meta, whole)
  await said(start(own.url, into))
  expect(readFileSync(path.join(into, 'a.bundle')).equals(bytes)).toBe(true)
  expect(readdirSync(into)).toEqual(['a.bundle'])
})
