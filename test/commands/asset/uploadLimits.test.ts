import {renameSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {WireRequest} from '../../../src/api/http/wire/transport.js'
import {reply, sandboxOf} from '../answers.js'
import {cutOff, part} from './cutOff.js'
import {type Bench, bench, patches, watched} from './uploads.js'

const mebibyte = 1024 * 1024

/** The commands that send files, over an upload that was cut off. */
async function commands(): Promise<[Bench, (readonly string[])[]]> {
  const own = await bench()
  const file = own.file('a.bundle', 2 * part)
  await cutOff(own, [file], 1)
  const words = ['--platform', 'ios', '--description', 'd']
  const lines = [
    ['asset', 'resume'],
    ['asset', 'upload', 'games/puzzle', file.path, ...words],
    ['asset', 'sync', 'games/puzzle', `${own.home}/work`, ...words],
  ]
  return [own, lines]
}

test('--retries and --timeout hold in every command that sends files', async () => {
  const [own, lines] = await commands()
  const sandbox = sandboxOf(own.store)
  for (const line of lines) {
    for (const [flags, tries, silenceMs] of [
      [['--retries', '0', '--timeout', '5s'], 1, 5_000],
      [['--retries', '2'], 3, 60_000],
      [['--retries', '10'], 11, 60_000],
      [[], 8, 60_000],
    ] as const) {
      const silences = new Set<number | undefined>()
      const transport = async (request: WireRequest) => {
        if (request.method !== 'PATCH') return sandbox(request)
        silences.add(request.silenceMs)
        return reply('', {status: 503})
      }
      const {exit, sent} = await own.cli([...line, ...flags], {transport})
      expect({line, exit, patches: patches(sent).length, silences: [...silences]}).toEqual({
        line,
        exit: 10,
        patches: tries,
        silences: [silenceMs],
      })
    }
  }
})

test('the summary counts the bytes of the file, and those that were sent again apart', async () => {
  const own = await bench()
  const sandbox = sandboxOf(own.store)
  let count = 0
  const transport = async (request: WireRequest) => {
    if (request.method === 'PATCH') count += 1
    return request.method === 'PATCH' && count === 2 ? reply('', {status: 500}) : sandbox(request)
  }
  const file = own.file('a.bundle', 3 * part)
  const {stderr} = await own.upload([file], ['--chunk-size', '64KiB'], {transport})
  expect(stderr).toContain('uploaded 1 file, 192.0 KiB in 0ms, 64.0 KiB sent again\n')
})

describe('a file that in the middle of its upload', () => {
  async function meanwhile(happens: (path: string) => void) {
    const own = await bench()
    const file = own.file('a.bundle', 3 * mebibyte)
    let count = 0
    const transport = watched(own.store, ({method}) => {
      if (method === 'PATCH' && ++count === 2) happens(file.path)
    })
    return own.upload([file], ['--chunk-size', '1MiB'], {transport})
  }

  test.each([
    ['deleted', (path: string) => rmSync(path)],
    [
      'replaced',
      (path: string) => {
        writeFileSync(`${path}.new`, 'other')
        renameSync(`${path}.new`, path)
      },
    ],
  ])('is %s is sent as it was, and that is said', async (what, happens) => {
    const {exit, stderr} = await meanwhile(happens)
    expect(exit).toBe(0)
    expect(stderr).toMatch(new RegExp(`^warning: \\S+a\\.bundle was ${what} while it was uploaded`, 'mu'))
  })

  test('is truncated fails, and says so', async () => {
    const {exit, stderr} = await meanwhile((path) => truncateSync(path, mebibyte + 5))
    expect(exit).toBe(14)
    expect(stderr).toMatch(/^error: cannot upload \S+a\.bundle: it was truncated while it was uploaded/mu)
  })
})
