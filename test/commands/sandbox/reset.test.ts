import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {ambiguities} from '../../../src/api/contract/ambiguities.js'
import {fileStore} from '../../../src/sandbox/world/store.js'
import {cli, freshHome} from '../../support/cli.js'
import {everyCase} from '../../support/everyCase.js'
import {readSandboxStatus} from '../../support/sandboxStatus.js'

/** The state of the sandbox in a folder. */
const status = async (data: string) => readSandboxStatus(fileStore(data))

test('begins with nothing, or with the demonstration rooms', async () => {
  const data = freshHome()
  await cli(['sandbox', 'seed', '--data', data])
  expect(await cli(['sandbox', 'reset', '--data', data])).toMatchObject({
    exit: 0,
    stdout: 'sandbox reset: 0 rooms\n',
  })
  expect((await status(data)).rooms).toEqual([])
  expect((await cli(['sandbox', 'reset', '--data', data, '--seed', 'demo'])).stdout).toBe('sandbox reset: 13 rooms\n')
})

test('removes uploads', async () => {
  const data = freshHome()
  const left = join(data, 'files', 'an-upload')
  mkdirSync(join(data, 'files'))
  writeFileSync(left, 'bytes')
  await cli(['sandbox', 'reset', '--data', data])
  expect(existsSync(left)).toBe(false)
})

test('sets choices, and forgets them with the next reset', async () => {
  const data = freshHome()
  const flags = ['--document', 'delete-ended=refuse', '--document', 'not-joinable=nobody', '--latency', '200ms']
  const ran = await cli(['sandbox', 'reset', '--data', data, ...flags, '-o', 'json'])
  const choices = {deleteEnded: 'refuse', joinableFalse: 'nobody', latencyMs: 200}
  expect(JSON.parse(ran.stdout)).toEqual({rooms: [], choices})
  expect((await status(data)).choices).toMatchObject({...choices, deleteIdle: 'allow'})
  await cli(['sandbox', 'reset', '--data', data])
  expect((await status(data)).choices).toMatchObject({deleteEnded: 'allow', latencyMs: 0})
})

test('refuses wrong options and keeps its state', () =>
  everyCase(
    [
      [['--latency', '200'], '--latency'],
      [['--document', 'delete-ended=maybe'], 'delete-ended of --document takes allow or refuse'],
      [['--document', 'joinable-by=nobody'], 'joinable-by of --document takes creator or host'],
      [['--seed', 'prod'], '--seed takes demo'],
    ],
    async (flags, message) => {
      const data = freshHome()
      await cli(['sandbox', 'seed', '--data', data])
      const ran = await cli(['sandbox', 'reset', '--data', data, ...flags])
      expect(ran).toMatchObject({exit: 2, stdout: ''})
      expect(ran.stderr).toContain(message)
      expect((await status(data)).rooms).toHaveLength(13)
    },
  ))

describe('a reading of the documents', () => {
  const reset = (...flags: string[]) => cli(['sandbox', 'reset', '--data', freshHome(), ...flags])

  test.each([
    [['--document', 'delet-ended=refuse'], 'KEY of --document takes ', 'did you mean delete-ended?'],
    [['--document', 'push-all=refus'], 'push-all of --document takes allow or refuse', 'did you mean refuse?'],
    [['--document', 'push-all'], 'push-all of --document takes allow or refuse', 'roomctl sandbox reset --help'],
    [['--document', 'my-secret-word'], 'KEY of --document takes ', 'roomctl sandbox reset --help'],
  ])('%j is refused with the way', async (flags, message, advice) => {
    const ran = await reset(...flags)
    expect(ran).toMatchObject({exit: 2, stdout: ''})
    expect(ran.stderr).toContain(`error: ${message}`)
    expect(ran.stderr.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^  (?:try|see): ${advice.replaceAll('?', '[?]')}$`, 'u'),
    )
    expect(ran.stderr).not.toContain('secret-word')
  })

  test('is listed by help sandbox with its values and its place; sandbox --help shows the same', async () => {
    const {stdout} = await cli('help sandbox')
    expect(stdout).toMatch(/^ {2}delete-ended=allow\|refuse +deleting an ENDED room.* \(room States\)$/mu)
    for (const [key, [, values]] of Object.entries(ambiguities))
      expect(stdout).toContain(`  ${key}=${values.join('|')}`)
    expect(await cli('sandbox --help')).toMatchObject({stdout, exit: 0})
  })

  test('takes each of its values', () =>
    everyCase(Object.entries(ambiguities), async (key, [choice, values]) => {
      const json = async (value: string) => {
        const ran = await reset('--document', `${key}=${value}`, '-o', 'json')
        return JSON.parse(ran.stdout).choices[choice]
      }
      for (const value of values) expect(await json(value)).toBe(value)
    }))
})
