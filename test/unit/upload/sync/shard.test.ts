import {describe, expect, it} from 'vitest'
import type {SyncFile} from '../../../../src/upload/model/job.js'
import {shardFilter} from '../../../../src/upload/sync/shard.js'

type Shardable = Pick<SyncFile, 'key' | 'link' | 'role'>

const asset = (key: string): Shardable => ({key, role: 'asset'})
const bundle = (key: string, file: string): Shardable => ({key, role: 'bundle', link: {file}})
const catalog = (key: string): Shardable => ({key, role: 'catalog'})

const shardsOf = (files: readonly Shardable[], count: number) =>
  Array.from({length: count}, (_, at) => shardFilter(`${at + 1}/${count}`)(files).map(({key}) => key))

const many = Array.from({length: 500}, (_, at) => asset(`levels/l${at}.unity`))

describe('--shard', () => {
  it('puts every file into one of the shards, in its order', () => {
    const shards = shardsOf(many, 5)
    expect(shards.flat().sort()).toEqual(many.map(({key}) => key).sort())
    const order = many.map(({key}) => key)
    for (const shard of shards) expect(shard).toEqual(order.filter((key) => shard.includes(key)))
    // By chance a shard of 500 files over 5 has between 60 and 140.
    expect(shards.filter(({length}) => length < 60 || length > 140)).toEqual([])
  })

  it('keeps the files of a catalog, and all that links to it, in one shard', () => {
    const files = [
      ...['json', 'hash', 'bin'].map((extension) => catalog(`ios/catalog_1.${extension}`)),
      ...Array.from({length: 20}, (_, at) => bundle(`ios/b${at}.bundle`, 'ios/catalog_1.hash')),
    ]
    expect(shardsOf(files, 9).filter(({length}) => length > 0)).toEqual([files.map(({key}) => key)])
  })

  it('follows from the paths of a group alone', () => {
    const alone = shardsOf([asset('x.unity')], 11).findIndex(({length}) => length > 0)
    const among = shardsOf([...many, asset('x.unity')], 11).findIndex((keys) => keys.includes('x.unity'))
    expect(among).toBe(alone)
  })
})
