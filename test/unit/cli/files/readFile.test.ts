import {truncateSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {readInputFile} from '../../../../src/cli/files/readFile.js'
import {Failure} from '../../../../src/failure.js'
import {cli, freshHome} from '../../../support/cli.js'

const limits = {maxBytes: 1000, most: '1 kB', idleMs: 5000, signal: new AbortController().signal}
const home = freshHome()
const at = (name: string) => path.join(home, name)

async function whyNot(file: string, changed: Partial<typeof limits> = {}): Promise<string | undefined> {
  const error: unknown = await readInputFile(file, {...limits, ...changed}).catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw error
  expect(error.facts).toMatchObject({exit: 'file', message: `cannot read ${file}`})
  return error.facts.why
}

test('a file of ids is read from a file', async () => {
  writeFileSync(at('ids'), 'ann\n김민준\n')
  expect(String(await readInputFile(at('ids'), limits))).toBe('ann\n김민준\n')
  writeFileSync(at('empty'), '')
  expect(String(await readInputFile(at('empty'), limits))).toBe('')
  expect(String(await readInputFile('/dev/null', limits))).toBe('')
})

describe('a file of ids is refused if it is', () => {
  test('a folder or missing', async () => {
    expect(await whyNot(home)).toBe('it is a folder')
    expect(await whyNot(at('nothing'))).toBe('no such file')
  })

  test('larger than the limit, and is not read to its end', async () => {
    writeFileSync(at('sparse'), '')
    truncateSync(at('sparse'), 1024 ** 4)
    expect(await whyNot(at('sparse'))).toBe('it is larger than 1 kB')
    expect(await whyNot('/dev/zero')).toBe('it is larger than 1 kB')
    const ran = await cli(`attendee add r-standup --from-file ${at('sparse')}`, {home})
    expect(ran).toMatchObject({exit: 14, sent: []})
    expect(ran.stderr).toContain(
      '\n  why: it is larger than 16 MiB\n  try: use - in place of the file, and pass the list on stdin',
    )
  })
})
