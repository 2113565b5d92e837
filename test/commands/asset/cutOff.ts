import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import type {Ran} from '../../support/cli.js'
import {lost} from '../answers.js'
import {type Bench, type Made, watched} from './uploads.js'

/** The size of a chunk in these tests. */
export const part = 64 * 1024

/** Uploads files in chunks of 64 KiB over a line that breaks for good after a number of them. */
export async function cutOff(
  own: Bench,
  files: readonly Made[],
  chunks: number,
  more: readonly string[] = [],
): Promise<Ran> {
  let sent = 0
  const transport = watched(own.store, ({method}) => {
    if (method === 'PATCH') sent += 1
    if (sent > chunks) throw lost('reset', 'maybe')
  })
  const ran = await own.upload(files, ['--chunk-size', '64KiB', '--concurrency', '1', ...more], {transport})
  expect(ran.exit).not.toBe(0)
  return ran
}

/** What `asset uploads -o json` says. */
export async function known(own: Bench, more: readonly string[] = []): Promise<Record<string, unknown>[]> {
  const {exit, stdout, sent} = await own.cli(['asset', 'uploads', '-o', 'json', ...more])
  expect({exit, sent}).toEqual({exit: 0, sent: []})
  return JSON.parse(stdout)
}

/** The id of the only unfinished upload. */
export async function idOf(own: Bench): Promise<string> {
  const [row, ...others] = await known(own)
  expect(others).toEqual([])
  return String(row?.id)
}

export const ledgerFile = (own: Bench) => join(own.home, '.local/state/roomctl/uploads/uploads.jsonl')
export const ledgerText = (own: Bench) => readFileSync(ledgerFile(own), 'utf8')
