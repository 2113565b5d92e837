import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {parse} from '@oclif/core/parser'
import {describe, expect, test} from 'vitest'
import {usageFailure} from '../../../../src/cli/errors/usageErrors.js'
import type {FailureFacts} from '../../../../src/failure.js'

const options = {
  args: {room: Args.string({required: true, ignoreStdin: true})},
  flags: {
    present: Flags.boolean({exclusive: ['absent']}),
    absent: Flags.boolean({exclusive: ['present']}),
    layout: Flags.string({options: ['speaker', 'grid']}),
    max: Flags.string({}),
    all: Flags.boolean({dependsOn: ['max']}),
    yes: Flags.boolean({char: 'y'}),
    'secret-file': Flags.string({}),
    'secret-stdin': Flags.boolean({}),
  },
  strict: true,
}

/** What oclif's own refusal of a command line becomes. */
async function refused(...argv: string[]): Promise<FailureFacts> {
  const error = await parse(argv, options).then(
    () => new Error(`oclif takes it: ${argv.join(' ')}`),
    (raised: Error) => raised,
  )
  if (!('oclif' in error)) throw error
  const {facts} = usageFailure(error as Parameters<typeof usageFailure>[0])
  expect(facts.exit).toBe('usage')
  expect(facts.outcome ?? 'none').toBe('none')
  expect(facts.message).not.toMatch(/\p{Cc}|\.$|^error/iu)
  return facts
}

describe('an unknown flag', () => {
  test.each([
    ['--presnt', '--presnt', '--present'],
    ['--lay', '--lay', undefined],
    ['--maxx=4', '--maxx', '--max'],
    ['--zzzzzzzz', '--zzzzzzzz', undefined],
    ['-x', '-x', undefined],
  ])('%s is named, with the nearest that there is', async (given, named, nearest) => {
    const {message, try: advice} = await refused('r-1', given)
    expect(message).toBe(`unknown flag ${named}`)
    if (nearest) expect(advice).toBe(nearest)
    else expect(advice).toMatch(/--help/)
  })

  test.each(['--token=S3CRET', '--password=S3CRET', '--api-key=S3CRET', '--app-secret=S3CRET'])(
    '%s is told the way that secrets take, and its value is not repeated',
    async (given) => {
      const facts = await refused('r-1', given)
      expect(facts.why).toMatch(/secrets are not accepted as arguments/)
      expect(facts.try).toMatch(/^roomctl config login/)
      expect(JSON.stringify(facts)).not.toContain('S3CRET')
    },
  )

  test('that would be a secret is told where the command takes it from', async () => {
    const facts = await refused('r-1', '--secret=S3CRET')
    expect(facts.try).toBe('--secret-file or --secret-stdin, or without them a hidden prompt')
    expect(JSON.stringify(facts)).not.toContain('S3CRET')
  })

  test.each([['-tS3CRET'], ['--presnt=S3CRET'], ['--yes=S3CRET'], ['--layout', 'S3CRET'], ['r-2', 'S3CRET']])(
    'and whatever else is wrong in %j, its value is not repeated',
    async (...given) => {
      expect(JSON.stringify(await refused('r-1', ...given))).not.toContain('S3CRET')
    },
  )
})

describe('other command lines that cannot be parsed', () => {
  test('an argument too many is named, and it says which there are', async () => {
    expect(await refused('r-1', 'x')).toMatchObject({
      message: 'unexpected argument: x',
      why: 'it takes ROOM; a value with spaces needs quotes',
    })
    expect(await refused('r-1', 'x', 'y')).toMatchObject({message: 'unexpected arguments: x, y'})
  })

  test('a flag without its value is named', async () => {
    expect((await refused('r-1', '--max')).message).toContain('--max')
  })

  test.each([
    ['gird', '--layout grid'],
    ['SPEAKER', '--layout speaker'],
  ])('a choice that does not exist, %s, is answered with those that do and the nearest', async (given, nearest) => {
    expect(await refused('r-1', '--layout', given)).toMatchObject({
      message: '--layout takes speaker or grid',
      try: nearest,
    })
  })

  test('flags that exclude each other are both named', async () => {
    const {message} = await refused('r-1', '--present', '--absent')
    expect(message).toContain('--present')
    expect(message).toContain('--absent')
  })

  test('a flag that needs another one is named with it', async () => {
    expect((await refused('r-1', '--all')).message).toBe('--all needs --max')
  })

  test('a flag that is given twice is named', async () => {
    expect((await refused('r-1', '--max', '1', '--max', '2')).message).toBe('--max is given more than once')
  })
})
