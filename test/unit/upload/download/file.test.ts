import {randomBytes} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {download} from '../../../../src/upload/download/download.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {resource} from './context.js'
import {contextFor, type Handler, serveAssets, sha256} from './stage.js'

const bytes = randomBytes(100_000)
const whole: Handler = (_, response) => response.end(bytes)

/** Downloads a resource of that name into a folder. */
async function downloadInto(folder: string, originalFileName: string, changed: object = {}, description = 'd') {
  const own = await serveAssets(() => ({dataUrl: '/data', originalFileName, description}), whole)
  const options = {folder, overwrite: false, claimed: new Set<string>(), ...changed}
  return download(await contextFor(own.url), resource, options)
}

describe('a download', () => {
  test('does not replace a file that appears while the bytes arrive', async () => {
    const folder = freshFolder()
    const target = path.join(folder, 'a.bundle')
    const own = await serveAssets(
      () => ({dataUrl: '/data', originalFileName: 'a.bundle'}),
      (_, response) => {
        writeFileSync(target, 'mine')
        response.end(bytes)
      },
    )
    const options = {folder, overwrite: false, claimed: new Set<string>()}
    const {facts} = await failureOf(download(await contextFor(own.url), resource, options))
    expect(facts.code).toBe('file-exists')
    expect(readFileSync(target, 'utf8')).toBe('mine')
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })

  test('does not replace a folder, with overwrite or without', async () => {
    const folder = freshFolder()
    mkdirSync(path.join(folder, 'a.bundle'))
    const {facts, exitCode} = await failureOf(downloadInto(folder, 'a.bundle', {overwrite: true}))
    expect([exitCode, facts.why]).toEqual([14, 'it is a folder'])
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })

  test('does not replace a file of the same run whose name differs only in case', async () => {
    const folder = freshFolder()
    const claimed = new Set<string>()
    await downloadInto(folder, 'A.bundle', {claimed, overwrite: true})
    const {facts, exitCode} = await failureOf(downloadInto(folder, 'a.bundle', {claimed, overwrite: true}))
    expect([exitCode, facts.message]).toEqual([
      14,
      'cannot download games/foo/u-1: another resource of this run is written to a.bundle',
    ])
    expect(readdirSync(folder)).toEqual(['A.bundle'])
  })

  test('to a file in a missing folder is refused, since the path may be mistyped', async () => {
    const folder = path.join(freshFolder(), 'gone')
    const {facts, exitCode} = await failureOf(downloadInto(folder, 'a', {name: 'b'}))
    expect([exitCode, facts.why]).toEqual([14, `no such folder: ${folder}`])
  })

  test('keeps only the bytes of the stamp, unless --expect names other ones', async () => {
    const folder = freshFolder()
    const stamp = `d [sha256:${'ab'.repeat(32)}]`
    const {facts, exitCode} = await failureOf(downloadInto(folder, 'a.bundle', {}, stamp))
    expect([exitCode, facts.code, facts.message, facts.try]).toEqual([
      14,
      'bytes-differ',
      'cannot download games/foo/u-1: the bytes are not those of its stamp',
      `to keep them anyway: --expect ${sha256(bytes)}`,
    ])
    expect(readdirSync(folder)).toEqual([])
    await downloadInto(folder, 'a.bundle', {expect: sha256(bytes)}, stamp)
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })
})
