import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {freshHome} from '../../support/cli.js'
import {outcomes, rowsOf, syncBench, words} from './syncs.js'
import {creates} from './uploads.js'

const json = [...words, '-o', 'json']
const elsewhere = () => ({home: freshHome()})

const many = Object.fromEntries(
  Array.from({length: 12}, (_, at) => [
    [`l${at}.unity`, `asset ${at}`],
    [`l${at}.bundle`, `bundle ${at}`],
  ]).flat(),
)

describe('asset sync --shard', () => {
  test('of N runs without a common ledger, each sends its part: every file once, and links inside the shard', async () => {
    const own = await syncBench(many)
    const files: string[] = []
    for (const shard of ['1/3', '2/3', '3/3']) {
      const ran = await own.sync([...json, '--shard', shard], elsewhere())
      expect(ran.exit).toBe(0)
      const rows = rowsOf(ran)
      for (const {headers} of creates(ran.sent)) {
        const name = headers.Original_File_Name ?? ''
        files.push(name)
        const link = name.endsWith('.bundle') ? rows.get(name.replace('.bundle', '.unity'))?.uuid : undefined
        expect(headers.Asset_Resource_File_Id).toBe(link)
      }
    }
    expect(files.sort()).toEqual(Object.keys(many).sort())
  })

  test('that has no files sends nothing, asks nothing and ends with 0', async () => {
    const own = await syncBench({'a.txt': 'a'})
    const shards = ['1/2', '2/2']
    const rans = await Promise.all(shards.map((shard) => own.sync([...json, '--shard', shard], elsewhere())))
    expect(rans.map(({exit}) => exit)).toEqual([0, 0])
    const empty = rans.find(({stdout}) => stdout.trim() === '[]')
    expect(empty?.sent).toEqual([])
    expect(rans.flatMap(outcomes)).toEqual([['a.txt', 'done']])
  })

  test('that is no shard is a usage error, and nothing is sent', async () => {
    const own = await syncBench({'a.txt': 'a'})
    for (const shard of ['0/2', '3/2', 'x', '1/0']) {
      expect(await own.sync([...words, '--shard', shard])).toMatchObject({exit: 2, sent: []})
    }
  })

  test('shows its part of the plan with --dry-run, and says in its help that two runs of one shard collide', async () => {
    const own = await syncBench(many)
    const plans = await Promise.all(
      ['1/2', '2/2'].map(async (shard) =>
        JSON.parse((await own.sync([...json, '--shard', shard, '--dry-run'])).stdout),
      ),
    )
    expect(plans.flat()).toHaveLength(24)
    const {stdout} = await own.cli(['asset', 'sync', '--help', '--all'])
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'If two runs of the same shard overlap, a file can be uploaded twice.',
    )
  })
})

describe('--limit-rate', () => {
  test('bounds all files of a run together', async () => {
    const own = await syncBench({'a.bin': 'a'.repeat(600_000), 'b.bin': 'b'.repeat(1_400_000)})
    let waited = 0
    const onWait = async (ms: number) => {
      waited += ms
    }
    const line = ['asset', 'upload', 'games/archive', path.join(own.folder, 'a.bin'), path.join(own.folder, 'b.bin')]
    const rate = ['--limit-rate', '100KiB', '--concurrency', '1', ...words]
    const ran = await own.cli([...line, ...rate], {onWait})
    expect(ran.exit).toBe(0)
    const ideal = (2_000_000 / (100 * 1024)) * 1000
    expect(Math.abs(waited / ideal - 1)).toBeLessThan(0.02)
  })

  test('takes a number of bytes of 16KiB or more', async () => {
    const own = await syncBench({'a.txt': 'a'})
    for (const rate of ['fast', '1KiB', '0', '-5MiB', '5MB']) {
      expect(await own.sync([...words, '--limit-rate', rate])).toMatchObject({exit: 2, sent: []})
    }
  })
})
