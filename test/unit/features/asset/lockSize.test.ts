import {expect, test} from 'vitest'
import {assertLockSize} from '../../../../src/features/asset/lock.js'
import {failureOf} from '../../../support/failures.js'

const files = (count: number) => Array.from({length: count}, (_, at) => ({key: `level/${String(at).padStart(8, '0')}`}))

test('a lock of more than 16 MiB is refused before anything is sent, naming --shard', async () => {
  expect(() => assertLockSize('games/puzzle', files(130_000))).not.toThrow()
  expect((await failureOf(() => assertLockSize('games/puzzle', files(150_000)))).facts).toMatchObject({
    exit: 'file',
    message: expect.stringContaining('would be larger than 16 MiB; nothing was sent'),
    try: expect.stringContaining('--shard I/N'),
  })
})
