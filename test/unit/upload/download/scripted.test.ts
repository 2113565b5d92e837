import {describe, expect, test} from 'vitest'
import type {Transport, WireResponse} from '../../../../src/api/http/wire/transport.js'
import {download} from '../../../../src/upload/download/download.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {answerWith} from '../../api/http/support.js'
import {contextOf, resource} from './context.js'

/** Downloads where each address answers as the table says; the metadata name `dataUrl`. */
async function downloadOf(dataUrl: string, answers: Readonly<Record<string, Partial<WireResponse>>>, base: string) {
  const asked: string[] = []
  const open: Transport = async ({url, headers}) => {
    asked.push(`${url.href}${'authorization' in headers ? ' with the credential' : ''}`)
    if (url.search === '?type=meta') return answerWith(JSON.stringify({uuid: 'u-1', dataUrl}))
    return {...answerWith('0123456789'), ...answers[url.href]}
  }
  const folder = freshFolder()
  const signal = new AbortController().signal
  const context = contextOf({base: new URL(base), open, signal, timeoutMs: 5_000})
  const done = download(context, resource, {folder, overwrite: false, claimed: new Set()})
  return {folder, done, asked}
}

const moved = (location: string) => ({status: 302, headers: {location}})

describe('an address of bytes', () => {
  const meta = (base: string) => `${base}/asset/games/foo/u-1?type=meta with the credential`

  test('on https is followed, from whatever address', async () => {
    for (const base of ['https://assets.test', 'http://127.0.0.1:4170']) {
      const {done, asked} = await downloadOf('https://files.test/a', {}, base)
      expect((await done).bytes).toBe(10)
      expect(asked).toEqual([meta(base), 'https://files.test/a'])
    }
  })

  test('on plain http is not followed from https, also not on this machine', async () => {
    const {done, asked} = await downloadOf('http://127.0.0.1/a', {}, 'https://assets.test')
    const {facts} = await failureOf(done)
    expect([facts.code, facts.message]).toEqual([
      'unsafe-address',
      'cannot download games/foo/u-1: the address of the bytes leads from https to plain http, on 127.0.0.1:80',
    ])
    expect(asked).toHaveLength(1)
  })

  test('on plain http is not followed when https sends on to it', async () => {
    const answers = {'https://files.test/a': moved('http://127.0.0.1/b')}
    const {done, asked} = await downloadOf('https://files.test/a', answers, 'http://127.0.0.1:4170')
    expect((await failureOf(done)).facts.code).toBe('unsafe-address')
    expect(asked).toEqual([meta('http://127.0.0.1:4170'), 'https://files.test/a'])
  })

  test('on plain http is followed where the profile itself names that origin', async () => {
    const {done, asked} = await downloadOf('/files/a', {}, 'http://assets.test')
    await done
    expect(asked.at(-1)).toBe('http://assets.test/files/a with the credential')
  })

  test('is another origin when only the port differs', async () => {
    const {done, asked} = await downloadOf('https://assets.test:8443/a', {}, 'https://assets.test')
    await done
    expect(asked.at(-1)).toBe('https://assets.test:8443/a')
  })
})
