import {randomBytes} from 'node:crypto'
import {readdirSync, readFileSync, writeFileSync} from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import {describe, expect, test} from 'vitest'
import {download} from '../../../../src/upload/download/download.js'
import {newPart, sweepParts} from '../../../../src/upload/download/partFile.js'
import {everyCase} from '../../../support/everyCase.js'
import {failureOf} from '../../../support/failures.js'
import {freshFolder} from '../../../support/folder.js'
import {resource} from './context.js'
import {contextFor, serveAssets, sha256} from './stage.js'

const mebibyte = 1024 * 1024
const content = randomBytes(10 * mebibyte)

interface Service {
  bytes: Buffer
  etag: string | undefined
  description: string
  /** The offset at which answers end: the connection hangs from there on. */
  stopAt: number | undefined
  /** How many bytes the last answer has before it hangs. */
  left: number
}

/** A service that gives parts, by their tag where they are asked for by one. */
async function serviceOf(given: Partial<Service> = {}) {
  const state: Service = {bytes: content, etag: undefined, description: 'd', stopAt: undefined, left: 0, ...given}
  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const part = startOf(request, state)
    const start = part ?? 0
    const total = state.bytes.length
    if (state.etag !== undefined) response.setHeader('etag', state.etag)
    if (part !== undefined) response.setHeader('content-range', `bytes ${start}-${total - 1}/${total}`)
    response.writeHead(part === undefined ? 200 : 206, {'content-length': total - start})
    if (state.stopAt === undefined) response.end(state.bytes.subarray(start))
    else response.write(state.bytes.subarray(start, state.stopAt))
    state.left = (state.stopAt ?? 0) - start
  }
  const own = await serveAssets(
    () => ({dataUrl: '/data', originalFileName: 'a.bundle', description: state.description}),
    answer,
  )
  return {own, state}
}

/** Where the part begins that is asked for; undefined if all is given. */
function startOf({headers}: http.IncomingMessage, {etag}: Service): number | undefined {
  const [, from] = /^bytes=(\d+)-$/u.exec(headers.range ?? '') ?? []
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  return from !== undefined && isSame ? Number(from) : undefined
}

type Stage = Awaited<ReturnType<typeof serviceOf>>

async function run({own}: Stage, folder: string, more: object = {}, signal?: AbortSignal) {
  const context = await contextFor(own.url, {timeoutMs: 60_000, silenceMs: 60_000, ...(signal ? {signal} : {})})
  return download(context, resource, {folder, overwrite: false, claimed: new Set(), ...more})
}

/** Downloads until N bytes have come, and is interrupted then. Returns the Failure. */
async function interrupt(stage: Stage, folder: string, at: number, more: object = {}) {
  const controller = new AbortController()
  stage.state.stopAt = at
  const moved = (bytes: number) => {
    stage.state.left -= bytes
    if (stage.state.left === 0) controller.abort()
  }
  const failure = await failureOf(run(stage, folder, {...more, moved}, controller.signal))
  stage.state.stopAt = undefined
  return failure
}

const rangesOf = ({own}: Stage) =>
  own.seen
    .filter((seen) => seen.path === '/data')
    .map(({headers}) => ({range: headers.range, tag: headers['if-range']}))

describe('a download that was cut off', () => {
  test('leaves nothing, and the next run starts over', () =>
    everyCase(
      [
        ['without a proof', {}, {}],
        ['an entity tag', {etag: '"1"'}, {}],
        ['what is expected', {}, {expect: sha256(content)}],
        ['a stamp', {description: `d [sha256:${sha256(content)}]`}, {}],
      ] as const,
      async (_, service, more) => {
        const stage = await serviceOf(service)
        const folder = freshFolder()
        const {facts} = await interrupt(stage, folder, 9 * mebibyte, more)
        expect(facts).toMatchObject({exit: 'interrupted'})
        expect(facts.try).toBeUndefined()
        expect(readdirSync(folder)).toEqual([])
        const {file} = await run(stage, folder, more)
        expect(rangesOf(stage).at(-1)).toEqual({range: undefined, tag: undefined})
        expect(readFileSync(file).equals(content)).toBe(true)
        expect(readdirSync(folder)).toEqual(['a.bundle'])
      },
    ))

  test('removes what a killed run left and leaves what a process works on that may be alive', () =>
    everyCase(
      [
        [4_194_303, []],
        [process.pid, ['.part']],
      ],
      async (pid, left) => {
        const folder = freshFolder()
        const own = newPart(folder)
        const digits = (number: number) => number.toString(16).padStart(8, '0')
        writeFileSync(own.replace(digits(process.pid), digits(pid)), 'bytes')
        sweepParts(folder)
        expect(readdirSync(folder).map((name) => path.extname(name))).toEqual(left)
      },
    ))
})

describe('the stamp of a resource', () => {
  const wrong = `d [sha256:${sha256('something else')}]`

  test('is what the bytes must be, and a file of other bytes is not kept', async () => {
    const stage = await serviceOf({description: wrong})
    const folder = freshFolder()
    const {facts, exitCode} = await failureOf(run(stage, folder))
    expect([exitCode, facts.code, facts.try]).toEqual([
      14,
      'bytes-differ',
      `to keep them anyway: --expect ${sha256(content)}`,
    ])
    expect(facts.message).toBe('cannot download games/foo/u-1: the bytes are not those of its stamp')
    expect(readdirSync(folder)).toEqual([])
  })

  test('does not count if a digest is expected', async () => {
    const stage = await serviceOf({description: wrong})
    const folder = freshFolder()
    await run(stage, folder, {expect: sha256(content)})
    expect(readdirSync(folder)).toEqual(['a.bundle'])
  })
})
