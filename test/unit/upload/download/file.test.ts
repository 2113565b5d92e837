import {randomBytes} from 'node:crypto'
import {mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {download} from '../../../../src/upload/download/download.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {resource} from './context.js'
import {contextFor, type Handler, serveAssets} from './stage.js'

const bytes = randomBytes(100_000)
const whole: Handler = (_, response) => response.end(bytes)

/** Downloads a resource of that name into a folder. */
async function downloadInto(folder: string, name: string, changed: object = {}) {
  const own = await serveAssets(() => ({dataUrl: '/data', originalFileName: name}), whole)
  const options = {folder, overwrite: false, claimed: new Set<string>(), ...changed}
  return {own, downloaded: download(await contextFor(own.url), resource, options)}
}

describe('a download', () => {
  test('has the mode that any new file has', async () => {
    const folder = freshFolder()
    await (await downloadInto(folder, 'a.bundle')).downloaded
    writeFileSync(path.join(folder, 'b.bundle'), '')
    const mode = (name: string) => statSync(path.join(folder, name)).mode & 0o777
    expect(mode('a.bundle')).toBe(mode('b.bundle'))
  })

  test('is called after its uuid where the service tells no name', async () => {
    const own = await serveAssets(() => ({dataUrl: '/data'}), whole)
    const folder = freshFolder()
    const context = await contextFor(own.url)
    expect((await download(context, resource, {folder, overwrite: false, claimed: new Set()})).file).toBe(
      path.join(folder, 'u-1'),
    )
  })

  test('never replaces a file unasked, and asks for no bytes then', async () => {
    const folder = freshFolder()
    writeFileSync(path.join(folder, 'a.bundle'), 'mine')
    const {own, downloaded} = await downloadInto(folder, 'a.bundle')
    const {facts, exitCode} = await failureOf(downloaded)
    expect([exitCode, facts.code]).toEqual([14, 'file-exists'])
    expect(facts.message).toBe(`cannot download games/foo/u-1: ${path.join(folder, 'a.bundle')} already exists`)
    expect(readFileSync(path.join(folder, 'a.bundle'), 'utf8')).toBe('mine')
    expect(own.seen).toHaveLength(1)
  })

  test('does not replace a file that comes up while the bytes come', async () => {
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

  test('replaces a file with overwrite, once the bytes are whole', async () => {
    const folder = freshFolder()
    writeFileSync(path.join(folder, 'a.bundle'), 'old')
    await (await downloadInto(folder, 'a.bundle', {overwrite: true})).downloaded
    expect(readFileSync(path.join(folder, 'a.bundle')).equals(bytes)).toBe(true)
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })

  test('does not replace a folder, with overwrite or without', async () => {
    const folder = freshFolder()
    mkdirSync(path.join(folder, 'a.bundle'))
    const {facts, exitCode} = await failureOf((await downloadInto(folder, 'a.bundle', {overwrite: true})).downloaded)
    expect([exitCode, facts.why]).toEqual([14, 'it is a folder'])
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })

  test('does not replace another of the same run, whose name differs in case only', async () => {
    const folder = freshFolder()
    const claimed = new Set<string>()
    await (await downloadInto(folder, 'A.bundle', {claimed, overwrite: true})).downloaded
    const {facts, exitCode} = await failureOf(
      (await downloadInto(folder, 'a.bundle', {claimed, overwrite: true})).downloaded,
    )
    expect([exitCode, facts.message]).toEqual([
      14,
      'cannot download games/foo/u-1: another resource of this run is written to a.bundle',
    ])
    expect(readdirSync(folder)).toEqual(['A.bundle'])
  })

  test('makes the folder that it is to be written to', async () => {
    const folder = path.join(freshFolder(), 'new', 'folder')
    await (await downloadInto(folder, 'a')).downloaded
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('to a file of a folder that is not there says so, as the path may be mistyped', async () => {
    const folder = path.join(freshFolder(), 'gone')
    const {facts, exitCode} = await failureOf((await downloadInto(folder, 'a', {name: 'b'})).downloaded)
    expect([exitCode, facts.why]).toEqual([14, `no such folder: ${folder}`])
  })
})
