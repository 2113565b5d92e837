import {execFileSync} from 'node:child_process'
import {truncateSync, writeFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {Failure} from '../../../../src/api/contract/failure.js'
import {readInputFile} from '../../../../src/cli/files/readFile.js'
import {Interrupted} from '../../../../src/terminal/questions.js'
import {freshHome} from '../../../support/cli.js'

const limits = {maxBytes: 1000, most: '1 kB', idleMs: 5000, signal: new AbortController().signal}
const home = freshHome()
const at = (name: string) => path.join(home, name)

async function whyNot(file: string, changed: Partial<typeof limits> = {}): Promise<string | undefined> {
  const error: unknown = await readInputFile(file, {...limits, ...changed}).catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw error
  expect(error.facts).toMatchObject({exit: 'file', message: `cannot read ${file}`})
  return error.facts.why
}

function pipe(name: string): string {
  execFileSync('mkfifo', [at(name)])
  return at(name)
}

describe('a file of ids is read', () => {
  test('from a file', async () => {
    writeFileSync(at('ids'), 'ann\n김민준\n')
    expect(await readInputFile(at('ids'), limits)).toBe('ann\n김민준\n')
    writeFileSync(at('empty'), '')
    expect(await readInputFile(at('empty'), limits)).toBe('')
    expect(await readInputFile('/dev/null', limits)).toBe('')
  })

  test('from a pipe, whose other end may come later', async () => {
    const file = pipe('pipe')
    const reading = readInputFile(file, limits)
    await writeFile(file, 'ann\nben\n')
    expect(await reading).toBe('ann\nben\n')
  })
})

describe('no file of ids is', () => {
  test('a folder, or what is not there', async () => {
    expect(await whyNot(home)).toBe('it is a folder')
    expect(await whyNot(at('nothing'))).toBe('there is no such file')
  })

  test('what is larger than it may be, which is not read to its end', async () => {
    writeFileSync(at('sparse'), '')
    truncateSync(at('sparse'), 1024 ** 4)
    expect(await whyNot(at('sparse'))).toBe('it is larger than 1 kB')
    expect(await whyNot('/dev/zero')).toBe('it is larger than 1 kB')
  })

  test('a pipe into which nothing comes', async () => {
    expect(await whyNot(pipe('silent'), {idleMs: 100})).toBe('nothing came from it for 0.1 s')
  })

  test('a pipe that somebody no longer waits for', async () => {
    const controller = new AbortController()
    const reading = readInputFile(pipe('given-up'), {...limits, signal: controller.signal})
    setTimeout(() => controller.abort(), 50)
    await expect(reading).rejects.toBeInstanceOf(Interrupted)
  })
})
