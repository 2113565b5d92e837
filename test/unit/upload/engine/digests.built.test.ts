import {expect, test} from 'vitest'
import {Digests} from '../../../../src/upload/engine/content.js'
import {Blocks, openSource} from '../../../../src/upload/engine/fileSource.js'
import {atEnd} from '../../api/http/support.js'
import {file} from './stage.js'

const size = 100_000

/** Digests by a thread that runs that script; without one its file is unreadable. */
function digestsBy(text: string | undefined, signal = new AbortController().signal) {
  const script = () => {
    if (text === undefined) throw new Error('no such file')
    return text
  }
  const digests = new Digests(script, signal)
  const source = openSource({key: 'a', path: file(size)}, new Blocks())
  atEnd(async () => {
    await digests.close()
    await source.close()
  })
  return {digests, source}
}

const onMessage = (what: string) => `require('node:worker_threads').parentPort.on('message', () => {${what}})`

test.each([
  ['has no script', undefined, /^the digest thread failed: no such file$/],
  ['throws', 'throw new Error("broken")', /^the digest thread failed: broken$/],
  ['ends at once', 'process.exit()', /^the digest thread ended$/],
  ['ends when it is asked', onMessage('process.exit()'), /^the digest thread ended$/],
])('a thread that %s fails what waits, and whatever is asked afterwards', async (_, text, message) => {
  const {digests, source} = digestsBy(text)
  digests.begin(source)
  await expect(digests.part(source, 0, size, 'sha1')).rejects.toThrow(message)
  await expect(digests.whole(source)).rejects.toThrow(message)
  await digests.forget(source)
})

test.each([
  ['is idle', onMessage('')],
  ['never ends its work', onMessage('for (;;);')],
])('a thread that %s and does not answer is given up after an interruption', async (_, text) => {
  const abort = new AbortController()
  const {digests, source} = digestsBy(text, abort.signal)
  const digest = digests.part(source, 0, size, 'sha1')
  setTimeout(() => abort.abort(), 100)
  await expect(digest).rejects.toMatchObject({facts: {exit: 'interrupted'}})
  await digests.forget(source)
})
